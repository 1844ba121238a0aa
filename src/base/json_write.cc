#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/float_text.h"
#include "base/json.h"
#include "base/utf8.h"

namespace slipway::json {
namespace {

std::string_view view(boost::json::string_view text) { return {text.data(), text.size()}; }

class Writer {
 public:
  Writer(std::string& out, const WriteOptions& options) : out_(out), options_(options) {}

  void value(const Value& value);

 private:
  template <class Integer>
  void integer(Integer number) {
    const fmt::format_int digits(number);
    out_.append(digits.data(), digits.size());
  }

  void array(const Array& array) {
    out_ += '[';
    ++depth_;
    bool first = true;
    for (const Value& element : array) {
      begin_item(first);
      value(element);
    }
    end_items(first, ']');
  }

  void object(const Object& object) {
    out_ += '{';
    ++depth_;
    bool first = true;
    if (options_.sort_keys) {
      for (const auto* pair : sorted(object)) member(*pair, first);
    } else {
      for (const auto& pair : object) member(pair, first);
    }
    end_items(first, '}');
  }

  void member(const boost::json::key_value_pair& pair, bool& first) {
    begin_item(first);
    append_string(out_, view(pair.key()), options_.escape_html);
    out_ += options_.indent > 0 ? ": " : ":";
    value(pair.value());
  }

  static std::vector<const boost::json::key_value_pair*> sorted(const Object& object) {
    std::vector<const boost::json::key_value_pair*> pairs;
    pairs.reserve(object.size());
    for (const auto& pair : object) pairs.push_back(&pair);
    std::sort(pairs.begin(), pairs.end(),
              [](const auto* a, const auto* b) { return a->key() < b->key(); });
    return pairs;
  }

  void begin_item(bool& first) {
    if (!first) out_ += ',';
    first = false;
    new_line();
  }

  void end_items(bool empty, char bracket) {
    --depth_;
    if (!empty) new_line();
    out_ += bracket;
  }

  void new_line() {
    if (options_.indent <= 0) return;
    out_ += '\n';
    out_.append(depth_ * static_cast<std::size_t>(options_.indent), ' ');
  }

  std::string& out_;
  const WriteOptions& options_;
  std::size_t depth_ = 0;
};

void Writer::value(const Value& value) {
  switch (value.kind()) {
    case boost::json::kind::null:
      out_ += "null";
      break;
    case boost::json::kind::bool_:
      out_ += value.get_bool() ? "true" : "false";
      break;
    case boost::json::kind::int64:
      integer(value.get_int64());
      break;
    case boost::json::kind::uint64:
      integer(value.get_uint64());
      break;
    case boost::json::kind::double_:
      append_number(out_, value.get_double());
      break;
    case boost::json::kind::string:
      append_string(out_, view(value.get_string()), options_.escape_html);
      break;
    case boost::json::kind::array:
      array(value.get_array());
      break;
    case boost::json::kind::object:
      object(value.get_object());
      break;
  }
}

void append_escaped(std::string& out, unsigned char byte) {
  switch (byte) {
    case '"':
      out += "\\\"";
      break;
    case '\\':
      out += "\\\\";
      break;
    case '\b':
      out += "\\b";
      break;
    case '\f':
      out += "\\f";
      break;
    case '\n':
      out += "\\n";
      break;
    case '\r':
      out += "\\r";
      break;
    case '\t':
      out += "\\t";
      break;
    default:
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", byte);
  }
}

bool stands_for_itself(unsigned char byte, bool escape_html) {
  if (byte < 0x20 || byte == '"' || byte == '\\') return false;
  return !escape_html || (byte != '<' && byte != '>' && byte != '&');
}

}  // namespace

void append_string(std::string& out, std::string_view text, bool escape_html) {
  out += '"';
  std::size_t written = 0;
  std::size_t at = 0;
  // Writes what was passed over and skips the next `length` bytes.
  const auto flush = [&](std::size_t length) {
    out.append(text.substr(written, at - written));
    at += length;
    written = at;
  };
  while (at < text.size()) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if (byte < 0x80) {
      if (stands_for_itself(byte, escape_html)) {
        ++at;
        continue;
      }
      flush(1);
      append_escaped(out, byte);
      continue;
    }
    const std::string_view rest = text.substr(at);
    const std::size_t length = utf8::length_of_first(rest);
    if (length == 0) {
      flush(1);
      out += "\\ufffd";
    } else if (rest.starts_with("\u2028") || rest.starts_with("\u2029")) {
      flush(length);
      out += rest.starts_with("\u2028") ? "\\u2028" : "\\u2029";
    } else {
      at += length;
    }
  }
  flush(0);
  out += '"';
}

void append_number(std::string& out, double number) {
  if (std::isnan(number)) {
    out += "\"NaN\"";
    return;
  }
  if (std::isinf(number)) {
    out += number > 0 ? "\"+Inf\"" : "\"-Inf\"";
    return;
  }
  const double size = std::fabs(number);
  if (size == 0 || (size >= 1e-6 && size < 1e21)) {
    append_fixed(out, number);
    return;
  }
  append_scientific(out, number);
  // Go writes 1e-7 here, not 1e-07.
  if (out[out.size() - 3] == '-' && out[out.size() - 2] == '0') out.erase(out.size() - 2, 1);
}

void append(std::string& out, const Value& value, const WriteOptions& options) {
  Writer(out, options).value(value);
}

std::string write(const Value& value, const WriteOptions& options) {
  std::string out;
  append(out, value, options);
  return out;
}

}  // namespace slipway::json
