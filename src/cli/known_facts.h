#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

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
  using Entry = std::pair<const store::Key, Known>;
  struct Page {
    std::vector<const Entry*> entries = {};  // valid until the next call
    std::optional<store::Key> last = {};     // where the next page goes on; none: there is none
  };

  explicit KnownFacts(Read read) : read_(read) {}

  // Of objects after `after` (null: from the first), as the cache has them now, at most `most`.
  // What cannot be decoded is left out.
  Page after(const store::Key* after, std::size_t most, const control::Cache& cache) {
    const auto items = cache.list_after(after, most);
    Page page;
    auto known = after ? known_.upper_bound(*after) : known_.begin();
    for (const store::Item* item : items) {
      while (known != known_.end() && known->first < item->key) known = known_.erase(known);
      if (known == known_.end() || item->key < known->first)
        known = known_.emplace_hint(known, item->key, Known{});
      if (is_known(known->second, *item)) page.entries.push_back(&*known);
      ++known;
    }
    if (items.size() == most)
      page.last = items.back()->key;
    else
      known_.erase(known, known_.end());
    return page;
  }

 private:
  bool is_known(Known& known, const store::Item& item) {
    if (known.version == item.version) return true;
    auto document = store::decode(item);
    if (document) known = {item.version, read_(json::Value(std::move(*document)))};
    return document.has_value();
  }

  Read read_;
  std::map<store::Key, Known> known_;
};

}  // namespace slipway::cli
