#include "lang/template/functions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "lang/template/failure.h"
#include "lang/template/print.h"

namespace slipway::lang::go {
namespace {

using Kind = Value::Kind;
using Args = std::span<const Value>;

// A position in a list or text of `size`. Go lets the one behind the last through here.
std::size_t position(const Value& index, std::size_t size) {
  std::int64_t at = 0;
  if (!index.valid()) throw CallFailure{"cannot index slice/array with nil"};
  if (index.boxed()) throw CallFailure{"cannot index slice/array with type interface {}"};
  switch (index.kind()) {
    case Kind::kInt:
      at = index.as<std::int64_t>();
      break;
    case Kind::kUint:
      at = static_cast<std::int64_t>(index.as<std::uint64_t>());
      break;
    case Kind::kByte:
      at = index.as<std::uint8_t>();
      break;
    default:
      throw CallFailure{fmt::format("cannot index slice/array with type {}", type_name(index))};
  }
  if (at < 0 || static_cast<std::size_t>(at) > size)
    throw CallFailure{fmt::format("index out of range: {}", at)};
  return static_cast<std::size_t>(at);
}

Value indexed(const Value& item, const Value& index) {
  if (item.is(Kind::kList)) {
    const List& list = item.as<List>();
    const std::size_t at = position(index, list.size());
    if (at == list.size()) throw CallFailure{"reflect: slice index out of range"};
    return item_at(list, at);
  }
  if (item.is(Kind::kString)) {
    const auto text = item.as<std::string_view>();
    const std::size_t at = position(index, text.size());
    if (at == text.size()) throw CallFailure{"reflect: string index out of range"};
    return Value(static_cast<std::uint8_t>(text[at]));
  }
  if (!item.is(Kind::kMap))
    throw CallFailure{fmt::format("can't index item of type {}", type_name(item))};
  if (!index.valid()) throw CallFailure{"value is nil; should be of type string"};
  if (!index.is(Kind::kString))
    throw CallFailure{fmt::format("value has type {}; should be string", type_name(index))};
  const Map& map = item.as<Map>();
  return entry_at(map, index.as<std::string_view>()).value_or(zero_entry(map));
}

Value index(Args args, Scratch&) {
  Value item = args[0].unboxed();
  if (!item.valid()) throw CallFailure{"index of untyped nil"};
  for (const Value& at : args.subspan(1)) {
    if (item.is(Kind::kNil)) throw CallFailure{"index of nil pointer"};
    item = indexed(item.unboxed(), at.unboxed());
  }
  return item;
}

[[noreturn]] void bad_slice(std::size_t low, std::size_t high) {
  throw CallFailure{fmt::format("invalid slice index: {} > {}", low, high)};
}

Value sliced_list(List list, Args indexes) {
  std::array<std::size_t, 3> at = {0, list.size(), list.capacity};
  for (std::size_t i = 0; i < indexes.size(); ++i) at[i] = position(indexes[i], list.capacity);
  if (at[0] > at[1]) bad_slice(at[0], at[1]);
  if (at[1] > at[2]) bad_slice(at[1], at[2]);
  list.end = list.begin + at[1];
  list.begin += at[0];
  list.capacity = at[2] - at[0];
  return Value(list);
}

Value slice(Args args, Scratch&) {
  const Value item = args[0].unboxed();
  const Args indexes = args.subspan(1);
  if (!item.valid()) throw CallFailure{"slice of untyped nil"};
  if (indexes.size() > 3)
    throw CallFailure{fmt::format("too many slice indexes: {}", indexes.size())};
  if (item.is(Kind::kList)) return sliced_list(item.as<List>(), indexes);
  if (!item.is(Kind::kString))
    throw CallFailure{fmt::format("can't slice item of type {}", type_name(item))};
  if (indexes.size() == 3) throw CallFailure{"cannot 3-index slice a string"};
  const auto text = item.as<std::string_view>();
  std::array<std::size_t, 2> at = {0, text.size()};
  for (std::size_t i = 0; i < indexes.size(); ++i) at[i] = position(indexes[i], text.size());
  if (at[0] > at[1]) bad_slice(at[0], at[1]);
  return Value(text.substr(at[0], at[1] - at[0]));
}

Value length(Args args, Scratch&) {
  if (args[0].is(Kind::kNil)) throw CallFailure{"len of nil pointer"};
  const Value item = args[0].unboxed();
  switch (item.kind()) {
    case Kind::kInvalid:
      throw CallFailure{"reflect: call of reflect.Value.Type on zero Value"};
    case Kind::kList:
      return Value(static_cast<std::int64_t>(item.as<List>().size()));
    case Kind::kMap:
      return Value(static_cast<std::int64_t>(item.as<Map>().entries->size()));
    case Kind::kString:
      return Value(static_cast<std::int64_t>(item.as<std::string_view>().size()));
    default:
      throw CallFailure{fmt::format("len of type {}", type_name(item))};
  }
}

Value print(Args args, Scratch& scratch) {
  Printer printer(scratch.left());
  printer.print(args);
  return Value(scratch.keep(printer.take()));
}

Value println(Args args, Scratch& scratch) {
  Printer printer(scratch.left());
  printer.println(args);
  return Value(scratch.keep(printer.take()));
}

Value print_format(Args args, Scratch& scratch) {
  Printer printer(scratch.left());
  printer.print_format(args[0].as<std::string_view>(), args.subspan(1));
  return Value(scratch.keep(printer.take()));
}

using Escape = std::string (*)(std::string_view);

Function escaper(Escape escape) {
  return {.params = {Param::kAny}, .variadic = true, .run = [escape](Args args, Scratch& scratch) {
            if (args.size() == 1 && args[0].is(Kind::kString))
              return Value(scratch.keep(escape(args[0].as<std::string_view>())));
            std::vector<Value> shown(args.begin(), args.end());
            for (Value& arg : shown)
              if (!arg.valid()) arg = Value(std::string_view("<no value>"));
            Printer printer(scratch.left());
            printer.print(shown);
            return Value(scratch.keep(escape(printer.take())));
          }};
}

Function comparison(bool (*holds)(const Value& a, const Value& b)) {
  return {.params = {Param::kValue, Param::kValue},
          .run = [holds](Args args, Scratch&) { return Value(holds(args[0], args[1])); }};
}

bool equal_two(const Value& a, const Value& b) { return equal(a, Args(&b, 1)); }
bool less_or_equal(const Value& a, const Value& b) { return less(a, b) || equal_two(a, b); }

Functions make_builtins() {
  using enum Param;
  Functions out;
  out["and"] = out["or"] = out["call"] = {.params = {kValue, kValue}, .variadic = true, .run = {}};
  out["index"] = {.params = {kValue, kValue}, .variadic = true, .run = index};
  out["slice"] = {.params = {kValue, kValue}, .variadic = true, .run = slice};
  out["len"] = {.params = {kValue}, .run = length};
  out["not"] = {.params = {kValue},
                .run = [](Args args, Scratch&) { return Value(!truth(args[0].unboxed())); }};
  out["print"] = {.params = {kAny}, .variadic = true, .run = print};
  out["println"] = {.params = {kAny}, .variadic = true, .run = println};
  out["printf"] = {.params = {kString, kAny}, .variadic = true, .run = print_format};
  out["html"] = escaper(escape_html);
  out["js"] = escaper(escape_js);
  out["urlquery"] = escaper(escape_url_query);
  out["eq"] = {.params = {kValue, kValue}, .variadic = true, .run = [](Args args, Scratch&) {
                 return Value(equal(args[0], args.subspan(1)));
               }};
  out["ne"] = comparison([](const Value& a, const Value& b) { return !equal_two(a, b); });
  out["lt"] = comparison(less);
  out["le"] = comparison(less_or_equal);
  out["gt"] = comparison([](const Value& a, const Value& b) { return !less_or_equal(a, b); });
  out["ge"] = comparison([](const Value& a, const Value& b) { return !less(a, b); });
  return out;
}

}  // namespace

std::string_view Scratch::keep(std::string text) {
  if (text.size() > left())
    throw LimitReached{fmt::format("functions make over {} bytes of text", limit_)};
  used_ += text.size();
  return texts_.emplace_back(std::move(text));
}

const Functions& builtin_functions() {
  static const Functions functions = make_builtins();
  return functions;
}

Function constant_function(Value value) {
  return {.run = [value](Args, Scratch&) { return value; }};
}

}  // namespace slipway::lang::go
