#include "analysis/table.h"

#include <fmt/format.h>

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

std::string last_of(const Evidence& evidence) {
  if (evidence.compares && evidence.last)
    return fmt::format("{:+.1f} %", 100 * (*evidence.last - 1));
  if (evidence.last) return short_number(*evidence.last);
  if (evidence.compares) return "-";
  const auto text = shortened(one_line(evidence.last_text), kMaxValue);
  return text.empty() ? "-" : text;
}

std::string looks_of(const Evidence& evidence) {
  return evidence.planned ? fmt::format("{}/{}", evidence.taken, *evidence.planned)
                          : std::to_string(evidence.taken);
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
  for (const auto& evidence : all) {
    if (rows.size() > kMaxTableMetrics) {
      rows.push_back({fmt::format("… and {} more", all.size() - kMaxTableMetrics)});
      break;
    }
    const std::string trend = report::sparkline(evidence.course, kTrendWidth);
    rows.push_back({shortened(one_line(evidence.name), kMaxName), last_of(evidence),
                    trend.empty() ? "-" : trend, looks_of(evidence), rule_of(evidence),
                    shown_phase(evidence.phase.empty() ? std::string(kPending) : evidence.phase,
                                options.colour) +
                        (evidence.dry_run ? " (dry run)" : "")});
  }
  return rows;
}

}  // namespace slipway::analysis
