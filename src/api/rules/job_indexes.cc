#include "api/rules/job_indexes.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/error.h"
#include "base/json.h"

namespace slipway::api {

namespace {

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = std::min(text.find(separator), text.size());
    parts.push_back(text.substr(0, end));
    if (end == text.size()) return parts;
    text.remove_prefix(end + 1);
  }
}

std::string quoted(std::string_view text) {
  std::string out;
  json::append_string(out, text);
  return out;
}

Result<std::int64_t> parse_index(std::string_view text, std::int64_t completions) {
  std::string_view digits = text;
  if (digits.starts_with('+')) digits.remove_prefix(1);
  std::int64_t index = 0;
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, index);
  if (digits.empty() || error != std::errc() || stop != end)
    return fail(ErrorCode::kInvalid, "cannot convert string to integer for index: " + quoted(text));
  if (index >= completions) return fail(ErrorCode::kInvalid, "too large index: " + quoted(text));
  return index;
}

std::string out_of_order(std::int64_t before, std::int64_t now) {
  return fmt::format("non-increasing order, previous: {}, current: {}", before, now);
}

Result<IndexInterval> parse_interval(std::string_view text, std::int64_t completions) {
  const std::vector<std::string_view> ends = split(text, '-');
  if (ends.size() > 2)
    return fail(ErrorCode::kInvalid,
                fmt::format("the fragment {} violates the requirement that an index interval can "
                            "have at most two parts separated by '-'",
                            quoted(text)));
  const Result<std::int64_t> first = parse_index(ends.front(), completions);
  if (!first) return std::unexpected(first.error());
  if (ends.size() == 1) return IndexInterval{*first, *first};
  const Result<std::int64_t> last = parse_index(ends.back(), completions);
  if (!last) return std::unexpected(last.error());
  if (*first >= *last) return fail(ErrorCode::kInvalid, out_of_order(*first, *last));
  return IndexInterval{*first, *last};
}

}  // namespace

std::string index_list_problem(std::string_view indexes, std::int64_t completions) {
  if (indexes.empty()) return {};
  std::optional<std::int64_t> before;
  for (const std::string_view part : split(indexes, ',')) {
    const Result<IndexInterval> interval = parse_interval(part, completions);
    if (!interval) return interval.error().message;
    if (before && *before >= interval->first) return out_of_order(*before, interval->first);
    before = interval->last;
  }
  return {};
}

std::vector<IndexInterval> read_index_list(std::string_view indexes, std::int64_t completions) {
  std::vector<IndexInterval> intervals;
  for (const std::string_view part : split(indexes, ','))
    if (const auto interval = parse_interval(part, completions)) intervals.push_back(*interval);
  return intervals;
}

std::optional<std::int64_t> shared_index(std::string_view one, std::string_view other,
                                         std::int64_t completions) {
  const std::vector<IndexInterval> left = read_index_list(one, completions);
  const std::vector<IndexInterval> right = read_index_list(other, completions);
  for (std::size_t l = 0, r = 0; l < left.size() && r < right.size();) {
    const std::int64_t begin = std::max(left[l].first, right[r].first);
    if (begin <= std::min(left[l].last, right[r].last)) return begin;
    if (left[l].last < right[r].first)
      ++l;
    else
      ++r;
  }
  return std::nullopt;
}

}  // namespace slipway::api
