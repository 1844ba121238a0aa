#pragma once

#include "base/random.h"
#include "sim/history.h"
#include "store/store.h"

namespace slipway::sim {

inline const api::Gvr kNamespaces{"", "v1", "namespaces"};
inline const api::Gvr kConfigMaps{"", "v1", "configmaps"};
inline const api::Gvr kSecrets{"", "v1", "secrets"};

// Makes trees of owned objects, deletes them in every way there is, and remembers what it asked
// for. Uses the store without faults: what a person did is certain.
class User {
 public:
  User(Loop& loop, store::Store& store, Random& random)
      : loop_(loop), store_(store), random_(random) {}

  Task<> act(int operations);
  // Lets go of the finalizers it put on objects.
  Task<> release();
  const Intent& intent() const { return intent_; }

 private:
  struct Made {
    api::Gvr kind;
    store::Key key;
    std::string uid;
  };
  Task<> make_namespace();
  Task<> make_object();
  // A chain of objects, each owned by the one before: what is collected level by level.
  Task<> make_chain();
  Task<> create(std::string ns, std::string name, std::vector<api::OwnerReference> owners);
  Task<> delete_object();
  // Gives an object one more dependent and deletes it, before any news of that can have spread.
  Task<> delete_hastily();
  Task<> remove(Made made);
  Task<> delete_namespace();
  Task<std::optional<json::Object>> read(Made made);
  api::OwnerReference reference_to(const Made& owner);
  std::vector<api::OwnerReference> some_owners(const std::string& ns,
                                               const std::vector<Made>& living);
  Task<std::vector<Made>> living(std::string ns);

  Loop& loop_;
  store::Store& store_;
  Random& random_;
  std::vector<std::string> namespaces_;
  std::vector<Made> objects_;
  Intent intent_;
  int made_ = 0;
};

}  // namespace slipway::sim
