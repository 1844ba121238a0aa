#pragma once

#include <cstddef>
#include <functional>
#include <iosfwd>
#include <string>

#include "base/error.h"
#include "base/json.h"
#include "cli/output.h"

// `--batch FILE|-`: many cases in one run of a tool command. One JSON object a line in, one JSON
// object a line out, in the same order.
namespace slipway::cli {

inline constexpr std::size_t kMaxBatchLine = 16 * 1024 * 1024;

// Answers one case. What it returns is printed after the case's `id`; an error is printed as
// `{"id":…,"error":{"code":…,"message":…}}`. Must not fail in any other way.
using BatchWork = std::function<Result<json::Object>(const json::Object& case_)>;

// Reads line by line, never the whole input, and prints each answer as soon as it is known. NaN,
// Infinity and -Infinity are read as numbers. Blank lines are passed over; a line that is no JSON
// object, or longer than kMaxBatchLine, is answered with an error (`id` null) and the rest goes on.
// Exit code: done when every line was answered, whatever the answers say; cannot-ask (with a
// complaint) when the input cannot be opened or read.
int run_batch(const std::string& path, const BatchWork& work);

// The same on streams. False when reading or writing failed.
bool answer_lines(std::istream& in, std::ostream& out, const BatchWork& work);

// {"error":{"code":…,"message":…}}: how tool commands print a failure as JSON.
json::Object error_object(const Error& error);

// Says why a command cannot be carried out, as JSON or YAML, too, where that is wanted; `advice` is
// for people only. The exit code: misuse of an option, or what could not be asked.
int refuse(const Error& error, Format format, std::string_view advice = "");

}  // namespace slipway::cli
