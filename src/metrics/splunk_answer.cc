#include <fmt/format.h>

#include <map>

#include "metrics/answer_parsers.h"
#include "metrics/http_source.h"
#include "metrics/limits.h"
#include "metrics/number.h"

namespace slipway::metrics {

namespace {

struct Event {
  std::string name = {};
  std::string data = {};
};

// Server-sent events: lines of "field: value", an empty line after each event.
class EventReader {
 public:
  explicit EventReader(std::string_view text) : rest_(text) {}

  // False at the end. An event that was cut off is none; one that only lacks its empty line is.
  bool next(Event& event) {
    event = {};
    while (!rest_.empty()) {
      std::size_t end = rest_.find('\n');
      if (end == std::string_view::npos) break;
      std::string_view line = rest_.substr(0, end);
      rest_.remove_prefix(end + 1);
      if (line.ends_with('\r')) line.remove_suffix(1);
      if (line.empty()) {
        if (!event.data.empty() || !event.name.empty()) return true;
        continue;
      }
      std::size_t colon = std::min(line.find(':'), line.size());
      std::string_view value = line.substr(std::min(colon + 1, line.size()));
      if (value.starts_with(' ')) value.remove_prefix(1);
      if (line.substr(0, colon) == "event") event.name = value;
      if (line.substr(0, colon) == "data") {
        event.data += event.data.empty() ? "" : "\n";
        event.data += value;
      }
    }
    rest_ = {};
    return !event.data.empty() && json::read(event.data).has_value();
  }

 private:
  std::string_view rest_;
};

class SignalFlow {
 public:
  Result<> take(const Event& event) {
    auto data = read_answer(event.data);
    if (!data) return fail(std::move(data).error());
    if (event.name == "data") return take_data(*data);
    if (event.name == "metadata") take_labels(*data);
    if (event.name == "control-message") take_control(*data);
    if (event.name == "error") return failure(*data);
    return {};
  }

  bool ended = false;
  Answer answer;

 private:
  Series& series_of(std::string_view id) {
    auto [entry, added] = index_.try_emplace(std::string(id), answer.series.size());
    if (added) answer.series.push_back({.labels = {{"tsId", std::string(id)}}});
    return answer.series[entry->second];
  }

  Result<> take_data(const json::Value& data) {
    const json::Value* stamp = json::at(data, {"logicalTimestampMs"});
    Time time;
    if (stamp && stamp->is_number()) time = from_unix_millis(stamp->to_number<double>());
    const json::Value* values = json::at(data, {"data"});
    if (!values || !values->is_array()) return {};
    for (const json::Value& item : values->get_array()) {
      const json::Value* value = json::at(item, {"value"});
      std::string_view id = json::string_at(item, {"tsId"});
      if (!value || value->is_null()) continue;
      auto number = to_number(*value);
      if (!number) {
        return fail(ErrorCode::kInvalid, fmt::format("invalid response: a value is a number, found "
                                                     "{}",
                                                     excerpt(json::write(*value))));
      }
      series_of(id).points.push_back({time, *number});
    }
    return {};
  }

  void take_labels(const json::Value& data) {
    const json::Value* properties = json::at(data, {"properties"});
    if (!properties || !properties->is_object()) return;
    Series& series = series_of(json::string_at(data, {"tsId"}));
    for (const auto& property : properties->get_object()) {
      const auto* text = property.value().if_string();
      if (text) series.labels.emplace_back(std::string(property.key()), std::string(*text));
    }
  }

  void take_control(const json::Value& data) {
    std::string_view event = json::string_at(data, {"event"});
    ended = ended || event == "END_OF_CHANNEL" || event == "CHANNEL_ABORT";
    if (event == "CHANNEL_ABORT" && answer.warnings.size() < kMaxWarnings) {
      answer.warnings.push_back("the computation was aborted: " + excerpt(json::write(data)));
    }
  }

  static Result<> failure(const json::Value& data) {
    const json::Value* code = json::at(data, {"error"});
    const int status =
        code && code->is_int64() && code->get_int64() >= 400 && code->get_int64() < 600
            ? static_cast<int>(code->get_int64())
            : 400;
    std::string_view message = json::string_at(data, {"message"});
    return fail(code_of_status(status),
                fmt::format("error executing query: status {}: {}", status,
                            excerpt(message.empty() ? json::write(data) : std::string(message))));
  }

  std::map<std::string, std::size_t> index_;
};

}  // namespace

Result<Answer> parse_splunk_answer(std::string_view body) {
  EventReader events(body);
  SignalFlow flow;
  Event event;
  bool any = false;
  while (events.next(event)) {
    any = true;
    SLIPWAY_TRY(flow.take(event));
  }
  if (!any && !body.empty()) {
    return fail(ErrorCode::kInvalid,
                fmt::format("error unmarshaling result: no events, '{}'", excerpt(body)));
  }
  if (!flow.ended) {
    return fail(ErrorCode::kUnavailable, "the answer ended before the computation did");
  }
  return std::move(flow.answer);
}

}  // namespace slipway::metrics
