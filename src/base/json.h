#pragma once

#include <boost/json/value.hpp>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

// JSON as slipway reads and writes it: Boost.JSON holds the values; reading has limits and says
// line and column, writing prints numbers and strings as Go's encoding/json does, so that bytes and
// hashes agree with Kubernetes.
namespace slipway::json {

using Value = boost::json::value;
using Object = boost::json::object;  // keeps insertion order
using Array = boost::json::array;
using String = boost::json::string;

inline constexpr std::size_t kMaxBytes = 3 * 1024 * 1024;
inline constexpr std::size_t kMaxDepth = 100;

struct ReadOptions {
  std::size_t max_bytes = kMaxBytes;
  std::size_t max_depth = kMaxDepth;
  bool allow_nan = false;  // NaN, Infinity, -Infinity as numbers (tool commands)
  // Paths of repeated keys ("spec.a.b[0].c", keys joined by dots) go here, the first hundred of
  // them. The last value wins.
  std::vector<std::string>* duplicates = nullptr;
};

// Integers that fit stay integers (int64, else uint64), all other numbers are doubles. Malformed
// UTF-8 becomes U+FFFD.
// Errors: kTooLarge over max_bytes, else kBadRequest with "line L, column C: …".
Result<Value> read(std::string_view text, const ReadOptions& options = {});

// Compact. `escape_html`: <, > and & as \u003c … (Go's default). Non-finite numbers become the
// strings "NaN", "+Inf", "-Inf".
struct WriteOptions {
  bool escape_html = false;
  int indent = 0;  // spaces a level; 0 is compact
  bool sort_keys = false;
};
std::string write(const Value& value, const WriteOptions& options = {});
void append(std::string& out, const Value& value, const WriteOptions& options = {});
void append_string(std::string& out, std::string_view text, bool escape_html = false);
void append_number(std::string& out, double number);

// Looks up a path of object keys: at(v, {"metadata", "labels"}); null pointer when a step is
// missing or no object. In an object there is nothing at the empty path.
//
// What is found lives in the value that was given; the compiler refuses to keep what was found in a
// temporary.
using Path = std::initializer_list<std::string_view>;
const Value* at(const Value& value [[clang::lifetimebound]], Path path);
Value* at(Value& value [[clang::lifetimebound]], Path path);
const Value* at(const Object& object [[clang::lifetimebound]], Path path);

// The string at a path, or empty when it is missing or not a string.
std::string_view string_at(const Value& value [[clang::lifetimebound]], Path path);
std::string_view string_at(const Object& object [[clang::lifetimebound]], Path path);

// The object at a path, making the missing ones on the way.
Object& object_at(Value& value, Path path);

// Equal as JSON data: key order does not matter, 1 and 1.0 are the same number.
bool same(const Value& a, const Value& b);

// Removes a key. The others keep their order, but in objects so large that keeping it takes time.
void erase(Object& object, std::string_view key);

}  // namespace slipway::json
