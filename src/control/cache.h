#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "async/gate.h"
#include "store/store.h"

namespace slipway::control {

// The objects of one kind as a watch shows them, with indexes by owner and label. Holds the store's
// own bytes, not copies.
//
// Behind the store by as much as the watch is: a decision that must not rest on old data reads the
// store. When the watch has expired it lists again and tells the handlers the difference.
class Cache {
 public:
  // An object and what is asked of its metadata all the time.
  struct Entry : store::Item {
    std::string uid;
    api::Labels labels;
    std::vector<std::string> owners;  // their uids
    std::string controller;  // "argoproj.io/Rollout/name": the one of them that controls it
  };
  // How `controller` begins when it is of this kind; its name follows.
  static std::string controller_prefix(const api::Gvk& kind);

  // `before` or `after` is null when the object was made or has gone; when both are there they are
  // states of one object (one uid). Both are valid during the call only.
  using Handler = std::function<void(const Entry* before, const Entry* after)>;

  Cache(Loop& loop, store::Store& store, api::Gvr kind);

  // A handler sees every object: those already here at once, the others as they come.
  void on_change(Handler handler);
  void start();
  Task<> stop();
  // True once everything that was there at the start has been seen.
  bool synced() const { return synced_; }
  Task<> wait_synced(std::stop_token stop);

  // Everything up to this version has been seen.
  store::Version reached() const { return reached_; }
  // Waits until everything up to `version` has been seen; false when that took longer than
  // `patience`, or `stop` came first. On an embedded store a quiet kind gets there at once; on a
  // cluster with the next bookmark.
  Task<bool> reach(store::Version version, Duration patience, std::stop_token stop);

  const store::Item* get(const store::Key& key) const;
  std::vector<const store::Item*> list(std::string_view ns = {}) const;
  // In the order of keys, those after `after` (null: from the first), at most so many: for who
  // walks through all of them with turns of the loop in between.
  std::vector<const store::Item*> list_after(const store::Key* after, std::size_t most) const;
  std::vector<const store::Item*> list(std::string_view ns,
                                       const api::LabelSelector& selector) const;
  // Objects whose ownerReferences name this uid, controller or not.
  std::vector<const store::Item*> owned_by(std::string_view uid) const;

  const api::Gvr& kind() const { return kind_; }
  std::size_t size() const { return entries_.size(); }

 private:
  // Entries by key. Where they are indexed is told by views into them, not by copies: there may be
  // tens of thousands.
  struct ByKey {
    using is_transparent = void;
    static const store::Key& of(const store::Key& key) { return key; }
    static const store::Key& of(const std::unique_ptr<Entry>& entry) { return entry->key; }
    bool operator()(const auto& a, const auto& b) const { return of(a) < of(b); }
  };
  struct Mark {
    std::string_view name;         // a label's key; empty: an owner
    std::string_view value;        // a label's value, an owner's uid
    const Entry* entry = nullptr;  // null: before all that have it
    bool operator<(const Mark& other) const;
  };
  Task<> follow();
  Task<Result<store::Version>> relist();
  // Until it breaks. True in `worked` once it brought something or lasted.
  Task<Error> follow_from(store::Version version, bool& worked);
  Task<Result<std::vector<store::Event>>> next(store::Watch& watch);
  void reached(store::Version version);
  void put(store::Item item);
  void drop(const store::Key& key);
  void index(const Entry& entry, bool in);
  std::vector<const Entry*> marked(std::string_view name, std::string_view value) const;
  void tell(const Entry* before, const Entry* after);

  Loop& loop_;
  store::Store& store_;
  api::Gvr kind_;
  std::vector<Handler> handlers_;
  std::set<std::unique_ptr<Entry>, ByKey> entries_;
  std::set<Mark> marks_;  // selectors with an equality look here first
  bool synced_ = false;
  store::Version reached_ = 0;
  Signal progress_;           // of synced_ and reached_
  bool hurry_ = false;        // somebody waits to hear how far we are
  std::stop_source waiting_;  // for the watch's next events
  Gate gate_;
};

}  // namespace slipway::control
