#include <array>
#include <charconv>

#include "runtime/traffic/stats.h"

namespace slipway::runtime::traffic {

namespace {

constexpr std::size_t kMaxColumns = 256;

std::vector<std::string_view> columns(std::string_view line) {
  std::vector<std::string_view> found;
  while (found.size() < kMaxColumns) {
    const auto comma = line.find(',');
    found.push_back(line.substr(0, comma));
    if (comma == std::string_view::npos) break;
    line.remove_prefix(comma + 1);
  }
  return found;
}

std::uint64_t number(std::string_view text) {
  std::uint64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// Where the columns are that we read: names are promised, places are not.
struct Layout {
  static constexpr std::array<std::string_view, 11> kNames = {
      "pxname",   "svname",   "scur",     "stot",       "mode",    "hrsp_1xx",
      "hrsp_2xx", "hrsp_3xx", "hrsp_4xx", "hrsp_other", "hrsp_5xx"};
  std::array<std::size_t, kNames.size()> at{};

  explicit Layout(std::string_view header) {
    at.fill(kMaxColumns);
    const auto names = columns(header);
    for (std::size_t i = 0; i < names.size(); ++i)
      for (std::size_t j = 0; j < kNames.size(); ++j)
        if (names[i] == kNames[j]) at[j] = i;
  }
  std::string_view get(const std::vector<std::string_view>& row, std::string_view name) const {
    for (std::size_t j = 0; j < kNames.size(); ++j)
      if (kNames[j] == name) return at[j] < row.size() ? row[at[j]] : std::string_view();
    return {};
  }
};

Counters counters_of(const Layout& layout, const std::vector<std::string_view>& row) {
  Counters counters{.errors = number(layout.get(row, "hrsp_5xx"))};
  if (layout.get(row, "mode") == "tcp") {
    counters.requests = number(layout.get(row, "stot"));
    return counters;
  }
  for (const auto name : Layout::kNames)
    if (name.starts_with("hrsp_")) counters.requests += number(layout.get(row, name));
  return counters;
}

}  // namespace

StatTable parse_stat(std::string_view csv) {
  StatTable table;
  if (csv.starts_with("# ")) csv.remove_prefix(2);
  std::optional<Layout> layout;
  while (!csv.empty()) {
    const auto end = csv.find('\n');
    const std::string_view line = csv.substr(0, end);
    csv.remove_prefix(end == std::string_view::npos ? csv.size() : end + 1);
    if (line.empty()) continue;
    if (!layout) {
      layout.emplace(line);
      continue;
    }
    const auto row = columns(line);
    const std::string_view kind = layout->get(row, "svname");
    if (kind == "FRONTEND") table.clients += number(layout->get(row, "scur"));
    if (kind == "BACKEND")
      table.backends.push_back({.backend = std::string(layout->get(row, "pxname")),
                                .counters = counters_of(*layout, row),
                                .http = layout->get(row, "mode") == "http"});
  }
  return table;
}

std::uint64_t parse_variable(std::string_view answer) {
  constexpr std::string_view kMark = "value=<";
  const auto at = answer.find(kMark);
  return at == std::string_view::npos ? 0 : number(answer.substr(at + kMark.size()));
}

}  // namespace slipway::runtime::traffic
