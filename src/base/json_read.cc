#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "base/json_parser.h"
#include "base/json_scratch.h"
#include "base/utf8.h"

namespace slipway::json {
namespace {

constexpr std::size_t kUsualMembers = 4;  // room made at once; saves growing one by one

std::string describe(const char* at, const char* end) {
  if (at == end) return "the end of the document";
  const auto byte = static_cast<unsigned char>(*at);
  if (byte < 0x20 || byte == 0x7F) return fmt::format("the character 0x{:02x}", byte);
  const std::string_view rest(at, static_cast<std::size_t>(end - at));
  const std::size_t length = utf8::length_of_first(rest);
  if (length == 0) return fmt::format("the byte 0x{:02x}", byte);
  return fmt::format("'{}'", rest.substr(0, length));
}

}  // namespace

std::string dotted_path(const PathStep& step) {
  std::string path = step.parent ? dotted_path(*step.parent) : "";
  if (step.in_array) return path + fmt::format("[{}]", step.index);
  if (!path.empty()) path += '.';
  return path.append(step.key);
}

std::string describe_position(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::string_view in_line = before.substr(before.rfind('\n') + 1);
  const auto column = 1 + std::count_if(in_line.begin(), in_line.end(), [](char c) {
                        return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
                      });
  return fmt::format("line {}, column {}", line, column);
}

Parser::Parser(std::string_view text, const ReadOptions& options, PathObserver* observer)
    : begin_(text.data()),
      at_(begin_),
      end_(begin_ + text.size()),
      options_(options),
      observer_(observer),
      repeated_(options.duplicates) {
  skip_space();
}

bool Parser::parse_value(Value& out) {
  if (!value(out, nullptr)) return false;
  skip_space();
  return true;
}

std::unexpected<Error> Parser::failure() const {
  const std::string_view text(begin_, static_cast<std::size_t>(end_ - begin_));
  return fail(ErrorCode::kBadRequest,
              fmt::format("{}: {}", describe_position(text, offset()), message_));
}

bool Parser::fail_at(const char* where, std::string message) {
  at_ = where;
  message_ = std::move(message);
  return false;
}

bool Parser::expected(std::string_view what) {
  return fail_at(at_, fmt::format("expected {}, found {}", what, describe(at_, end_)));
}

void Parser::skip_space() {
  while (at_ != end_ && (*at_ == ' ' || *at_ == '\n' || *at_ == '\t' || *at_ == '\r')) ++at_;
}

bool Parser::enter_container() {
  if (depth_ >= options_.max_depth) {
    return fail_at(at_, fmt::format("nested more than {} levels deep", options_.max_depth));
  }
  ++depth_;
  ++at_;
  skip_space();
  return true;
}

bool Parser::value(Value& out, const PathStep* step) {
  if (at_ == end_) return expected("a value");
  switch (*at_) {
    case '{':
      return object(out, step);
    case '[':
      return array(out, step);
    case '"': {
      std::string_view text;
      if (!string(scratch_, text)) return false;
      out.emplace_string().assign(text.data(), text.size());
      return true;
    }
    case 't':
      return word("true", true, out);
    case 'f':
      return word("false", false, out);
    case 'n':
      return word("null", nullptr, out);
    default:
      return number(out);
  }
}

bool Parser::object(Value& out, const PathStep* parent) {
  if (!enter_container()) return false;
  Object& object = out.emplace_object();
  PathStep step{.parent = parent};
  if (at_ != end_ && *at_ == '}') {
    ++at_;
    --depth_;
    return true;
  }
  object.reserve(kUsualMembers);
  while (true) {
    if (!member(object, step)) return false;
    if (at_ == end_ || (*at_ != ',' && *at_ != '}')) return expected("',' or '}'");
    const bool last = *at_++ == '}';
    if (last) break;
    skip_space();
  }
  --depth_;
  return true;
}

bool Parser::member(Object& object, PathStep& step) {
  const std::size_t key_offset = offset();
  if (at_ == end_ || *at_ != '"') return expected("a key in double quotes");
  std::string_view key;
  if (!string(scratch_, key)) return false;
  if (leaves_out(key)) return pass_over();
  const auto [place, is_new] =
      object.emplace(boost::json::string_view(key.data(), key.size()), nullptr);
  step.key = std::string_view(place->key().data(), place->key().size());
  if (!is_new && repeated_.wanted()) repeated_.add(dotted_path(step));
  if (!is_new && observer_) observer_->repeated(step);
  skip_space();
  if (at_ == end_ || *at_ != ':') return expected("':' after the key");
  ++at_;
  skip_space();
  if (observer_) observer_->enter(step, key_offset);
  if (!value(place->value(), &step)) return false;
  if (observer_) observer_->leave();
  skip_space();
  return true;
}

bool Parser::array(Value& out, const PathStep* parent) {
  if (!enter_container()) return false;
  Array& array = out.emplace_array();
  PathStep step{.parent = parent, .in_array = true};
  if (at_ != end_ && *at_ == ']') {
    ++at_;
    --depth_;
    return true;
  }
  while (true) {
    if (observer_) observer_->enter(step, offset());
    if (!value(array.emplace_back(nullptr), &step)) return false;
    if (observer_) observer_->leave();
    ++step.index;
    skip_space();
    if (at_ == end_ || (*at_ != ',' && *at_ != ']')) return expected("',' or ']'");
    const bool last = *at_++ == ']';
    if (last) break;
    skip_space();
  }
  --depth_;
  return true;
}

bool Parser::word(std::string_view expected_word, Value literal, Value& out) {
  const std::string_view rest(at_, static_cast<std::size_t>(end_ - at_));
  if (!rest.starts_with(expected_word)) return expected("a value");
  at_ += expected_word.size();
  out = std::move(literal);
  return true;
}

namespace {

Result<Value> read_into(Value value, std::string_view text, const ReadOptions& options) {
  if (text.size() > options.max_bytes) {
    return fail(ErrorCode::kTooLarge,
                fmt::format("the document has {} bytes; at most {} are allowed", text.size(),
                            options.max_bytes));
  }
  Parser parser(text, options);
  if (!parser.parse_value(value)) return parser.failure();
  if (!parser.at_end()) {
    return fail(ErrorCode::kBadRequest,
                fmt::format("{}: expected the end of the document, found more after its value",
                            describe_position(text, parser.offset())));
  }
  return value;
}

}  // namespace

Result<Value> read(std::string_view text, const ReadOptions& options) {
  return read_into(Value(), text, options);
}

Result<Value> Scratch::read(std::string_view text, const ReadOptions& options) {
  return read_into(Value(boost::json::storage_ptr(&memory_)), text, options);
}

}  // namespace slipway::json
