#pragma once

#include "server/call.h"
#include "store/store.h"

namespace slipway::server {

// CreateOptions, UpdateOptions and PatchOptions of the query. `options_kind` names them in errors;
// `apply` makes the field manager compulsory. Errors: kInvalid with causes.
Result<store::WriteOptions> write_options(const Call& call, std::string_view options_kind,
                                          bool apply = false);

// DeleteOptions of the body, or of the query when there is no body.
struct DeleteRequest {
  store::DeleteOptions options;
  // orphanDependents=false, the old word for a foreground deletion, is answered with 202 while it
  // lasts.
  bool asked_to_wait = false;
};
Result<DeleteRequest> delete_options(const api::Registry& registry, const Call& call);
// Their parts, which an Eviction has as well. kBadRequest for wrong types, kConflict for what no
// object fulfils.
Result<> read_preconditions(const json::Object& object, store::DeleteOptions& options);
Result<> read_grace(const json::Object& object, store::DeleteOptions& options);

// The field manager of a client that names none: its User-Agent up to the first slash.
std::string manager_of_agent(std::string_view user_agent);

}  // namespace slipway::server
