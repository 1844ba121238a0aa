#include "server/metric_text.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

namespace slipway::server {

namespace {

void append_escaped(std::string& to, std::string_view text) {
  for (const char c : text) {
    if (c == '\n')
      to += "\\n";
    else if (c == '\\' || c == '"')
      to += '\\', to += c;
    else
      to += c;
  }
}

void append_number(std::string& to, double value) {
  if (std::isnan(value))
    to += "NaN";
  else if (std::isinf(value))
    to += value > 0 ? "+Inf" : "-Inf";
  else
    fmt::format_to(std::back_inserter(to), "{}", value);
}

}  // namespace

void MetricText::begin(std::string_view name, std::string_view type, std::string_view help) {
  name_ = name;
  head_ = fmt::format("# HELP {} {}\n# TYPE {} {}\n", name, help, name, type);
}

void MetricText::line(std::string_view suffix, Labels labels, std::string_view bound,
                      double value) {
  to_ += std::exchange(head_, {});
  to_ += name_;
  to_ += suffix;
  char separator = '{';
  const auto label = [&](std::string_view name, std::string_view text) {
    to_ += std::exchange(separator, ',');
    to_ += name;
    to_ += "=\"";
    append_escaped(to_, text);
    to_ += '"';
  };
  for (const auto& [name, text] : labels) label(name, text);
  if (!bound.empty()) label("le", bound);
  if (separator == ',') to_ += '}';
  to_ += ' ';
  append_number(to_, value);
  to_ += '\n';
}

void MetricText::sample(Labels labels, double value) { line("", labels, {}, value); }

void MetricText::histogram(Labels labels, const control::Histogram& histogram) {
  std::uint64_t up_to = 0;
  for (std::size_t i = 0; i < histogram.bounds().size(); ++i) {
    up_to += histogram.counts()[i];
    line("_bucket", labels, fmt::format("{}", histogram.bounds()[i]), static_cast<double>(up_to));
  }
  line("_bucket", labels, "+Inf", static_cast<double>(histogram.count()));
  line("_sum", labels, {}, histogram.sum());
  line("_count", labels, {}, static_cast<double>(histogram.count()));
}

}  // namespace slipway::server
