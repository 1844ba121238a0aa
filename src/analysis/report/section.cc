#include "analysis/report/section.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/phase.h"
#include "analysis/report/axis.h"
#include "analysis/report/html.h"
#include "analysis/report/page.h"
#include "analysis/report/plain_text.h"
#include "analysis/report/section_charts.h"
#include "analysis/report/verdict.h"
#include "base/float_text.h"

namespace slipway::analysis::report {

namespace {

std::string cell(const std::string& text) { return fmt::format("<td>{}</td>", html_text(text)); }

std::string sides_table(const Evidence& evidence) {
  std::string rows;
  for (const auto& series : evidence.series) {
    double sum = 0, squares = 0, least = kUnknown, most = kUnknown;
    std::size_t count = 0;
    for (const auto& point : series.points) {
      if (!std::isfinite(point.value)) continue;
      ++count;
      // Welford's: a mean of large numbers keeps its digits.
      const double from_mean = point.value - sum;
      sum += from_mean / static_cast<double>(count);
      squares += from_mean * (point.value - sum);
      least = std::fmin(least, point.value);
      most = std::fmax(most, point.value);
    }
    const double deviation =
        count > 1 ? std::sqrt(squares / static_cast<double>(count - 1)) : kUnknown;
    rows += "<tr>" + cell(series.name) + cell(std::to_string(count)) +
            cell(short_number(count > 0 ? sum : kUnknown)) + cell(short_number(deviation)) +
            cell(short_number(least)) + cell(short_number(most)) + "</tr>\n";
  }
  if (rows.empty()) return {};
  return "<table>\n<tr><th></th><th>points</th><th>mean</th><th>deviation</th><th>least</th>"
         "<th>greatest</th></tr>\n" +
         rows + "</table>\n";
}

std::string looks_table(const Evidence& evidence) {
  if (evidence.looks.empty()) return {};
  const std::size_t shown = std::min(evidence.looks.size(), kMaxReportLooks);
  std::string rows;
  for (auto look = evidence.looks.end() - static_cast<std::ptrdiff_t>(shown);
       look != evidence.looks.end(); ++look)
    rows +=
        "<tr>" + cell(std::to_string(look->look)) + cell(time_of_day(look->seconds, true)) +
        cell(short_number(look->ratio)) + cell(short_number(look->z)) +
        cell(short_number(look->boundary)) + cell(short_number(look->p)) +
        cell(short_number(look->alpha_spent)) + "<td>" + badge(look->phase) + "</td>" +
        fmt::format("<td class=\"text\">{}</td></tr>\n", html_text(look->reason, kMaxReportText));
  const auto note = shown < evidence.looks.size()
                        ? fmt::format("<p class=\"note\">the newest {} of {} looks</p>\n", shown,
                                      evidence.looks.size())
                        : std::string();
  return fmt::format(
      "<details{}>\n<summary>{} look{}</summary>\n{}<table>\n<tr><th>look</th><th>at</th>"
      "<th>ratio</th><th>z</th><th>boundary</th><th>p</th><th>α spent</th><th>verdict</th>"
      "<th class=\"text\">reason</th></tr>\n{}</table>\n</details>\n",
      evidence.looks.size() <= 12 ? " open" : "", evidence.looks.size(),
      evidence.looks.size() == 1 ? "" : "s", note, rows);
}

std::string number_cell(const json::Value& row, std::string_view key) {
  const json::Value* value = json::at(row, {key});
  return cell(value != nullptr && value->is_number() ? short_number(value->to_number<double>())
                                                     : "-");
}

std::string score_rows(const json::Value& score, std::string_view list,
                       std::initializer_list<std::string_view> numbers,
                       std::initializer_list<std::string_view> texts) {
  const json::Value* all = json::at(score, {list});
  if (all == nullptr || !all->is_array()) return {};
  std::string rows;
  std::size_t shown = 0;
  for (const auto& row : all->get_array()) {
    if (++shown > kMaxReportLooks) break;
    rows += "<tr>" + cell(std::string(json::string_at(row, {"name"})));
    for (const auto key : numbers) rows += number_cell(row, key);
    for (const auto key : texts)
      rows += fmt::format("<td class=\"text\">{}</td>",
                          html_text(json::string_at(row, {key}), kMaxReportText));
    rows += "</tr>\n";
  }
  return rows;
}

// Groups with their scores, and what was found of each metric in them.
std::string score_tables(const Evidence& evidence) {
  if (!evidence.score.is_object()) return {};
  return "<table>\n<tr><th>group</th><th>score</th><th>weight</th></tr>\n" +
         score_rows(evidence.score, "groups", {"score", "weight"}, {}) +
         "</table>\n<table>\n<tr><th>metric</th><th>ratio</th><th class=\"text\">label</th>"
         "<th class=\"text\">reason</th></tr>\n" +
         score_rows(evidence.score, "metrics", {"ratio"}, {"label", "reason"}) + "</table>\n";
}

std::string queries_list(const Evidence& evidence) {
  std::string out;
  for (const auto& query : evidence.queries)
    out += fmt::format("<dt>{}</dt><dd><pre>{}</pre></dd>\n", html_text(query.name),
                       html_text(query.text, kMaxReportText));
  return out.empty() ? out : "<h4>Asked</h4>\n<dl>\n" + out + "</dl>\n";
}

// A name in CSV: in quotes, with quotes doubled.
std::string csv_name(const std::string& name) {
  std::string quoted = "\"";
  for (const char c : one_line(name)) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

std::string csv_number(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
  std::string text;
  json::append_number(text, value);
  return text;
}

std::string raw_points(const Evidence& evidence, std::size_t& rows) {
  std::string csv = "series,seconds,value\n";
  std::size_t all = 0, shown = 0;
  for (const auto& series : evidence.series) {
    all += series.points.size();
    const std::string name = csv_name(series.name);
    for (const auto& point : series.points) {
      if (rows == 0) break;
      --rows;
      ++shown;
      csv += fmt::format("{},{},{}\n", name, csv_number(point.seconds), csv_number(point.value));
    }
  }
  if (all == 0) return {};
  return fmt::format(
      "<details>\n<summary>{} raw points</summary>\n{}<button type=\"button\" class=\"copy\">copy"
      "</button>\n<pre class=\"csv\">{}</pre>\n</details>\n",
      all,
      shown < all
          ? fmt::format("<p class=\"note\">{} of them: the page is full; `-o json` has all</p>\n",
                        shown)
          : "",
      html_text(csv));
}

std::string facts(const Evidence& evidence) {
  std::string text;
  const auto add = [&text](std::string_view name, const std::string& value) {
    if (!value.empty())
      text += fmt::format("<span><b>{}</b> {}</span>\n", name, html_text(value, kMaxReportText));
  };
  add("method", evidence.method);
  add("fails on", evidence.direction);
  add("must be", evidence.condition);
  add("looks", looks_text(evidence));
  if (!evidence.last && evidence.looks.empty())
    add("last", shortened(evidence.last_text, kMaxReportText));
  if (evidence.dry_run) add("dry run", "does not count");
  return fmt::format("<p class=\"facts\">\n{}</p>\n", text);
}

}  // namespace

std::string_view phase_style(std::string_view phase) {
  if (phase == kSuccessful) return "pass";
  if (phase == kFailed || phase == kError) return "fail";
  return phase == kInconclusive ? "unsure" : "open";
}

std::string badge(std::string_view phase) {
  return fmt::format("<span class=\"badge {}\">{}</span>", phase_style(phase),
                     html_text(phase.empty() ? kPending : phase));
}

std::string metric_section(const Evidence& evidence, const std::string& id, std::size_t& rows) {
  return fmt::format("<section id=\"{}\">\n<h3>{} {}</h3>\n<p>{}</p>\n", id, badge(evidence.phase),
                     html_text(evidence.name, kMaxReportText), html_text(metric_reason(evidence))) +
         facts(evidence) + values_chart(evidence) + statistic_chart(evidence) +
         effect_chart(evidence) + score_tables(evidence) + sides_table(evidence) +
         looks_table(evidence) + queries_list(evidence) + raw_points(evidence, rows) +
         "</section>\n";
}

}  // namespace slipway::analysis::report
