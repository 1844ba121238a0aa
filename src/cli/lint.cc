#include "cli/lint.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "api/lint/lint.h"
#include "api/lint/lint_placeholders.h"
#include "api/lint/list_items.h"
#include "base/file.h"
#include "cli/batch.h"
#include "cli/exit_code.h"
#include "cli/lint_document.h"
#include "cli/manifests.h"
#include "cli/output.h"

namespace slipway::cli {

namespace {

std::string_view word(api::Problem::Severity severity) {
  return severity == api::Problem::Severity::kError ? "error" : "warning";
}

struct Checked {
  std::string path;
  std::vector<yaml::Document> documents = {};
  std::vector<api::Problem> problems = {};
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

Result<Checked> read_file(const std::string& path) {
  Checked checked{.path = path};
  auto text = path == "-" ? file::read_stdin() : file::read(path);
  if (!text) return std::unexpected(text.error());
  auto documents = api::read_for_lint(*text, checked.problems, {.max_bytes = file::kMaxFile});
  if (documents)
    checked.documents = std::move(*documents);
  else
    checked.problems.push_back(unreadable(documents.error()));
  return checked;
}

void check(std::vector<Checked>& files) {
  const auto registry = api::Registry::make();
  std::vector<const yaml::Document*> all;
  for (const auto& file : files)
    for (const auto& document : file.documents) all.push_back(&document);
  for (auto& file : files)
    for (std::size_t i = 0; i < file.documents.size(); ++i)
      for (auto& problem : lint_document(file.documents[i], i, all, *registry))
        file.problems.push_back(std::move(problem));
}

json::Array objects_in(const Checked& file) {
  json::Array objects;
  for (const auto& document : file.documents)
    for (const auto& item : api::list_items(document))
      objects.push_back(json::Object{{"apiVersion", json::string_at(item.value, {"apiVersion"})},
                                     {"kind", json::string_at(item.value, {"kind"})},
                                     {"name", json::string_at(item.value, {"metadata", "name"})}});
  return objects;
}

bool has_errors(const std::vector<Checked>& files) {
  return std::ranges::any_of(files, [](const Checked& file) {
    return std::ranges::any_of(file.problems, [](const api::Problem& problem) {
      return problem.severity == api::Problem::Severity::kError;
    });
  });
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
        {"path", file.path}, {"documents", objects_in(file)}, {"problems", std::move(problems)}});
  }
  return json::Object{{"files", std::move(out)}};
}

}  // namespace

int lint(const LintOptions& options) {
  auto format = parse_format(options.output);
  if (!format) return complain(format.error()), kExitUsage;
  auto paths = find_files(options.paths);
  if (!paths) return refuse(paths.error(), *format);
  std::vector<Checked> files;
  for (const auto& path : *paths) {
    auto checked = read_file(path);
    if (!checked) return refuse(checked.error(), *format);
    files.push_back(std::move(*checked));
  }
  check(files);
  const bool failed = has_errors(files);
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
