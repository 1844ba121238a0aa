#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "base/json.h"
#include "base/repeated_keys.h"

// The recursive-descent reader behind json::read. Private to base/: yaml.cc uses it for documents
// that are JSON.
namespace slipway::json {

// One step from the top of a document to where the reader stands, linked upwards on the stack.
struct PathStep {
  const PathStep* parent = nullptr;
  std::string_view key = {};  // of an object member; empty in an array
  std::size_t index = 0;
  bool in_array = false;
};

// "spec.metrics[0].name", keys joined by dots as Kubernetes names duplicate fields.
std::string dotted_path(const PathStep& step);

// Told of each member and element, before and after its value is read.
class PathObserver {
 public:
  virtual ~PathObserver() = default;
  virtual void enter(const PathStep& step, std::size_t offset) = 0;
  virtual void leave() = 0;
  // The key of `step` was there before.
  virtual void repeated(const PathStep& step) = 0;
};

class Parser {
 public:
  Parser(std::string_view text, const ReadOptions& options, PathObserver* observer = nullptr);

  // One value and the white space around it. False: see message() and offset().
  bool parse_value(Value& out);
  bool at_end() const { return at_ == end_; }
  // Members with these keys, in the top two levels, are passed over (see json_skim.h).
  void leave_out(std::span<const std::string_view> keys) { left_out_ = keys; }

  // Where the reader stands, or where it failed.
  std::size_t offset() const { return static_cast<std::size_t>(at_ - begin_); }
  const std::string& message() const { return message_; }
  // The failure as json::read reports it.
  std::unexpected<Error> failure() const;

 private:
  bool value(Value& out, const PathStep* step);
  bool object(Value& out, const PathStep* parent);
  bool member(Object& object, PathStep& step);
  bool leaves_out(std::string_view key) const;
  bool pass_over();
  bool array(Value& out, const PathStep* parent);
  bool number(Value& out);
  bool special_number(Value& out);
  bool word(std::string_view expected, Value literal, Value& out);
  // The string after the opening quote: a view of the text, or of `scratch` when it had escapes.
  bool string(std::string& scratch, std::string_view& out);
  bool string_with_escapes(const char* start, std::string& scratch);
  bool escape(std::string& out);
  bool four_hex_digits(char32_t& out);

  void skip_space();
  bool enter_container();
  bool fail_at(const char* where, std::string message);
  bool expected(std::string_view what);

  const char* begin_;
  const char* at_;
  const char* end_;
  const ReadOptions& options_;
  PathObserver* observer_;
  std::size_t depth_ = 0;
  std::span<const std::string_view> left_out_ = {};
  RepeatedKeys repeated_;
  std::string scratch_;
  std::string message_;
};

// "line 3, column 7", both from 1; columns count characters.
std::string describe_position(std::string_view text, std::size_t offset);

}  // namespace slipway::json
