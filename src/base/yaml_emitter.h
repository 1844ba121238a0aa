#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/json.h"
#include "base/yaml_style.h"

// Lays out block-style YAML as libyaml and its Go port do: their rules for when a line is broken
// depend on what was written last, hence the state. Private to base/.
namespace slipway::yaml {

class Emitter {
 public:
  void document(const json::Value& value);
  std::string take() { return std::move(out_); }

 private:
  void node(const json::Value& value, bool in_mapping);
  void mapping(const json::Object& object);
  void key(std::string_view text);
  void sequence(const json::Array& array, bool in_mapping);
  void number(double number);
  void string(std::string_view text, bool as_key);
  void word(std::string_view text);

  void plain(std::string_view text, bool may_fold);
  void single_quoted(std::string_view text, bool may_fold);
  void double_quoted(std::string_view text, bool may_fold);
  void escaped(char32_t character);
  void literal(std::string_view text);

  // Writes a mark of the syntax; `separated`: with a space before it where one is due.
  void indicator(std::string_view mark, bool separated, bool keeps_indentation);
  void put(std::string_view text);  // one character, or ASCII
  void new_line();
  // Starts a line at the current indentation, unless that is where we are.
  void indent();
  // Whether a long scalar may be folded at this space.
  bool fold_here(std::string_view text, std::size_t at) const;

  std::string out_;
  int column_ = 0;
  int indent_ = -1;
  bool after_white_ = true;
  bool only_indentation_ = true;  // nothing but indentation and indicators on this line
};

}  // namespace slipway::yaml
