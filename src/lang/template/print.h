#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "lang/template/format.h"
#include "lang/template/value.h"

// fmt.Print, Println and Printf over template values, byte for byte as Go prints them, mistakes in
// the format included: %!d(string=x). Maps come in the order of their keys. Where Go prints an
// address (%p of a map or list) ours is always 0x0.
namespace slipway::lang::go {

class Printer {
 public:
  // Throws LimitReached when the text would grow over `limit` bytes.
  explicit Printer(std::size_t limit) : out_(limit), format_(out_) {}

  // Spaces between neighbours of which neither is a string.
  void print(std::span<const Value> args);
  void println(std::span<const Value> args);
  void print_format(std::string_view format, std::span<const Value> args);
  // One value that Go holds as a reflect.Value, as error messages do.
  void reflected(const Value& value, char32_t verb);

  std::string take() { return out_.take(); }

 private:
  class Directive;

  void argument(const Value& arg, char32_t verb);
  void value(const Value& value, char32_t verb, int depth);
  bool methods(char32_t verb);
  void bad_verb(char32_t verb);
  void boolean(bool value, char32_t verb);
  void integer(Format::Integer value, char32_t verb);
  void floating(double value, char32_t verb);
  void complex(std::complex<double> value, char32_t verb);
  void string(std::string_view text, char32_t verb);
  void list(const List& list, char32_t verb, int depth);
  void map(const Value& value, char32_t verb, int depth);
  void structure(const Struct& value, char32_t verb, int depth);
  void separator(bool first);
  void rune(char32_t rune);

  Output out_;
  Format format_;
  // What is being printed, for bad_verb: an argument, or else a value inside one. Go keeps both and
  // shows whichever was set last; so do we.
  Value arg_;
  Value value_;
  bool erroring_ = false;
};

// fmt.Sprint of one value: what {{ … }} puts out.
std::string printed(const Value& value, std::size_t limit);

}  // namespace slipway::lang::go
