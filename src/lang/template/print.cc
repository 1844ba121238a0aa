#include "lang/template/print.h"

#include <utility>

#include "base/utf8.h"
#include "lang/template/runes.h"

namespace slipway::lang::go {
namespace {

using Kind = Value::Kind;

Format::Integer as_integer(const Value& value) {
  switch (value.kind()) {
    case Kind::kInt:
      return {.bits = static_cast<std::uint64_t>(value.as<std::int64_t>()), .is_signed = true};
    case Kind::kByte:
      return {.bits = value.as<std::uint8_t>(), .is_signed = false};
    default:
      return {.bits = value.as<std::uint64_t>(), .is_signed = false};
  }
}

}  // namespace

void Printer::print(std::span<const Value> args) {
  bool after_string = false;
  for (std::size_t i = 0; i < args.size(); ++i) {
    const bool is_string = args[i].is(Kind::kString);
    if (i > 0 && !is_string && !after_string) out_.append(" ");
    argument(args[i], 'v');
    after_string = is_string;
  }
}

void Printer::println(std::span<const Value> args) {
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (i > 0) out_.append(" ");
    argument(args[i], 'v');
  }
  out_.append("\n");
}

void Printer::reflected(const Value& shown, char32_t verb) {
  arg_ = shown.unboxed();
  if (shown.valid() && methods(verb)) return;
  value(shown, verb, 0);
}

void Printer::argument(const Value& boxed, char32_t verb) {
  const Value arg = boxed.unboxed();
  arg_ = arg;
  value_ = {};
  if (!arg.valid()) {
    if (verb == 'T' || verb == 'v')
      format_.padded("<nil>");
    else
      bad_verb(verb);
    return;
  }
  if (verb == 'T') return format_.text(type_name(arg));
  if (verb == 'p') {
    if (!arg.is(Kind::kMap) && !arg.is(Kind::kList)) return bad_verb(verb);
    const bool sharp = std::exchange(format_.flags.sharp, !format_.flags.sharp);
    format_.integer({}, 16, 'v');
    format_.flags.sharp = sharp;
    return;
  }
  switch (arg.kind()) {
    case Kind::kList:
    case Kind::kMap:
    case Kind::kStruct:
      if (!methods(verb)) value(arg, verb, 0);
      return;
    case Kind::kBool:
      return boolean(arg.as<bool>(), verb);
    case Kind::kFloat:
      return floating(arg.as<double>(), verb);
    case Kind::kComplex:
      return complex(arg.as<std::complex<double>>(), verb);
    case Kind::kString:
      return string(arg.as<std::string_view>(), verb);
    default:
      return integer(as_integer(arg), verb);
  }
}

void Printer::value(const Value& shown, char32_t verb, int depth) {
  if (depth > 0 && shown.valid()) {
    arg_ = shown.unboxed();
    if (methods(verb)) return;
  }
  arg_ = {};
  value_ = shown;
  switch (shown.kind()) {
    case Kind::kInvalid:
      return out_.append("<invalid reflect.Value>");
    case Kind::kNil:
      return out_.append(format_.flags.sharp_v ? "interface {}(nil)" : "<nil>");
    default:
      break;
  }
  if (shown.boxed()) return value(shown.unboxed(), verb, depth + 1);
  switch (shown.kind()) {
    case Kind::kList:
      return list(shown.as<List>(), verb, depth);
    case Kind::kMap:
      return map(shown, verb, depth);
    case Kind::kStruct:
      return structure(*shown.as<const Struct*>(), verb, depth);
    case Kind::kBool:
      return boolean(shown.as<bool>(), verb);
    case Kind::kFloat:
      return floating(shown.as<double>(), verb);
    case Kind::kComplex:
      return complex(shown.as<std::complex<double>>(), verb);
    case Kind::kString:
      return string(shown.as<std::string_view>(), verb);
    default:
      return integer(as_integer(shown), verb);
  }
}

// Whether the argument has its own way to be shown; %w is refused here, as it is for all but
// errors.
bool Printer::methods(char32_t verb) {
  if (erroring_) return false;
  if (verb == 'w') {
    bad_verb(verb);
    return true;
  }
  if (format_.flags.sharp_v || !arg_.is(Kind::kStruct)) return false;
  const auto& text = arg_.as<const Struct*>()->text;
  const bool stringable = verb == 'v' || verb == 's' || verb == 'x' || verb == 'X' || verb == 'q';
  if (!text || !stringable) return false;
  string(*text, verb);
  return true;
}

void Printer::bad_verb(char32_t verb) {
  erroring_ = true;
  out_.append("%!");
  rune(verb);
  out_.append("(");
  if (const Value arg = arg_; arg.valid()) {
    out_.append(type_name(arg));
    out_.append("=");
    argument(arg, 'v');
  } else if (const Value inside = value_; inside.valid()) {
    out_.append(type_name(inside));
    out_.append("=");
    value(inside, 'v', 0);
  } else {
    out_.append("<nil>");
  }
  out_.append(")");
  erroring_ = false;
}

void Printer::list(const List& items, char32_t verb, int depth) {
  const bool go_syntax = format_.flags.sharp_v;
  out_.append(go_syntax ? "[]interface {}{" : "[");
  for (std::size_t i = 0; i < items.size(); ++i) {
    separator(i == 0);
    value(item_at(items, i), verb, depth + 1);
  }
  out_.append(go_syntax ? "}" : "]");
}

void Printer::map(const Value& shown, char32_t verb, int depth) {
  const bool go_syntax = format_.flags.sharp_v;
  out_.append(go_syntax ? type_name(shown) + "{" : "map[");
  bool first = true;
  for (const auto& [key, held] : sorted_entries(shown.as<Map>())) {
    separator(std::exchange(first, false));
    value(Value(key), verb, depth + 1);
    out_.append(":");
    value(held, verb, depth + 1);
  }
  out_.append(go_syntax ? "}" : "]");
}

void Printer::structure(const Struct& shown, char32_t verb, int depth) {
  if (format_.flags.sharp_v) out_.append(shown.type);
  out_.append("{");
  bool first = true;
  for (const auto& field : shown.fields) {
    separator(std::exchange(first, false));
    if (format_.flags.plus_v || format_.flags.sharp_v) out_.append(field.name + ":");
    value(field.value, verb, depth + 1);
  }
  out_.append("}");
}

void Printer::separator(bool first) {
  if (!first) out_.append(format_.flags.sharp_v ? ", " : " ");
}

void Printer::rune(char32_t shown) {
  std::string text;
  utf8::append(text, shown);
  out_.append(text);
}

std::string printed(const Value& value, std::size_t limit) {
  Printer printer(limit);
  printer.print(std::span(&value, 1));
  return printer.take();
}

}  // namespace slipway::lang::go
