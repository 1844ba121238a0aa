#include <fmt/format.h>

#include "api/selector.h"
#include "server/printers.h"

namespace slipway::server {
namespace {

std::string selector_text(const json::Value& object) {
  const json::Value* selector = json::at(object, {"spec", "selector"});
  if (!selector || selector->is_null()) return "<none>";
  auto parsed = api::read_label_selector(*selector);
  if (!parsed) return "<invalid>";
  auto text = api::to_string(*parsed);
  return text.empty() ? "<none>" : text;
}

void add_template_cells(const json::Value& object, json::Array& cells) {
  const auto& containers = array_at(object, {"spec", "template", "spec", "containers"});
  cells.emplace_back(joined_field(containers, "name"));
  cells.emplace_back(joined_field(containers, "image"));
  cells.emplace_back(selector_text(object));
}

void add_template_columns(std::vector<Column>& columns) {
  columns.push_back({.name = "Containers",
                     .description = "Names of each container in the template.",
                     .priority = 1});
  columns.push_back({.name = "Images",
                     .description = "Images of each container in the template.",
                     .priority = 1});
  columns.push_back({.name = "Selector",
                     .description = "The labels of the pods that belong to it.",
                     .priority = 1});
}

void print_deployment(const json::Value& object, Time now, json::Array& cells) {
  cells.emplace_back(json::string_at(object, {"metadata", "name"}));
  cells.emplace_back(fmt::format("{}/{}", integer_at(object, {"status", "readyReplicas"}),
                                 integer_at(object, {"spec", "replicas"})));
  cells.emplace_back(integer_at(object, {"status", "updatedReplicas"}));
  cells.emplace_back(integer_at(object, {"status", "availableReplicas"}));
  cells.emplace_back(age_cell(object, now));
  add_template_cells(object, cells);
}

Printer deployment_printer() {
  Printer printer{
      .columns = {name_column(),
                  {.name = "Ready", .description = "How many pods are ready."},
                  {.name = "Up-to-date", .description = "How many pods have the current template."},
                  {.name = "Available",
                   .description = "How many pods have been ready for long enough."},
                  age_column()},
      .print = print_deployment};
  add_template_columns(printer.columns);
  return printer;
}

void print_replica_set(const json::Value& object, Time now, json::Array& cells) {
  cells.emplace_back(json::string_at(object, {"metadata", "name"}));
  cells.emplace_back(integer_at(object, {"spec", "replicas"}));
  cells.emplace_back(integer_at(object, {"status", "replicas"}));
  cells.emplace_back(integer_at(object, {"status", "readyReplicas"}));
  cells.emplace_back(age_cell(object, now));
  add_template_cells(object, cells);
}

Printer replica_set_printer() {
  Printer printer{
      .columns = {name_column(),
                  {.name = "Desired",
                   .type = "integer",
                   .description = "How many pods are wanted."},
                  {.name = "Current", .type = "integer", .description = "How many pods there are."},
                  {.name = "Ready", .type = "integer", .description = "How many pods are ready."},
                  age_column()},
      .print = print_replica_set};
  add_template_columns(printer.columns);
  return printer;
}

std::string_view job_status(const json::Value& job) {
  if (condition_is_true(job, "Complete")) return "Complete";
  if (condition_is_true(job, "Failed")) return "Failed";
  if (json::at(job, {"metadata", "deletionTimestamp"})) return "Terminating";
  for (std::string_view type : {"Suspended", "FailureTarget", "SuccessCriteriaMet"})
    if (condition_is_true(job, type)) return type;
  return "Running";
}

std::string completions(const json::Value& job) {
  auto succeeded = integer_at(job, {"status", "succeeded"});
  if (json::at(job, {"spec", "completions"}))
    return fmt::format("{}/{}", succeeded, integer_at(job, {"spec", "completions"}));
  auto parallelism = integer_at(job, {"spec", "parallelism"});
  if (parallelism > 1) return fmt::format("{}/1 of {}", succeeded, parallelism);
  return fmt::format("{}/1", succeeded);
}

std::string job_duration(const json::Value& job, Time now) {
  auto start = parse_time(json::string_at(job, {"status", "startTime"}));
  if (!start) return "";
  auto end = parse_time(json::string_at(job, {"status", "completionTime"}));
  return format_age((end ? *end : now) - *start);
}

void print_job(const json::Value& object, Time now, json::Array& cells) {
  cells.emplace_back(json::string_at(object, {"metadata", "name"}));
  cells.emplace_back(job_status(object));
  cells.emplace_back(completions(object));
  cells.emplace_back(job_duration(object, now));
  cells.emplace_back(age_cell(object, now));
  add_template_cells(object, cells);
}

Printer job_printer() {
  Printer printer{
      .columns = {name_column(),
                  {.name = "Status", .description = "How the job stands."},
                  {.name = "Completions", .description = "How many pods have succeeded."},
                  {.name = "Duration",
                   .description = "How long the job took, or has been running."},
                  age_column()},
      .print = print_job};
  add_template_columns(printer.columns);
  return printer;
}

void print_pod_template(const json::Value& object, Time, json::Array& cells) {
  const auto& containers = array_at(object, {"template", "spec", "containers"});
  cells.emplace_back(json::string_at(object, {"metadata", "name"}));
  cells.emplace_back(joined_field(containers, "name"));
  cells.emplace_back(joined_field(containers, "image"));
  cells.emplace_back(label_text(json::at(object, {"template", "metadata", "labels"})));
}

Printer pod_template_printer() {
  return {
      .columns = {name_column(),
                  {.name = "Containers", .description = "Names of each container in the template."},
                  {.name = "Images", .description = "Images of each container in the template."},
                  {.name = "Pod Labels", .description = "The labels that its pods have."}},
      .print = print_pod_template};
}

}  // namespace

std::optional<Printer> workload_printer(const api::Gvk& gvk) {
  if (gvk.group.empty() && gvk.kind == "PodTemplate") return pod_template_printer();
  if (gvk.group == "apps" && gvk.kind == "Deployment") return deployment_printer();
  if (gvk.group == "apps" && gvk.kind == "ReplicaSet") return replica_set_printer();
  if (gvk.group == "batch" && gvk.kind == "Job") return job_printer();
  return std::nullopt;
}

}  // namespace slipway::server
