// What Argo's conditions see as `result`, and what is recorded as `value`.
#include <fmt/format.h>

#include <cmath>

#include "metrics/number.h"
#include "metrics/reading.h"

namespace slipway::metrics {

namespace {

using Outcome = Reading::Outcome;

std::unexpected<Error> nothing(std::string message) {
  return fail(ErrorCode::kNotFound, std::move(message));
}

std::string list_text(const std::vector<std::string>& items, std::string_view between = ",") {
  return fmt::format("[{}]", fmt::join(items, between));
}

// JSON from a source, as Go decodes it: every number a double.
json::Value with_doubles(const json::Value& value) {
  if (value.is_int64() || value.is_uint64()) return value.to_number<double>();
  if (const auto* list = value.if_array()) {
    json::Array result;
    result.reserve(list->size());
    for (const json::Value& member : *list) result.push_back(with_doubles(member));
    return result;
  }
  if (const auto* object = value.if_object()) {
    json::Object result;
    for (const auto& member : *object) result[member.key()] = with_doubles(member.value());
    return result;
  }
  return value;
}

std::string json_text(const json::Value& value) {
  return json::write(value, {.escape_html = true, .sort_keys = true});
}

Measured flat_list(const Answer& answer) {
  Measured measured;
  json::Array values;
  std::vector<std::string> texts;
  for (const Series& series : answer.series) {
    for (const Point& point : series.points) {
      values.push_back(point.value);
      texts.push_back(plain_text(point.value));
    }
  }
  if (answer.shape == Answer::Shape::kScalar && values.size() == 1) {
    measured.result = values[0];
    measured.value = texts[0];
    return measured;
  }
  measured.result = std::move(values);
  measured.value = list_text(texts);
  return measured;
}

Measured one_number(const Reading& reading, const Answer& answer) {
  Measured measured{.value = "[]"};
  if (answer.series.empty() || answer.series.front().points.empty()) return measured;
  const std::vector<Point>& points = answer.series.front().points;
  double value =
      reading.point == Reading::Which::kOldest ? points.front().value : points.back().value;
  measured.result = value;
  measured.value = plain_text(value);
  return measured;
}

Result<Measured> first_series(const Answer& answer) {
  if (answer.series.empty()) return nothing(std::string(kNoValuesFound));
  Measured measured;
  json::Array values;
  std::vector<std::string> texts;
  for (const Point& point : answer.series.front().points) {
    values.push_back(point.value);
    texts.push_back(fixed_text(point.value, 6));
  }
  if (values.empty()) return nothing(std::string(kNoValuesFound));
  measured.result = std::move(values);
  measured.value = list_text(texts);
  return measured;
}

// The point of each series that is nearest to the start, and how far it is.
Result<Measured> nearest(const Answer& answer, Time started) {
  json::Array values;
  std::vector<std::string> texts, times, drifts;
  for (const Series& series : answer.series) {
    const Point* best = nullptr;
    for (const Point& point : series.points) {
      auto distance = [started](const Point& p) { return std::chrono::abs(p.time - started); };
      if (!best || distance(point) < distance(*best)) best = &point;
    }
    if (!best) continue;
    values.push_back(best->value);
    texts.push_back(fixed_text(best->value, 2));
    times.push_back(std::to_string(unix_seconds(best->time)));
    drifts.push_back(std::to_string(unix_seconds(best->time) - unix_seconds(started)));
  }
  if (values.empty()) return nothing("No TimeSeries found in response from Wavefront");
  Measured measured;
  if (answer.series.size() == 1) {
    measured.result = values[0];
    measured.value = texts[0];
    measured.metadata = {{"timestamps", times[0]}, {"drift", drifts[0]}};
  } else {
    measured.result = std::move(values);
    measured.value = list_text(texts);
    measured.metadata = {{"timestamps", list_text(times)}, {"drift", list_text(drifts)}};
  }
  return measured;
}

Result<Measured> document(const Answer& answer) {
  if (!answer.document) return nothing("no results returned from the query");
  Measured measured{.result = with_doubles(*answer.document)};
  measured.value = answer.text ? *answer.text : json_text(measured.result);
  return measured;
}

Result<Measured> document_rows(const Answer& answer) {
  const json::Array* rows = answer.document ? answer.document->if_array() : nullptr;
  bool bare =
      rows && rows->size() == 1 && (*rows)[0].is_object() && (*rows)[0].get_object().empty();
  if (!rows || rows->empty() || bare) return nothing("no results returned from NRQL query");
  Measured measured{.result = with_doubles(rows->size() == 1 ? (*rows)[0] : *answer.document)};
  measured.value = json_text(measured.result);
  return measured;
}

// "[[1 2] [3]]"
Measured document_lists(const Answer& answer) {
  Measured measured{.result = json::Array()};
  std::vector<std::string> lists;
  if (answer.document && answer.document->is_array()) {
    measured.result = with_doubles(*answer.document);
  }
  for (const json::Value& result : measured.result.get_array()) {
    std::vector<std::string> texts;
    const json::Value* values = json::at(result, {"Values"});
    const json::Array* list = values ? values->if_array() : nullptr;
    for (std::size_t i = 0; list && i < list->size(); ++i) {
      texts.push_back(go_text(to_number((*list)[i]).value_or(NAN)));
    }
    lists.push_back(list_text(texts, " "));
  }
  measured.value = list_text(lists, " ");
  return measured;
}

// "[10 20]", as Go prints values of any type.
Result<Measured> document_values(const Answer& answer) {
  const json::Array* values = answer.document ? answer.document->if_array() : nullptr;
  if (!values || values->empty()) return nothing("no results returned from flux query");
  std::vector<std::string> texts;
  for (const json::Value& value : *values) {
    if (value.is_double()) {
      texts.push_back(go_text(value.get_double()));
    } else if (const auto* text = value.if_string()) {
      texts.emplace_back(*text);
    } else {
      texts.push_back(value.is_null() ? "<nil>" : json::write(value));
    }
  }
  return Measured{.result = *values, .value = list_text(texts, " ")};
}

Result<Measured> read_outcome(const Reading& reading, const Answer& answer, Time started) {
  switch (reading.outcome) {
    case Outcome::kList:
      return flat_list(answer);
    case Outcome::kNumber:
      return one_number(reading, answer);
    case Outcome::kNumberOrList: {
      bool several = answer.shape == Answer::Shape::kVector && !answer.series.empty();
      return several ? flat_list(answer) : one_number(reading, answer);
    }
    case Outcome::kFirstSeries:
      return first_series(answer);
    case Outcome::kNearest:
      return nearest(answer, started);
    case Outcome::kDocument:
      return document(answer);
    case Outcome::kDocumentRows:
      return document_rows(answer);
    case Outcome::kDocumentLists:
      return document_lists(answer);
    case Outcome::kDocumentValues:
      return document_values(answer);
  }
  return fail(ErrorCode::kInternal, "no such outcome");
}

}  // namespace

Result<Measured> read_result(const Reading& reading, const Answer& answer, Time started) {
  auto measured = read_outcome(reading, answer, started);
  if (!measured) return measured;
  measured->metadata.insert(measured->metadata.end(), answer.metadata.begin(),
                            answer.metadata.end());
  if (!answer.warnings.empty()) {
    std::string text;
    for (const std::string& warning : answer.warnings) {
      text += fmt::format("{}\"{}\"", text.empty() ? "" : ", ", warning);
    }
    measured->metadata.emplace_back("warnings", std::move(text));
  }
  return measured;
}

}  // namespace slipway::metrics
