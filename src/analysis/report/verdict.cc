#include "analysis/report/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/assess.h"
#include "analysis/phase.h"
#include "analysis/report/plain_text.h"
#include "analysis/report/unseen.h"

namespace slipway::analysis::report {

namespace {

constexpr std::size_t kMaxReason = 400;     // characters, of one metric
constexpr std::size_t kMaxValueShown = 60;  // of a value that is no number
constexpr std::size_t kMaxNamed = 3;        // metrics named in a verdict

// What was said already is not said again.
void append(std::string& text, std::string_view part) {
  if (part.empty() || text.find(part) != std::string::npos) return;
  if (!text.empty()) text += "; ";
  text += part;
}

// A finding at one look and the same finding at another are one: they begin alike.
bool begins_alike(std::string_view text, std::string_view other) {
  const auto colon = other.find(':');
  return colon != std::string_view::npos && text.starts_with(other.substr(0, colon + 1));
}

bool says_p(std::string_view reason) {
  return reason.find(" p ") != std::string_view::npos ||
         reason.find("(p ") != std::string_view::npos;
}

std::string comparison_reason(const Evidence& evidence) {
  if (evidence.looks.empty()) return {};
  const EvidenceLook& look = evidence.looks.back();
  std::string text = look.reason;
  if (!std::isnan(look.ratio))
    append(text, fmt::format("experiment / control is {}", short_number(look.ratio)));
  if (!std::isnan(look.p) && !says_p(look.reason))
    append(text, fmt::format("p {}", short_number(look.p)));
  return text;
}

std::string value_reason(const Evidence& evidence) {
  if (evidence.score.is_object()) return {};  // the message says it all
  std::string text = evidence.last ? short_number(*evidence.last)
                                   : shortened(one_line(evidence.last_text), kMaxValueShown);
  if (!text.empty() && !evidence.condition.empty())
    text +=
        fmt::format(", must {} {}", evidence.has_expression ? "hold:" : "be", evidence.condition);
  return text;
}

// The limit that was passed, of `Metric "x" assessed Failed due to failed (1) > failureLimit (0)`;
// the error that Argo quotes after it is the metric's own.
std::string_view limit_in(std::string_view message) {
  constexpr std::string_view kDueTo = " due to ";
  const auto at = message.find(kDueTo);
  if (at == std::string_view::npos) return "";
  message.remove_prefix(at + kDueTo.size());
  if (message.starts_with(kComparisonVerdict)) return kComparisonVerdict;
  return message.substr(0, message.find(": \"Error Message:"));
}

// "the value 101 is above the expected maximum 100", after "101, must be at most 100".
bool says_the_value(const Evidence& evidence) {
  return evidence.last && (evidence.least || evidence.most) && !evidence.condition.empty() &&
         evidence.message.starts_with(
             fmt::format("the value {} is ", short_number(*evidence.last)));
}

std::string counted(std::size_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

// A dry run never decides, and may have failed all the same.
std::string passed(std::span<const Evidence> all) {
  constexpr std::pair<std::string_view, std::string_view> kNotPassed[] = {
      {kFailed, "failed"}, {kInconclusive, "inconclusive"}, {kError, "with errors"}};
  std::size_t others = 0;
  std::string dry_runs;
  for (const auto& [phase, word] : kNotPassed) {
    const auto count = static_cast<std::size_t>(std::ranges::count_if(
        all, [&](const Evidence& one) { return one.dry_run && one.phase == phase; }));
    if (count > 0) dry_runs += fmt::format(", {} {} in dry run", count, word);
    others += count;
  }
  return fmt::format("{} passed{}", counted(all.size() - others, "metric"), dry_runs);
}

std::string unseen(const api::argo::AnalysisRun& run) {
  const auto names = unseen_metrics(run);
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kMaxNamed); ++i)
    text += (i > 0 ? ", " : "") + one_line(names[i]);
  if (names.size() > kMaxNamed) text += fmt::format(" and {} more", names.size() - kMaxNamed);
  return text.empty() ? text : text + " never saw a point: is the query right?";
}

}  // namespace

std::string metric_reason(const Evidence& evidence) {
  std::string text = evidence.looks.empty() ? value_reason(evidence) : comparison_reason(evidence);
  if (!begins_alike(text, evidence.message) && !says_the_value(evidence))
    append(text, evidence.message);
  return shortened(one_line(text), kMaxReason);
}

std::string run_verdict(const api::argo::AnalysisRun& run) {
  const std::string phase =
      run.status && !run.status->phase.empty() ? run.status->phase : std::string(kPending);
  const auto all = evidence_of(run);
  std::string text;
  std::size_t deciding = 0;
  for (const auto& evidence : all) {
    if (evidence.dry_run || evidence.phase != phase || phase == kSuccessful) continue;
    if (++deciding <= kMaxNamed)
      append(text, fmt::format("{}: {}", one_line(evidence.name), metric_reason(evidence)));
  }
  if (deciding > kMaxNamed) append(text, fmt::format("and {} more", deciding - kMaxNamed));
  if (deciding == 1 && run.status)
    append(text, shortened(one_line(limit_in(run.status->message)), kMaxReason));
  if (text.empty() && phase == kSuccessful) {
    text = passed(all);
    append(text, unseen(run));
  }
  if (text.empty() && run.status) text = one_line(run.status->message);
  return text.empty() ? phase : fmt::format("{}: {}", phase, text);
}

std::string_view worst_phase(std::span<const api::argo::AnalysisRun> runs) {
  std::string_view worst = kSuccessful;
  for (const auto& run : runs) {
    const std::string_view phase =
        run.status && !run.status->phase.empty() ? std::string_view(run.status->phase) : kPending;
    if (is_worse(phase, worst)) worst = phase;
  }
  return worst;
}

}  // namespace slipway::analysis::report
