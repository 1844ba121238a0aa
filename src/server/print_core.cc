#include <fmt/format.h>

#include "base/text.h"
#include "server/printers.h"

namespace slipway::server {
namespace {

using Print = void (*)(const json::Value&, Time, json::Array&);

std::string_view name_of(const json::Value& object) {
  return json::string_at(object, {"metadata", "name"});
}

std::int64_t count_at(const json::Value& value, std::string_view field) {
  return static_cast<std::int64_t>(size_at(value, {field}));
}

void print_namespace(const json::Value& object, Time now, json::Array& cells) {
  cells.emplace_back(name_of(object));
  cells.emplace_back(json::string_at(object, {"status", "phase"}));
  cells.emplace_back(age_cell(object, now));
}

void print_config_map(const json::Value& object, Time now, json::Array& cells) {
  cells.emplace_back(name_of(object));
  cells.emplace_back(count_at(object, "data") + count_at(object, "binaryData"));
  cells.emplace_back(age_cell(object, now));
}

void print_secret(const json::Value& object, Time now, json::Array& cells) {
  cells.emplace_back(name_of(object));
  cells.emplace_back(json::string_at(object, {"type"}));
  cells.emplace_back(count_at(object, "data"));
  cells.emplace_back(age_cell(object, now));
}

void print_service_account(const json::Value& object, Time now, json::Array& cells) {
  cells.emplace_back(name_of(object));
  cells.emplace_back(count_at(object, "secrets"));
  cells.emplace_back(age_cell(object, now));
}

void print_lease(const json::Value& object, Time now, json::Array& cells) {
  cells.emplace_back(name_of(object));
  cells.emplace_back(json::string_at(object, {"spec", "holderIdentity"}));
  cells.emplace_back(age_cell(object, now));
}

void print_crd(const json::Value& object, Time, json::Array& cells) {
  cells.emplace_back(name_of(object));
  cells.emplace_back(json::string_at(object, {"metadata", "creationTimestamp"}));
}

std::string involved_object(const json::Value& event) {
  const std::string kind = text::lower(json::string_at(event, {"involvedObject", "kind"}));
  auto name = json::string_at(event, {"involvedObject", "name"});
  return name.empty() ? kind : fmt::format("{}/{}", kind, name);
}

std::string event_source(const json::Value& event) {
  auto component = json::string_at(event, {"source", "component"});
  auto host = json::string_at(event, {"source", "host"});
  if (component.empty()) component = json::string_at(event, {"reportingComponent"});
  if (host.empty()) host = json::string_at(event, {"reportingInstance"});
  return host.empty() ? std::string(component) : fmt::format("{}, {}", component, host);
}

bool has_time(const json::Value& event, std::string_view field) {
  return !json::string_at(event, {field}).empty();
}

void print_event(const json::Value& object, Time now, json::Array& cells) {
  auto first = age_since(
      json::at(object, {has_time(object, "firstTimestamp") ? "firstTimestamp" : "eventTime"}), now);
  auto last = has_time(object, "lastTimestamp")
                  ? age_since(json::at(object, {"lastTimestamp"}), now)
                  : first;
  auto count = integer_at(object, {"count"});
  const json::Value* series = json::at(object, {"series"});
  if (series && series->is_object()) {
    last = age_since(json::at(*series, {"lastObservedTime"}), now);
    count = integer_at(*series, {"count"});
  } else if (count == 0) {
    count = 1;
  }
  cells.emplace_back(last);
  cells.emplace_back(json::string_at(object, {"type"}));
  cells.emplace_back(json::string_at(object, {"reason"}));
  cells.emplace_back(involved_object(object));
  cells.emplace_back(json::string_at(object, {"involvedObject", "fieldPath"}));
  cells.emplace_back(event_source(object));
  cells.emplace_back(text::trim(json::string_at(object, {"message"})));
  cells.emplace_back(first);
  cells.emplace_back(count);
  cells.emplace_back(name_of(object));
}

Printer event_printer() {
  auto name = name_column();
  name.priority = 1;
  return {
      .columns = {{.name = "Last Seen", .description = "When it was last seen."},
                  {.name = "Type", .description = "Normal or Warning."},
                  {.name = "Reason", .description = "Why, in one word."},
                  {.name = "Object", .description = "What it is about."},
                  {.name = "Subobject", .description = "Which part of it.", .priority = 1},
                  {.name = "Source", .description = "Who reports it.", .priority = 1},
                  {.name = "Message", .description = "What happened."},
                  {.name = "First Seen", .description = "When it was first seen.", .priority = 1},
                  {.name = "Count", .description = "How often it was seen.", .priority = 1},
                  name},
      .print = print_event};
}

struct Simple {
  std::string_view group;
  std::string_view kind;
  std::vector<Column> between;  // name and age
  Print print;
};

const std::vector<Simple>& simple_kinds() {
  static const std::vector<Simple> kKinds = {
      {"", "Namespace", {{.name = "Status", .description = "The phase."}}, print_namespace},
      {"",
       "ConfigMap",
       {{.name = "Data", .description = "How many keys it holds."}},
       print_config_map},
      {"",
       "Secret",
       {{.name = "Type", .description = "What the secret is for."},
        {.name = "Data", .description = "How many keys it holds."}},
       print_secret},
      {"",
       "ServiceAccount",
       {{.name = "Secrets", .description = "How many secrets it names."}},
       print_service_account},
      {"coordination.k8s.io",
       "Lease",
       {{.name = "Holder", .description = "Who holds the lease."}},
       print_lease},
  };
  return kKinds;
}

}  // namespace

std::optional<Printer> core_printer(const api::Gvk& gvk) {
  if (gvk.group.empty() && gvk.kind == "Event") return event_printer();
  if (gvk.group == "apiextensions.k8s.io" && gvk.kind == "CustomResourceDefinition")
    return Printer{.columns = {name_column(),
                               {.name = "Created At",
                                .type = "date",
                                .description = "When the object was created."}},
                   .print = print_crd};
  for (const auto& simple : simple_kinds()) {
    if (simple.group != gvk.group || simple.kind != gvk.kind) continue;
    Printer printer{.columns = {name_column()}, .print = simple.print};
    printer.columns.insert(printer.columns.end(), simple.between.begin(), simple.between.end());
    printer.columns.push_back(age_column());
    return printer;
  }
  return std::nullopt;
}

}  // namespace slipway::server
