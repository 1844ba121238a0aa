#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "api/label_requirement.h"
#include "api/wire/go_format.h"

namespace slipway::api {

namespace {

enum class Token {
  kError,
  kEnd,
  kClose,
  kComma,
  kNot,
  kDoubleEquals,
  kEquals,
  kGreater,
  kIdentifier,
  kIn,
  kLess,
  kNotEquals,
  kNotIn,
  kOpen,
};

struct Scanned {
  Token token = Token::kEnd;
  std::string text = {};
};

constexpr std::array<std::pair<std::string_view, Token>, 11> kTokens = {
    {{")", Token::kClose},
     {",", Token::kComma},
     {"!", Token::kNot},
     {"==", Token::kDoubleEquals},
     {"=", Token::kEquals},
     {">", Token::kGreater},
     {"in", Token::kIn},
     {"<", Token::kLess},
     {"!=", Token::kNotEquals},
     {"notin", Token::kNotIn},
     {"(", Token::kOpen}}};

Token token_of(std::string_view text, Token otherwise) {
  auto found = std::ranges::find(kTokens, text, &std::pair<std::string_view, Token>::first);
  return found == kTokens.end() ? otherwise : found->second;
}

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
bool is_symbol(char c) { return std::string_view("=!(),><").find(c) != std::string_view::npos; }

// The longest symbol that is a token; "=!" is "=" and "!".
Scanned scan_symbol(std::string_view text, std::size_t& at) {
  Scanned last{Token::kError};
  std::string seen;
  while (at < text.size() && is_symbol(text[at])) {
    std::string longer = seen + text[at];
    Token token = token_of(longer, Token::kError);
    if (token == Token::kError && last.token != Token::kError) break;
    seen = std::move(longer);
    ++at;
    if (token != Token::kError) last = {token, seen};
  }
  if (last.token == Token::kError)
    last.text = fmt::format("error expected: keyword found '{}'", seen);
  return last;
}

// A NUL byte ends the text, as it does upstream.
std::vector<Scanned> scan(std::string_view text) {
  text = text.substr(0, text.find('\0'));
  std::vector<Scanned> out;
  std::size_t at = 0;
  while (true) {
    while (at < text.size() && is_space(text[at])) ++at;
    if (at == text.size()) break;
    if (is_symbol(text[at])) {
      out.push_back(scan_symbol(text, at));
      continue;
    }
    std::size_t begin = at;
    while (at < text.size() && !is_symbol(text[at]) && !is_space(text[at])) ++at;
    std::string word(text.substr(begin, at - begin));
    Token token = token_of(word, Token::kIdentifier);
    out.push_back({token, std::move(word)});
  }
  out.push_back({Token::kEnd});
  return out;
}

std::unexpected<Error> unexpected_token(std::string_view found, std::string_view expected) {
  return fail(ErrorCode::kBadRequest, fmt::format("found '{}', expected: {}", found, expected));
}

class Parser {
 public:
  explicit Parser(std::string_view text) : items_(scan(text)) {}

  Result<LabelSelector> parse() {
    LabelSelector selector;
    while (true) {
      Scanned next = look();
      if (next.token == Token::kEnd) return selector;
      if (next.token != Token::kIdentifier && next.token != Token::kNot)
        return unexpected_token(next.text, "!, identifier, or 'end of string'");
      auto requirement = parse_requirement();
      if (!requirement)
        return fail(ErrorCode::kBadRequest,
                    "unable to parse requirement: " + requirement.error().message);
      selector.requirements.push_back(std::move(*requirement));
      Scanned after = take();
      if (after.token == Token::kEnd) return selector;
      if (after.token != Token::kComma)
        return unexpected_token(after.text, "',' or 'end of string'");
      Scanned following = look();
      if (following.token != Token::kIdentifier && following.token != Token::kNot)
        return unexpected_token(following.text, "identifier after ','");
    }
  }

