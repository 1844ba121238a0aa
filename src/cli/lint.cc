#include "cli/lint.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "api/lint/lint.h"
#include "api/lint/lint_placeholders.h"
#include "api/lint/list_items.h"
#include "base/file.h"
#include "cli/exit_code.h"
#include "cli/manifests.h"
#include "cli/output.h"

namespace slipway::cli {

namespace {

std::string_view word(api::Problem::Severity severity) {
  return severity == api::Problem::Severity::kError ? "error" : "warning";
}

struct Checked {
  std::string path;
  json::Array documents;
  std::vector<api::Problem> problems;
};

// A file that is no YAML has one problem, at the line where reading stopped. "line 2, column 1: …"
// says where itself; the line is told by its place already.
api::Problem unreadable(const Error& error) {
  api::Problem problem{.line = 1, .message = error.text()};
  int line = 0, length = 0;
  if (std::sscanf(problem.message.c_str(), "line %d, column %*d: %n", &line, &length) == 1 &&
      length > 0) {
    problem.line = std::max(1, line);
    problem.message.erase(0, static_cast<std::size_t>(length));
  }
  return problem;
}

Result<Checked> check_file(const std::string& path, const api::Registry& registry) {
  Checked checked{.path = path, .documents = {}, .problems = {}};
  auto text = path == "-" ? file::read_stdin() : file::read(path);
  if (!text) return std::unexpected(text.error());
  auto documents = api::read_for_lint(*text, checked.problems, {.max_bytes = file::kMaxFile});
  if (!documents) {
    checked.problems.push_back(unreadable(documents.error()));
    return checked;
  }
  for (const auto& document : *documents) {
    for (const auto& item : api::list_items(document))
      checked.documents.push_back(
          json::Object{{"apiVersion", json::string_at(item.value, {"apiVersion"})},
                       {"kind", json::string_at(item.value, {"kind"})},
                       {"name", json::string_at(item.value, {"metadata", "name"})}});
    for (auto& problem : api::lint(document, registry))
      checked.problems.push_back(std::move(problem));
  }
  return checked;
}

json::Value as_json(const std::vector<Checked>& files) {
  json::Array out;
  for (const auto& file : files) {
    json::Array problems;
    for (const auto& problem : file.problems)
      problems.push_back(json::Object{{"line", problem.line},
                                      {"field", problem.field},
                                      {"severity", word(problem.severity)},
                                      {"message", problem.message}});
    out.push_back(json::Object{
        {"path", file.path}, {"documents", file.documents}, {"problems", std::move(problems)}});
  }
  return json::Object{{"files", std::move(out)}};
}

}  // namespace

int lint(const LintOptions& options) {
  auto format = parse_format(options.output);
  if (!format) return complain(format.error()), kExitUsage;
  auto paths = find_files(options.paths);
  if (!paths) return complain(paths.error()), kExitCannotAsk;
  const auto registry = api::Registry::make();
  std::vector<Checked> files;
  bool failed = false;
  for (const auto& path : *paths) {
    auto checked = check_file(path, *registry);
    if (!checked) return complain(checked.error()), kExitCannotAsk;
    files.push_back(std::move(*checked));
    failed = failed || std::ranges::any_of(files.back().problems, [](const api::Problem& problem) {
               return problem.severity == api::Problem::Severity::kError;
             });
  }
  if (*format == Format::kJson || *format == Format::kYaml) {
    print_value(as_json(files), *format);
    return failed ? kExitFailed : kExitDone;
  }
  for (const auto& file : files)
    for (const auto& problem : file.problems)
      print_line(
          fmt::format("{}:{}: {}{}{}{}", file.path, problem.line, problem.field,
                      problem.field.empty() ? "" : ": ",
                      problem.severity == api::Problem::Severity::kWarning ? "warning: " : "",
                      problem.message));
  return failed ? kExitFailed : kExitDone;
}

}  // namespace slipway::cli
