#pragma once

#include <string_view>

#include "base/error.h"
#include "base/json.h"
#include "judge/answer.h"

// Cases of `slipway judge`, as a batch line or the command line gives them.
namespace slipway::cli {

// `{"method","direction","control":[…],"experiment":[…],"options":{…}}`, or `looks` for a
// sequential method. Without a method it is mann-whitney; with looks it is counts when they hold
// events, else stratified-rank. Points may be null (missing).
//
// kInvalid names the field, what was found and what would be right.
Result<judge::Answer> judge_case(const json::Object& asked);

// A file of numbers: a JSON array, or numbers between blanks, commas, semicolons or line ends.
// kInvalid names the line and the word that is no number.
Result<json::Array> read_numbers(std::string_view text);

// `key=value` of the command line, into `options`: numbers, true and false are taken as such,
// anything else as text.
Result<> add_option(json::Object& options, std::string_view word);

}  // namespace slipway::cli
