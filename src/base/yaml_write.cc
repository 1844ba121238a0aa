#include <fmt/format.h>

#include <cmath>

#include "base/float_text.h"
#include "base/utf8.h"
#include "base/yaml.h"
#include "base/yaml_emitter.h"
#include "base/yaml_key_order.h"
#include "base/yaml_scalar.h"

namespace slipway::yaml {
namespace {

constexpr int kStep = 2;
// Longer keys get a line of their own, marked by '?'.
constexpr std::size_t kMaxSimpleKey = 128;

std::string_view view(const json::String& text) { return {text.data(), text.size()}; }

}  // namespace

void Emitter::document(const json::Value& value) {
  node(value, false);
  indent_ = 0;
  indent();
}

void Emitter::node(const json::Value& value, bool in_mapping) {
  if (const auto* object = value.if_object()) {
    object->empty() ? indicator("{}", true, false) : mapping(*object);
  } else if (const auto* array = value.if_array()) {
    array->empty() ? indicator("[]", true, false) : sequence(*array, in_mapping);
  } else if (const auto* text = value.if_string()) {
    string(utf8::repaired(view(*text)), false);
  } else if (const auto* real = value.if_double()) {
    number(*real);
  } else {
    word(json::write(value));
  }
}

void Emitter::mapping(const json::Object& object) {
  const int outer = indent_;
  indent_ = indent_ < 0 ? 0 : indent_ + kStep;
  for (const auto* pair : in_key_order(object)) {
    indent();
    key(utf8::repaired(std::string_view(pair->key().data(), pair->key().size())));
    node(pair->value(), true);
  }
  indent_ = outer;
}

void Emitter::key(std::string_view text) {
  if (text.size() <= kMaxSimpleKey && text.find('\n') == std::string_view::npos) {
    string(text, true);
    indicator(":", false, false);
    return;
  }
  indicator("?", true, true);
  string(text, false);
  indent();
  indicator(":", true, true);
}

void Emitter::sequence(const json::Array& array, bool in_mapping) {
  const int outer = indent_;
  // A list stands right below its key, not further in.
  const bool stays = in_mapping && !only_indentation_;
  indent_ = indent_ < 0 ? 0 : stays ? indent_ : indent_ + kStep;
  for (const json::Value& element : array) {
    indent();
    indicator("-", true, true);
    node(element, false);
  }
  indent_ = outer;
}

// Upstream goes through JSON text, where a double without fraction is an integer.
void Emitter::number(double number) {
  if (std::isnan(number)) return word(".nan");
  if (std::isinf(number)) return word(number > 0 ? ".inf" : "-.inf");
  std::string text;
  json::append_number(text, number);
  const json::Value read_back = resolve_plain(text);
  word(read_back.is_double() ? general_text(number) : json::write(read_back));
}

std::string write(const json::Value& value) {
  Emitter emitter;
  emitter.document(value);
  return emitter.take();
}

}  // namespace slipway::yaml