 private:
  // In the place of a key or value "in" and "notin" are words like others.
  static Scanned as_value(Scanned item) {
    if (item.token == Token::kIn || item.token == Token::kNotIn) item.token = Token::kIdentifier;
    return item;
  }
  Scanned look() const { return as_value(items_[std::min(position_, items_.size() - 1)]); }
  Scanned take_operator() { return items_[std::min(position_++, items_.size() - 1)]; }
  Scanned take() { return as_value(take_operator()); }

  Result<Requirement> parse_requirement() {
    Requirement requirement;
    Scanned key = take();
    bool negated = key.token == Token::kNot;
    if (negated) key = take();
    if (key.token != Token::kIdentifier) return unexpected_token(key.text, "identifier");
    if (std::string problem = label_key_problem(key.text); !problem.empty())
      return fail(ErrorCode::kBadRequest,
                  fmt::format("<nil>: Invalid value: {}: {}", go_quoted(key.text), problem));
    requirement.key = std::move(key.text);
    Token next = look().token;
    if (negated || next == Token::kEnd || next == Token::kComma) {
      requirement.op = negated ? Requirement::Op::kNotExists : Requirement::Op::kExists;
    } else {
      SLIPWAY_TRY(parse_operation(requirement));
    }
    SLIPWAY_TRY(check_requirement(requirement));
    return requirement;
  }

  Result<> parse_operation(Requirement& requirement) {
    Scanned op = take_operator();
    switch (op.token) {
      case Token::kIn:
        requirement.op = Requirement::Op::kIn;
        return parse_values(requirement);
      case Token::kNotIn:
        requirement.op = Requirement::Op::kNotIn;
        return parse_values(requirement);
      case Token::kEquals:
      case Token::kDoubleEquals:
        requirement.op = Requirement::Op::kEquals;
        break;
      case Token::kNotEquals:
        requirement.op = Requirement::Op::kNotEquals;
        break;
      case Token::kGreater:
        requirement.op = Requirement::Op::kGreater;
        break;
      case Token::kLess:
        requirement.op = Requirement::Op::kLess;
        break;
      default:
        return unexpected_token(op.text, "in, notin, =, ==, !=, gt, lt");
    }
    Token next = look().token;
    if (next == Token::kEnd || next == Token::kComma) {
      requirement.values = {""};
      return {};
    }
    Scanned value = take();
    if (value.token != Token::kIdentifier) return unexpected_token(value.text, "identifier");
    requirement.values = {std::move(value.text)};
    return {};
  }

  Result<> parse_values(Requirement& requirement) {
    Scanned open = take();
    if (open.token != Token::kOpen)
      return fail(ErrorCode::kBadRequest, fmt::format("found '{}' expected: '('", open.text));
    std::set<std::string> values;
    Scanned first = look();
    if (first.token == Token::kClose) {
      values.insert("");
    } else if (first.token == Token::kIdentifier || first.token == Token::kComma) {
      SLIPWAY_TRY(parse_list(values));
    } else {
      return unexpected_token(first.text, "',', ')' or identifier");
    }
    if (take().token != Token::kClose) return unexpected_token(first.text, "')'");
    requirement.values.assign(values.begin(), values.end());
    return {};
  }

  Result<> parse_list(std::set<std::string>& values) {
    while (true) {
      Scanned item = take();
      if (item.token == Token::kIdentifier) {
        values.insert(item.text);
        Scanned next = look();
        if (next.token == Token::kClose) return {};
        if (next.token != Token::kComma) return unexpected_token(next.text, "',' or ')'");
      } else if (item.token == Token::kComma) {
        if (values.empty()) values.insert("");
        Token next = look().token;
        if (next == Token::kClose || next == Token::kComma) values.insert("");
        if (next == Token::kClose) return {};
        if (next == Token::kComma) take();
      } else {
        return unexpected_token(item.text, "',', or identifier");
      }
    }
  }

  std::vector<Scanned> items_;
  std::size_t position_ = 0;
};

}  // namespace

Result<LabelSelector> parse_label_selector(std::string_view text) {
  auto selector = Parser(text).parse();
  if (selector) sort_by_key(*selector);
  return selector;
}

}  // namespace slipway::api
