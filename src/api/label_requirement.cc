#include "api/label_requirement.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

#include "api/rules/validate.h"
#include "api/wire/go_format.h"

namespace slipway::api {

namespace {

std::string invalid(std::string_view path, std::string_view value, std::string_view detail) {
  return fmt::format("{}: Invalid value: {}: {}", path, go_quoted(value), detail);
}

// Go prints a list of strings as JSON here.
std::string list_of(const std::vector<std::string>& values) {
  json::Array list;
  for (const std::string& value : values) list.emplace_back(value);
  return json::write(list);
}

// Selectors list several problems of one name with semicolons, metadata one by one with commas.
// Only the last of them, which begins with `last`, has one before it.
std::string listed(std::string problems, std::string_view last) {
  for (std::size_t at = 0; (at = problems.find(fmt::format(", {}", last), at)) != std::string::npos;
       ++at)
    problems[at] = ';';
  return problems;
}

std::string count_problem(const Requirement& requirement) {
  auto problem = [&](std::string_view detail) {
    return fmt::format("values: Invalid value: {}: {}", list_of(requirement.values), detail);
  };
  switch (requirement.op) {
    case Requirement::Op::kIn:
    case Requirement::Op::kNotIn:
      if (requirement.values.empty())
        return problem("for 'in', 'notin' operators, values set can't be empty");
      return {};
    case Requirement::Op::kEquals:
    case Requirement::Op::kNotEquals:
      if (requirement.values.size() != 1)
        return problem("exact-match compatibility requires one single value");
      return {};
    case Requirement::Op::kExists:
    case Requirement::Op::kNotExists:
      if (!requirement.values.empty())
        return problem("values set must be empty for exists and does not exist");
      return {};
    case Requirement::Op::kGreater:
    case Requirement::Op::kLess:
      if (requirement.values.size() != 1)
        return problem("for 'Gt', 'Lt' operators, exactly one value is required");
      return {};
  }
  return {};
}

bool is_integer(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  std::int64_t number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return !text.empty() && error == std::errc{} && end == text.data() + text.size();
}

}  // namespace

std::string label_key_problem(std::string_view key) {
  return listed(qualified_name_problem(key), "name part ");
}

void sort_by_key(LabelSelector& selector) {
  std::multimap<std::string, Requirement> sorted;
  for (Requirement& requirement : selector.requirements) {
    std::string key = requirement.key;
    sorted.emplace(std::move(key), std::move(requirement));
  }
  selector.requirements.clear();
  for (auto& [key, requirement] : sorted) selector.requirements.push_back(std::move(requirement));
}

Result<> check_requirement(const Requirement& requirement) {
  std::vector<std::string> problems;
  auto note = [&](std::string problem) {
    if (!problem.empty() && std::ranges::find(problems, problem) == problems.end())
      problems.push_back(std::move(problem));
  };
  if (std::string problem = label_key_problem(requirement.key); !problem.empty())
    note(invalid("key", requirement.key, problem));
  note(count_problem(requirement));
  bool compares =
      requirement.op == Requirement::Op::kGreater || requirement.op == Requirement::Op::kLess;
  for (std::size_t i = 0; compares && i < requirement.values.size(); ++i)
    if (!is_integer(requirement.values[i]))
      note(invalid(fmt::format("values[{}]", i), requirement.values[i],
                   "for 'Gt', 'Lt' operators, the value must be an integer"));
  for (std::size_t i = 0; i < requirement.values.size(); ++i)
    if (std::string problem = listed(label_value_problem(requirement.values[i]), "a valid label ");
        !problem.empty())
      note(invalid(fmt::format("values[{}][{}]", i, requirement.key), requirement.values[i],
                   problem));
  if (problems.empty()) return {};
  if (problems.size() == 1) return fail(ErrorCode::kBadRequest, std::move(problems.front()));
  return fail(ErrorCode::kBadRequest, fmt::format("[{}]", fmt::join(problems, ", ")));
}

}  // namespace slipway::api
