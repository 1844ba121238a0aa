#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lang/template/value.h"

// Functions that templates may call: Go's own, and those a dialect adds.
namespace slipway::lang::go {

// Keeps the texts that functions make until the template is done.
class Scratch {
 public:
  explicit Scratch(std::size_t limit) : limit_(limit) {}
  // Throws LimitReached when all texts together would be over the limit.
  std::string_view keep(std::string text);
  std::size_t left() const { return limit_ - used_; }

 private:
  std::deque<std::string> texts_;
  std::size_t limit_;
  std::size_t used_ = 0;
};

// What a parameter accepts: Go's interface{}, reflect.Value (which sees whether an argument came
// out of an interface) and string.
enum class Param { kAny, kValue, kString };

struct Function {
  std::vector<Param> params = {};
  bool variadic = false;  // the last parameter takes any number of arguments
  // Called with as many arguments as the parameters ask for. Throws CallFailure.
  std::function<Value(std::span<const Value> args, Scratch& scratch)> run;
};
using Functions = std::map<std::string, Function, std::less<>>;

// Go's: and call eq ge gt html index js le len lt ne not or print printf println slice urlquery.
// `and`, `or` and `call` have no `run`: the executor does them.
const Functions& builtin_functions();

// A function without parameters that always answers `value`.
Function constant_function(Value value);

// Comparisons behind eq and lt; CallFailure when the values do not compare.
bool equal(const Value& a, std::span<const Value> others);
bool less(const Value& a, const Value& b);

// Text made safe for HTML, for a JavaScript string, for the query of a URL.
std::string escape_html(std::string_view text);
std::string escape_js(std::string_view text);
std::string escape_url_query(std::string_view text);

}  // namespace slipway::lang::go
