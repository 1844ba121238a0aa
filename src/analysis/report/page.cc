#include "analysis/report/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/phase.h"
#include "analysis/report/html.h"
#include "analysis/report/page_style.h"
#include "analysis/report/plain_text.h"
#include "analysis/report/section.h"
#include "analysis/report/verdict.h"
#include "base/time.h"

namespace slipway::analysis::report {

namespace {

using api::argo::AnalysisRun;

constexpr std::size_t kMaxShownValue = 24;  // characters of a value in the summary

std::string_view phase_of(const AnalysisRun& run) {
  return run.status && !run.status->phase.empty() ? std::string_view(run.status->phase) : kPending;
}

// To the second, which is what a status keeps. What is in one may be further apart than nanoseconds
// reach.
Duration between(Time from, Time to) {
  using std::chrono::seconds;
  constexpr seconds kMost = std::chrono::floor<seconds>(Duration::max());
  const seconds apart = std::chrono::floor<seconds>(to) - std::chrono::floor<seconds>(from);
  return std::clamp(apart, -kMost, kMost);
}

std::string times_of(const AnalysisRun& run) {
  if (!run.status || !run.status->started_at) return "not started";
  std::string text = fmt::format("began {}", format_time(*run.status->started_at));
  if (run.status->completed_at)
    text +=
        fmt::format(", ended {}, took {}", format_time(*run.status->completed_at),
                    format_duration(between(*run.status->started_at, *run.status->completed_at)));
  return text;
}

struct Shown {
  const AnalysisRun* run = nullptr;
  std::vector<Evidence> metrics = {};
  std::size_t left_out = 0;
};

// Those that decided must not be the ones left out.
bool decided_more(const Evidence& a, const Evidence& b) {
  if (is_worse(a.phase, b.phase)) return true;
  return !is_worse(b.phase, a.phase) && a.name < b.name;
}

std::vector<Shown> shown_of(std::span<const AnalysisRun> runs) {
  std::vector<Shown> all;
  std::size_t room = kMaxReportMetrics;
  for (const auto& run : runs) {
    Shown shown{.run = &run, .metrics = evidence_of(run)};
    if (shown.metrics.size() > room) {
      std::ranges::sort(shown.metrics, decided_more);
      shown.left_out = shown.metrics.size() - room;
      shown.metrics.resize(room);
    }
    room -= shown.metrics.size();
    all.push_back(std::move(shown));
  }
  return all;
}

std::string id_of(std::size_t run, std::size_t metric) {
  return fmt::format("m{}-{}", run + 1, metric + 1);
}

std::string summary_row(const Evidence& evidence, const std::string& id) {
  const double p = evidence.looks.empty() ? kUnknown : evidence.looks.back().p;
  const std::string rule = std::isnan(p) ? evidence.condition : "p " + short_number(p);
  return fmt::format(
      "<tr><td class=\"name\"><a href=\"#{}\">{}</a></td><td>{}</td><td>{}</td><td>{}</td>"
      "<td class=\"text\">{}</td></tr>\n",
      id, html_text(evidence.name, kMaxReportText), badge(evidence.phase),
      html_text(shortened(shown_last(evidence), kMaxShownValue)), looks_text(evidence),
      html_text(rule, kMaxReportText));
}

std::string summary(const Shown& shown, std::size_t number) {
  if (shown.metrics.empty()) return {};
  std::string rows;
  for (std::size_t i = 0; i < shown.metrics.size(); ++i)
    rows += summary_row(shown.metrics[i], id_of(number, i));
  return "<table>\n<tr><th>metric</th><th>verdict</th><th>last</th><th>looks</th>"
         "<th class=\"text\">p or condition</th></tr>\n" +
         rows + "</table>\n";
}

std::string header_of(const Shown& shown, std::size_t number) {
  const AnalysisRun& run = *shown.run;
  std::string text = fmt::format(
      "<header class=\"{}\">\n<h1>{} {}</h1>\n<p>{}</p>\n<p class=\"facts\">{}</p>\n",
      phase_style(phase_of(run)), badge(phase_of(run)), html_text(name_of(run), kMaxReportText),
      html_text(run_verdict(run)), html_text(times_of(run)));
  text += summary(shown, number);
  if (shown.left_out > 0)
    text += fmt::format("<p class=\"note\">{} more metrics are not shown; `-o json` has all</p>\n",
                        shown.left_out);
  return text + "</header>\n";
}

}  // namespace

std::string report_page(std::span<const AnalysisRun> runs) {
  const auto all = shown_of(runs);
  const std::string title = fmt::format(
      "{}: {}", worst_phase(runs),
      runs.size() == 1 ? name_of(runs.front()) : fmt::format("{} analyses", runs.size()));
  std::string page = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'; script-src 'unsafe-inline'\">\n"
      "<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n",
      html_text(title, kMaxReportText), kPageStyle);
  for (std::size_t i = 0; i < all.size(); ++i) page += header_of(all[i], i);
  std::size_t rows = kMaxReportRows;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all.size() > 1)
      page += fmt::format("<h2>{}</h2>\n", html_text(name_of(*all[i].run), kMaxReportText));
    for (std::size_t k = 0; k < all[i].metrics.size(); ++k)
      page += metric_section(all[i].metrics[k], id_of(i, k), rows);
  }
  return page + fmt::format("<script>{}</script>\n</body>\n</html>\n", kPageScript);
}

}  // namespace slipway::analysis::report
