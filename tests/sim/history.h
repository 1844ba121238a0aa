#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "async/gate.h"
#include "control/garbage.h"
#include "store/store.h"

namespace slipway::sim {

// One change of the world, as the store below all faults saw it.
struct Change {
  store::Version version = 0;
  store::EventType type = store::EventType::kAdded;
  api::Gvr kind;
  store::Key key;
  std::string uid;
  std::string controller;  // the uid of it; empty: none
  json::Object object;
  Time time = {};  // when it was seen, which takes none
};

// What the user asked for: the only reasons why something may go.
struct Intent {
  std::map<std::string, store::Propagation> deleted;  // by uid
  std::map<std::string, std::set<std::string>>
      orphaned;                      // deleted with orphan: uid -> its dependents then
  std::set<std::string> namespaces;  // deleted
};

// Everything that happened, in the order of versions.
class History {
 public:
  History(Loop& loop, store::Store& store, std::vector<api::Gvr> kinds);
  void start();
  Task<> stop();

  std::vector<Change> take_changes();  // by version; once, at the end

 private:
  Task<> follow(api::Gvr kind);

  Loop& loop_;
  store::Store& store_;
  std::vector<api::Gvr> kinds_;
  std::vector<Change> changes_;
  Gate gate_;
};

// The world just before `version`: live objects by uid.
std::map<std::string, json::Object> world_before(const std::vector<Change>& changes,
                                                 store::Version version);

// Each checker looks at the finished history and says what is wrong with it, or nothing.
using Finding = std::optional<std::string>;
Finding owned_by_nobody_lives_on(const std::vector<Change>& changes, const Intent& intent);
Finding stuck_in_deletion(const std::vector<Change>& changes, const Intent& intent);
Finding innocent_died(const std::vector<Change>& changes, const Intent& intent);
Finding orphan_died(const std::vector<Change>& changes, const Intent& intent);
Finding owner_went_first(const std::vector<Change>& changes, const Intent& intent);
Finding namespace_left_things(const std::vector<Change>& changes, const Intent& intent);

struct Checker {
  std::string_view name;
  Finding (*check)(const std::vector<Change>&, const Intent&);
};
const std::vector<Checker>& checkers();

}  // namespace slipway::sim
