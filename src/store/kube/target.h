#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "store/store.h"

// Where things are on an API server.
namespace slipway::store::kube {

using Query = std::vector<std::pair<std::string, std::string>>;

// "/apis/apps/v1/namespaces/web/deployments"; without a namespace all of them.
std::string collection_path(const api::Resource& resource, std::string_view ns);
std::string object_path(const api::Resource& resource, const Key& key,
                        std::string_view subresource = {});
// kBadRequest when a segment of the path is empty, "." or "..": such a name leads to the
// collection, or to the namespace, above the object it was to name.
Result<> check_names(std::string_view target);
std::string with_query(std::string path, const Query& query);

// As the API server reads it: \ , and = in values are escaped.
std::string field_selector_text(const api::FieldSelector& selector);

Query selection_query(const api::LabelSelector& labels, const api::FieldSelector& fields);
Query list_query(const ListOptions& options);
Query watch_query(const WatchOptions& options, Version from, int timeout_seconds);
Query write_query(const WriteOptions& options);
std::string_view content_type_of(PatchType type);
std::string delete_options_body(const DeleteOptions& options);

}  // namespace slipway::store::kube
