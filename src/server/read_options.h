#pragma once

#include <optional>
#include <string>

#include "server/call.h"

namespace slipway::server {

// Lists beyond this are cut and carry a continue token, as if the client had asked for a page.
inline constexpr std::size_t kMaxListItems = 100'000;
// Tables and metadata lists are built in memory, not passed on from the store.
inline constexpr std::size_t kMaxBuiltItems = 10'000;

// Terms of the selectors of a request, together: each is looked at for every object of the kind.
inline constexpr std::size_t kMaxSelectorTerms = 256;
// Errors: kBadRequest when there are more.
Result<> check_selector_terms(std::size_t count);

// ListOptions of the query: what list, watch and deletecollection ask for.
struct ReadOptions {
  std::string ns;
  api::LabelSelector labels;
  api::FieldSelector fields;
  std::size_t limit = 0;
  std::string continue_token;
  std::optional<store::Version> version;  // absent and "0" differ for lists with a match
  std::string version_match;              // Exact, NotOlderThan or empty
  std::optional<Duration> timeout;
  bool bookmarks = false;
  std::optional<bool> send_initial_events;
};
// Errors: kBadRequest for what cannot be read, kInvalid (ListOptions.meta.k8s.io) for what
// contradicts itself.
Result<ReadOptions> read_options(const Call& call);

// ?resourceVersion= of a get. Errors: kBadRequest, kInvalid.
Result<std::optional<store::Version>> version_parameter(const Call& call);

// 504 as the API server answers when a version is asked for that does not exist yet.
Error too_new(store::Version asked, store::Version current);

}  // namespace slipway::server
