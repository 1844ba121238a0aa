#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/lint/lint.h"
#include "api/rules/validate.h"

namespace slipway::api {

// Collects the problems of one document, stage by stage: first form, then meaning. A finding about
// a field that an earlier stage already complained about, or about what lies in or around such a
// field, follows from that and is dropped.
class LintReport {
 public:
  static constexpr std::size_t kMaxProblems = 1000;  // of a document; then one that says so

  // About the object at `root` of the document, whose fields are named from there: "items[1]", or
  // "" for the document itself.
  explicit LintReport(const yaml::Document& document, std::string root = {})
      : document_(document), root_(std::move(root)) {}

  void error(std::string field, std::string message);
  void warning(std::string field, std::string message);
  void add(const Findings& findings);
  // Later stages say nothing about this field.
  void settle(std::string field) { fields_.push_back(std::move(field)); }
  void next_stage() { settled_ = fields_.size(); }

  // By line, fields named from the beginning of the document.
  const std::vector<Problem>& problems() const { return problems_; }

 private:
  bool is_settled(std::string_view field) const;
  void put(std::string field, Problem::Severity severity, std::string message);

  const yaml::Document& document_;
  std::string root_;
  std::vector<Problem> problems_ = {};
  std::vector<std::string> fields_ = {};
  std::size_t settled_ = 0;  // fields_ of earlier stages
};

// Unknown fields (with the likely spelling), and texts that should be durations and are not.
void lint_fields(const json::Object& object, const Schema& schema, LintReport& report);
void lint_durations(const json::Object& object, const Schema& schema, LintReport& report);
// What Argo's controllers would refuse, and references that lead nowhere inside the document.
void lint_argo(const json::Object& object, LintReport& report);

}  // namespace slipway::api
