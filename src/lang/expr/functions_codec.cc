#include "base/base64.h"
#include "lang/expr/failure.h"
#include "lang/expr/functions.h"
#include "lang/expr/print.h"

namespace slipway::lang::expr::functions {

Value to_json(Arguments arguments, Budget& budget) {
  std::string text = print_json(arguments[0], budget);
  budget.text(text.size());
  return Value(std::move(text));
}

Value from_json(Arguments arguments, Budget& budget) {
  const std::string& text = text_argument(arguments[0]);
  budget.copy(text.size() / 2);  // no value is shorter than its comma and one more
  budget.text(text.size());
  return parse_json(text);
}

Value to_base64(Arguments arguments, Budget& budget) {
  const std::string& text = text_argument(arguments[0]);
  budget.text(text.size() * 2);
  return Value(base64_encode(text));
}

Value from_base64(Arguments arguments, Budget& budget) {
  const std::string& text = text_argument(arguments[0]);
  budget.text(text.size());
  auto bytes = base64_decode(text);
  if (!bytes) panic(bytes.error().message);
  return Value(std::move(*bytes));
}

}  // namespace slipway::lang::expr::functions
