#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "analysis/redact.h"
#include "base/json.h"
#include "metrics/provider.h"

// What a source said, for programs and for people. Pure.
namespace slipway::cli {

inline constexpr std::size_t kMaxShownSeries = 50;  // of a table; JSON holds all

// {"series":[{"labels":{…},"points":[[unixSeconds,value],…]}],"value":first|null}, with `document`,
// `text` and `warnings` where there are any.
json::Object to_json(const metrics::Answer& answer);

// The newest number of the first series that has one; none when the source has no data.
std::optional<double> first_number(const metrics::Answer& answer);
// No number, and no document either.
bool is_empty(const metrics::Answer& answer);

// Takes secrets out of what a source echoes: texts, labels, and the texts of documents.
void clean(metrics::Answer& answer, const analysis::Redactor& redactor);

// One line a series: labels, how many points, least, greatest and newest value, and their course.
std::string table_of(const metrics::Answer& answer);

}  // namespace slipway::cli
