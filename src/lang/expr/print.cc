#include "lang/expr/print.h"

#include <fmt/format.h>

#include <cmath>

#include "base/base64.h"
#include "lang/expr/failure.h"
#include "lang/expr/limits.h"
#include "lang/expr/moment.h"
#include "lang/expr/number_text.h"

namespace slipway::lang::expr {

namespace {

class Printer {
 public:
  std::string run(const Value& value) {
    append(value);
    return std::move(out_);
  }

 private:
  void append(const Value& value) {
    if (out_.size() > kMaxText)
      panic(fmt::format("the condition makes texts of more than {} bytes", kMaxText));
    if (!value.type()) {
      out_ += "<nil>";
    } else if (value.is_list()) {
      append_list(value);
    } else if (value.has(Kind::kMap)) {
      append_map(value);
    } else {
      out_ += scalar(value);
    }
  }

  void append_list(const Value& value) {
    out_ += '[';
    const char* gap = "";
    for (const Value& item : value.items()) {
      out_ += gap;
      append(item);
      gap = " ";
    }
    out_ += ']';
  }

  void append_map(const Value& value) {
    out_ += "map[";
    const char* gap = "";
    for (const auto& [key, item] : value.entries().items) {
      out_ += gap;
      append(key);
      out_ += ':';
      append(item);
      gap = " ";
    }
    out_ += ']';
  }

  static std::string scalar(const Value& value) {
    if (value.type() == types().time) return moment_text(value.moment());
    if (value.type() == types().duration) return format_duration(value.duration());
    if (value.type() == types().month) return std::string(month_name(value.integer()));
    if (value.type() == types().weekday) return std::string(weekday_name(value.integer()));
    switch (value.type()->kind) {
      case Kind::kBool:
        return value.boolean() ? "true" : "false";
      case Kind::kFloat64:
        return float_text(value.number());
      case Kind::kString:
      case Kind::kPtr:
        return value.text();
      case Kind::kFunc:
        return value.function().name;  // Go prints an address
      case Kind::kStruct:
        return "{}";
      default:
        return std::to_string(value.integer());
    }
  }

  std::string out_;
};

json::Value as_json(const Value& value, Budget& budget);

json::Value list_json(const Value& value, Budget& budget) {
  if (value.type() == types().bytes) {
    std::string bytes;
    for (const Value& item : value.items()) bytes += static_cast<char>(item.integer());
    return json::Value(base64_encode(bytes));
  }
  json::Array items;
  for (const Value& item : value.items()) items.push_back(as_json(item, budget));
  return items;
}

json::Value map_json(const Value& value, Budget& budget) {
  const Kind key = value.type()->key->kind;
  if (key != Kind::kString && key != Kind::kInt)
    panic("json: unsupported type: " + value.type_name());
  json::Object entries;
  for (const auto& [name, item] : value.entries().items)
    entries[key == Kind::kString ? name.text() : std::to_string(name.integer())] =
        as_json(item, budget);
  return entries;
}

json::Value as_json(const Value& value, Budget& budget) {
  budget.copy(1);
  if (value.is_nil()) return nullptr;
  if (value.is_list()) return list_json(value, budget);
  if (value.has(Kind::kMap)) return map_json(value, budget);
  if (value.type() == types().time) return json::Value(moment_rfc3339(value.moment()));
  switch (value.type()->kind) {
    case Kind::kBool:
      return value.boolean();
    case Kind::kFloat64:
      if (!std::isfinite(value.number()))
        panic("json: unsupported value: " + float_text(value.number()));
      return value.number();
    case Kind::kString:
      return json::Value(value.text());
    case Kind::kFunc:
      panic("json: unsupported type: " + value.type_name());
    case Kind::kStruct:
    case Kind::kPtr:
      return json::Object{};
    default:
      return value.integer();
  }
}

}  // namespace

std::string print(const Value& value) { return Printer().run(value); }

std::string print_json(const Value& value, Budget& budget) {
  return json::write(as_json(value, budget), {.escape_html = true, .indent = 2, .sort_keys = true});
}

}  // namespace slipway::lang::expr
