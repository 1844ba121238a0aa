#include <fmt/format.h>

#include <algorithm>

#include "metrics/answer_parsers.h"
#include "metrics/http_source.h"
#include "metrics/limits.h"
#include "metrics/number.h"
#include "metrics/xml.h"

namespace slipway::metrics {

namespace {

constexpr std::size_t kMaxResults = 10'000;

// A result of one query; a search gives several, told apart by their labels. Pages may go on with
// one that an earlier page began.
Result<std::size_t> result_of(std::string_view id, std::string_view label, Answer& answer) {
  json::Array& results = answer.document->get_array();
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (json::string_at(results[i], {"Id"}) == id &&
        json::string_at(results[i], {"Label"}) == label) {
      return i;
    }
  }
  if (results.size() == kMaxResults) {
    return fail(ErrorCode::kTooLarge,
                fmt::format("invalid response: more than {} results", kMaxResults));
  }
  json::Object result;
  result["Id"] = id;
  result["Label"] = label;
  result["Messages"] = json::Array();
  result["StatusCode"] = "";
  result["Timestamps"] = json::Array();
  result["Values"] = json::Array();
  results.push_back(std::move(result));
  answer.series.push_back({.labels = {{"Id", std::string(id)}, {"Label", std::string(label)}}});
  return results.size() - 1;
}

void note_messages(const XmlElement* messages, std::string_view about, Answer& answer) {
  if (!messages) return;
  for (const XmlElement& message : messages->children) {
    if (answer.warnings.size() == kMaxWarnings) return;
    answer.warnings.push_back(fmt::format("{}{}{}: {}", about, about.empty() ? "" : ": ",
                                          excerpt(message.text_of("Code")),
                                          excerpt(message.text_of("Value"))));
  }
}

Result<> add_points(const XmlElement& member, json::Object& result, Series& series) {
  const XmlElement* values = member.find("Values");
  const XmlElement* stamps = member.find("Timestamps");
  for (std::size_t i = 0; values && i < values->children.size(); ++i) {
    auto number = parse_number(values->children[i].text);
    if (!number) {
      return fail(ErrorCode::kInvalid,
                  fmt::format("invalid response: the value \"{}\" is no number",
                              excerpt(values->children[i].text)));
    }
    std::string stamp =
        stamps && i < stamps->children.size() ? stamps->children[i].text : std::string();
    result["Values"].get_array().push_back(*number);
    result["Timestamps"].get_array().push_back(json::Value(excerpt(stamp)));
    series.points.push_back({parse_time(stamp).value_or(Time()), *number});
  }
  // The service begins with the newest, unless asked otherwise.
  if (series.points.size() > 1 && series.points.front().time > series.points.back().time) {
    std::sort(series.points.begin(), series.points.end(),
              [](const Point& a, const Point& b) { return a.time < b.time; });
  }
  return {};
}

}  // namespace

Result<std::string> parse_cloudwatch_page(std::string_view body, Answer& answer) {
  auto document = parse_xml(body);
  if (!document) {
    return fail(ErrorCode::kInvalid, fmt::format("error unmarshaling result: {}, '{}'",
                                                 document.error().message, excerpt(body)));
  }
  const XmlElement* result = document->find("GetMetricDataResult");
  if (document->name != "GetMetricDataResponse" || !result) {
    return fail(ErrorCode::kInvalid,
                fmt::format("invalid response: no GetMetricDataResponse, found <{}>",
                            excerpt(document->name)));
  }
  if (!answer.document) answer.document = json::Array();
  const XmlElement* members = result->find("MetricDataResults");
  for (std::size_t i = 0; members && i < members->children.size(); ++i) {
    const XmlElement& member = members->children[i];
    std::string_view id = member.text_of("Id");
    auto at = result_of(id, member.text_of("Label"), answer);
    if (!at) return fail(std::move(at).error());
    json::Object& entry = answer.document->get_array()[*at].get_object();
    entry["StatusCode"] = member.text_of("StatusCode");
    SLIPWAY_TRY(add_points(member, entry, answer.series[*at]));
    if (member.text_of("StatusCode") == "InternalError") {
      return fail(ErrorCode::kUnavailable,
                  fmt::format("error requesting cloudwatch: {}: InternalError", excerpt(id)));
    }
    note_messages(member.find("Messages"), excerpt(id), answer);
  }
  note_messages(result->find("Messages"), "", answer);
  return std::string(result->text_of("NextToken"));
}

}  // namespace slipway::metrics
