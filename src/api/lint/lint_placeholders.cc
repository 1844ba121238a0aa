#include "api/lint/lint_placeholders.h"

namespace slipway::api {

namespace {

constexpr std::string_view kAdvice = "put quotes around {{…}}: YAML takes it for a mapping";

// Where a bare placeholder stands in a line: after "key: " or "- ", up to the end or a comment.
struct Bare {
  std::size_t begin = std::string_view::npos, end = 0;
};

Bare find_bare(std::string_view line) {
  for (std::size_t at = line.find("{{"); at != std::string_view::npos;
       at = line.find("{{", at + 2)) {
    const std::string_view before = line.substr(0, at);
    if (before.find_first_of("'\"#|>") != std::string_view::npos) return {};
    const bool is_value = before.ends_with(": ") || before.ends_with("- ");
    if (!is_value) continue;
    std::size_t end = std::min(line.find(" #", at), line.size());
    while (end > at && (line[end - 1] == ' ' || line[end - 1] == '\r')) --end;
    const std::string_view value = line.substr(at, end - at);
    const bool plain = value.find_first_of("'\"\\") == std::string_view::npos;
    if (plain && value.find("}}") != std::string_view::npos) return {at, end};
  }
  return {};
}

}  // namespace

std::string quote_placeholders(std::string_view text, std::vector<Problem>& problems) {
  std::string out;
  int number = 0;
  while (!text.empty()) {
    ++number;
    const std::size_t length = std::min(text.find('\n'), text.size() - 1) + 1;
    const std::string_view line = text.substr(0, length);
    text.remove_prefix(length);
    const bool ended = line.ends_with('\n');
    const Bare bare = find_bare(ended ? line.substr(0, line.size() - 1) : line);
    if (bare.begin == std::string_view::npos) {
      out += line;
      continue;
    }
    out.append(line.substr(0, bare.begin)).append("\"");
    out.append(line.substr(bare.begin, bare.end - bare.begin)).append("\"");
    out.append(line.substr(bare.end));
    problems.push_back(
        {.line = number, .severity = Problem::Severity::kWarning, .message = std::string(kAdvice)});
  }
  return out;
}

Result<std::vector<yaml::Document>> read_for_lint(std::string_view text,
                                                  std::vector<Problem>& problems,
                                                  const json::ReadOptions& options) {
  Result<std::vector<yaml::Document>> documents = yaml::read(text, options);
  if (documents) return documents;
  std::vector<Problem> quoted;
  const std::string again = quote_placeholders(text, quoted);
  if (quoted.empty()) return documents;
  Result<std::vector<yaml::Document>> second = yaml::read(again, options);
  if (!second) return documents;
  for (Problem& problem : quoted) problems.push_back(std::move(problem));
  return second;
}

}  // namespace slipway::api
