#include "analysis/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/phase.h"
#include "analysis/report/evidence.h"
#include "analysis/report/plain_text.h"
#include "analysis/report/sparkline.h"

namespace slipway::analysis {

namespace {

using report::Evidence;
using report::one_line;
using report::short_number;
using report::shortened;

constexpr std::size_t kTrendWidth = 12;
constexpr std::size_t kMaxName = 40;
constexpr std::size_t kMaxValue = 24;
constexpr std::size_t kMaxCondition = 40;

int colour_of(const std::string& phase) {
  constexpr int kGreen = 32, kRed = 31, kYellow = 33, kCyan = 36;
  if (phase == kSuccessful) return kGreen;
  if (phase == kFailed || phase == kError) return kRed;
  return phase == kInconclusive ? kYellow : kCyan;
}

constexpr std::size_t kGap = 3;
enum Column : std::size_t { kMetric, kLast, kTrend, kLooks, kRule, kVerdict, kColumns };

std::size_t width_of(const TableRows& rows, std::size_t column) {
  std::size_t width = 0;
  for (const auto& row : rows)
    if (column < row.size()) width = std::max(width, report::characters(row[column]));
  return width;
}

// `verdict` is the width of the last column, whose cells may hold colours.
std::size_t whole_width(const TableRows& rows, std::size_t verdict) {
  std::size_t width = verdict;
  for (std::size_t column = 0; column < kVerdict; ++column) width += width_of(rows, column) + kGap;
  return width;
}

void fit(TableRows& rows, std::size_t verdict, std::size_t columns) {
  const auto over = [&] {
    const std::size_t width = whole_width(rows, verdict);
    return width > columns ? width - columns : 0;
  };
  constexpr std::pair<Column, std::size_t> kCut[] = {{kRule, 14}, {kMetric, 12}, {kLast, 8}};
  for (const auto& [column, least] : kCut) {
    const std::size_t width = width_of(rows, column);
    const std::size_t too_much = over();
    if (too_much == 0 || width <= least) continue;
    const std::size_t most = std::max(least, width - std::min(width, too_much));
    for (auto& row : rows)
      if (column < row.size()) row[column] = shortened(row[column], most);
  }
  if (over() == 0) return;
  for (auto& row : rows)
    if (row.size() == kColumns) row.erase(row.begin() + kTrend);
}

std::string rule_of(const Evidence& evidence) {
  if (!evidence.looks.empty() && !std::isnan(evidence.looks.back().p))
    return fmt::format("p {}", short_number(evidence.looks.back().p));
  const auto condition = shortened(one_line(evidence.condition), kMaxCondition);
  return condition.empty() ? "-" : condition;
}

}  // namespace

std::string shown_phase(const std::string& phase, bool colour) {
  const std::string word = one_line(phase);
  return colour ? fmt::format("\x1b[1;{}m{}\x1b[0m", colour_of(phase), word) : word;
}

TableRows table_of(const api::argo::AnalysisRun& run, const TableOptions& options) {
  TableRows rows;
  if (options.header)
    rows.push_back({"METRIC", "LAST", "TREND", "LOOKS", "P OR CONDITION", "VERDICT"});
  const auto all = report::evidence_of(run);
  std::size_t verdict = std::string_view("VERDICT").size();
  for (const auto& evidence : all) {
    if (rows.size() > kMaxTableMetrics) {
      rows.push_back({fmt::format("… and {} more", all.size() - kMaxTableMetrics)});
      break;
    }
    const std::string trend = report::sparkline(evidence.course, kTrendWidth);
    const std::string phase = evidence.phase.empty() ? std::string(kPending) : evidence.phase;
    const std::string_view aside = evidence.dry_run ? " (dry run)" : "";
    verdict = std::max(verdict, report::characters(one_line(phase)) + aside.size());
    rows.push_back({shortened(one_line(evidence.name), kMaxName),
                    shortened(report::shown_last(evidence), kMaxValue), trend.empty() ? "-" : trend,
                    report::looks_text(evidence), rule_of(evidence),
                    fmt::format("{}{}", shown_phase(phase, options.colour), aside)});
  }
  if (options.columns > 0) fit(rows, verdict, options.columns);
  return rows;
}

}  // namespace slipway::analysis
