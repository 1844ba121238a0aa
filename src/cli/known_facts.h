#pragma once

#include <map>
#include <utility>

#include "control/cache.h"
#include "store/decode.h"

namespace slipway::cli {

// A few facts of every object of a kind, each object read anew only when it has changed. As large
// as the cache it follows.
template <class Facts>
class KnownFacts {
 public:
  using Read = Facts (*)(const json::Value& object);
  struct Known {
    store::Version version = 0;
    Facts facts = {};
  };

  explicit KnownFacts(Read read) : read_(read) {}

  // By object, as the cache has them now. What cannot be decoded is left out.
  const std::map<store::Key, Known>& of(const control::Cache& cache) {
    std::map<store::Key, Known> now;
    for (const store::Item* item : cache.list()) {
      auto known = known_.extract(item->key);
      if (!known.empty() && known.mapped().version == item->version)
        now.insert(now.end(), std::move(known));
      else if (auto document = store::decode(*item))
        now.emplace_hint(now.end(), item->key,
                         Known{item->version, read_(json::Value(std::move(*document)))});
    }
    known_ = std::move(now);
    return known_;
  }

 private:
  Read read_;
  std::map<store::Key, Known> known_;
};

}  // namespace slipway::cli
