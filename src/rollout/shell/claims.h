#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "control/manager.h"

namespace slipway::rollout {

// Whose each Service is. It points at the Pods of one Rollout: of the one it says it is managed by,
// as long as that one refers to it, else of the eldest that does and could be carried out.
//
// Rests on what caches have shown, before anything was decided on it: of two Rollouts that name one
// Service, the younger makes nothing, whoever is looked at first.
class Claims {
 public:
  struct Wish {
    std::set<std::string> services = {};
    bool is_able = true;  // nothing else is wrong with the Rollout
    Time created = {};
    auto operator<=>(const Wish&) const = default;
  };
  // What a Rollout refers to from now on; no Services when it has gone. Gives the others that refer
  // to one of the Services for which this changes something.
  std::set<store::Key> want(const store::Key& rollout, Wish wish);
  // Whom a Service says it is managed by; empty: nobody.
  void manage(const store::Key& service, const std::string& rollout);

  // Empty when no Rollout refers to it.
  std::string holder(const store::Key& service) const;
  // Services that say they are managed by this Rollout, which does not refer to them.
  std::vector<std::string> abandoned(const store::Key& rollout) const;

 private:
  struct Kept {
    Wish wish = {};
    std::uint64_t turn = 0;  // among those of one second
  };
  std::uint64_t turns_ = 0;
  std::map<store::Key, Kept> wishes_;                     // by Rollout
  std::map<store::Key, std::set<store::Key>> wanted_by_;  // by Service
  std::map<store::Key, std::string> managers_;            // by Service
  std::map<store::Key, std::set<std::string>> managed_;   // by Rollout
};

// Keeps `claims` in line with what the caches show, and brings up whom a change concerns. `claims`
// must outlive the manager.
void follow_claims(control::Manager& manager, Claims& claims, control::BringUp bring_up);

}  // namespace slipway::rollout
