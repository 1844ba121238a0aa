#pragma once

#include <string>
#include <string_view>

#include "base/time.h"
#include "server/table.h"

// The cells of Kubernetes' own kinds, computed as kube-apiserver's printers compute them. One file
// a family of kinds.
namespace slipway::server {

// Each gives nothing when the kind is none of its own.
std::optional<Printer> pod_printer(const api::Gvk& gvk);
std::optional<Printer> workload_printer(const api::Gvk& gvk);
std::optional<Printer> network_printer(const api::Gvk& gvk);
std::optional<Printer> core_printer(const api::Gvk& gvk);
// By JSONPath, as CRDs declare them.
Printer custom_printer(const api::Resource& resource);

// "5m" since the RFC 3339 time in `value`; "<unknown>" when there is none.
std::string age_since(const json::Value* value, Time now);
std::string age_cell(const json::Value& object, Time now);  // since creationTimestamp

// The array at a path, or an empty one.
const json::Array& array_at(const json::Value& value, std::initializer_list<std::string_view> path);
// The integer at a path, or 0.
std::int64_t integer_at(const json::Value& value, std::initializer_list<std::string_view> path);
std::size_t size_at(const json::Value& value, std::initializer_list<std::string_view> path);

// "a,b" of the members' `field`.
std::string joined_field(const json::Array& members, std::string_view field);
// "a=1,b=2", sorted; <none> without any.
std::string label_text(const json::Value* labels);
// Whether conditions hold one of this type with status True.
bool condition_is_true(const json::Value& object, std::string_view type);

Column name_column();
Column age_column();

}  // namespace slipway::server
