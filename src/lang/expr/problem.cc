#include "lang/expr/problem.h"

#include <fmt/format.h>

#include <algorithm>

#include "lang/template/runes.h"

namespace slipway::lang::expr {

std::string Problem::text() const {
  if (snippet.empty()) return message;
  return fmt::format("{} ({}:{}){}", message, line, column, snippet);
}

Problem problem_at(std::string_view source, int from, std::string message) {
  Problem problem{.message = std::move(message), .line = 1, .column = 0};
  std::size_t at = 0;
  std::size_t line_start = 0;
  for (int seen = 0; at < source.size() && seen != from; ++seen) {
    const bool line_end = source[at] == '\n';
    at += go::decode_rune(source.substr(at)).width;
    if (line_end) line_start = at;
    problem.line += line_end ? 1 : 0;
    problem.column = line_end ? 0 : problem.column + 1;
  }
  std::string line(source.substr(line_start, source.find('\n', line_start) - line_start));
  std::ranges::replace(line, '\t', ' ');
  if (!line.empty())
    problem.snippet = fmt::format("\n | {}\n | {}^", line,
                                  std::string(static_cast<std::size_t>(problem.column), '.'));
  ++problem.column;
  return problem;
}

}  // namespace slipway::lang::expr
