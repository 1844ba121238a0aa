#pragma once

#include <set>
#include <string>
#include <string_view>

#include "api/registry.h"

// Who may use which names: within a group every name belongs to one definition, and a definition is
// served once all that it asks for are its own (apiextensions' naming controller).
namespace slipway::api {

// Names in use in one group.
struct TakenNames {
  std::set<std::string, std::less<>> resources = {};  // plural, singular, short names
  std::set<std::string, std::less<>> kinds = {};      // of objects and of lists

  void add(const json::Object& accepted);  // status.acceptedNames of a definition
  void add(const Resource& resource);
};

// Decides about the names a definition asks for, beside those that others have: its acceptedNames
// and the conditions NamesAccepted and Established. `before`: the definition as it was, null when
// it is new; what it has been granted stays its own. True when the status is another one now.
bool settle_names(json::Object& crd, const json::Object* before, const TakenNames& taken,
                  std::string_view now);

// False when a condition says so: a definition nobody has decided about counts as established.
bool is_established(const json::Object& crd);
bool are_names_accepted(const json::Object& crd);

// What it is served under: the names that were accepted, else those it asks for.
const json::Object* served_names(const json::Object& crd);

}  // namespace slipway::api
