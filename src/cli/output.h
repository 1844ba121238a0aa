#pragma once

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/json.h"

// What people and scripts see. Results on stdout, everything else on stderr; colour only on a
// terminal that is not dumb, without NO_COLOR.
namespace slipway::cli {

// The one way to a stream: false when the text is lost. A reader that is gone must end nothing
// else, and fmt::print throws then (tests/tidy knows).
bool write_to(std::FILE* file, std::string_view text);
// To stdout, as it is. What cannot be written is said once on stderr; output_failed() from then on.
void print(std::string_view text);
bool output_failed();
// The exit code of a command that gave `code`: kExitCannotAsk when its output was lost.
int finish_output(int code);
void print_line(std::string_view line);
void note(std::string_view line);  // stderr; lost when nobody reads it
// `slipway: message` on stderr, and the exit code for it.
int complain(const Error& error);
// kExitCannotAsk when nobody answered or the server failed; what a server refused, for whatever
// reason, is kExitFailed.
int exit_code_of(const Error& error);
bool stdout_is_terminal();
bool colours();

enum class Format { kTable, kWide, kJson, kYaml, kName };
// "", wide, json, yaml, name. kInvalid names the others.
Result<Format> parse_format(std::string_view word);
void print_value(const json::Value& value, Format format);  // kJson or kYaml

// Of an object, or of each in a list: who owns which field, which few want to see.
void hide_managed_fields(json::Value& value);
void print_object(json::Value object, Format format);  // without them

// What a change made of an object: the object, its name, or `name done`.
void print_changed(const json::Value& object, std::string_view name, std::string_view done,
                   Format format);

// A text of others for people, as kubectl shows it: what a terminal would obey is written out (^[
// for ESC, \r, \u0085), but for the characters in `kept`. What is no UTF-8 is U+FFFD.
std::string escaped(std::string_view text, std::string_view kept = {});

// Rows in columns padded to the widest cell, three spaces apart, as kubectl prints them.
std::string align(const std::vector<std::vector<std::string>>& rows);
// The same for rows that come later, too: `widths` are those so far, and grow.
std::string align(const std::vector<std::vector<std::string>>& rows,
                  std::vector<std::size_t>& widths);

}  // namespace slipway::cli
