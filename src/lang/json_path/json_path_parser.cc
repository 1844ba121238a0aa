#include <fmt/format.h>

#include <charconv>
#include <optional>

#include "lang/json_path/json_path.h"

namespace slipway::lang {

namespace {
constexpr int kMaxFilterDepth = 8;
constexpr std::size_t kMaxUnion = 64;
}  // namespace

class JsonPathParser {
 public:
  using Step = JsonPath::Step;
  explicit JsonPathParser(std::string_view text) : all_(text), rest_(text) {}

  Result<std::vector<Step>> steps() {
    std::vector<Step> steps;
    if (rest_.starts_with('$') || rest_.starts_with('@')) rest_.remove_prefix(1);
    while (!rest_.empty() && !std::string_view("=!<>) ").contains(rest_.front())) {
      if (steps.size() >= kMaxJsonPathSteps) return wrong("too many steps");
      Step step;
      if (rest_.front() == '[') {
        SLIPWAY_TRY(bracket(step));
      } else if (rest_.starts_with("..")) {
        rest_.remove_prefix(2);
        step.kind = Step::Kind::kDeep;
        step.field = word();
        step.every = step.field == "*";
        if (step.field.empty()) return wrong("a name must follow ..");
      } else {
        if (rest_.front() == '.') rest_.remove_prefix(1);
        step.field = word();
        if (step.field == "*") step.kind = Step::Kind::kAll;
        if (step.field.empty()) {
          if (rest_.starts_with('[')) continue;  // .[0]
          if (rest_.empty() && steps.empty()) break;
          return wrong("a name must follow .");
        }
      }
      steps.push_back(std::move(step));
    }
    return steps;
  }
  bool at_end() const { return rest_.empty(); }
  void skip_blanks() {
    while (rest_.starts_with(' ')) rest_.remove_prefix(1);
  }
  std::unexpected<Error> wrong(std::string_view why) const {
    return fail(ErrorCode::kInvalid, fmt::format("\"{}\" is not a JSONPath: {}", all_, why));
  }

 private:
  // Up to the next step; a backslash takes the character after it as it is.
  std::string word() {
    std::string result;
    while (!rest_.empty() && !std::string_view(".[]{}=!<>() ").contains(rest_.front())) {
      if (rest_.front() == '\\' && rest_.size() > 1) rest_.remove_prefix(1);
      result += rest_.front();
      rest_.remove_prefix(1);
    }
    return result;
  }

  std::optional<std::string> quoted() {
    char quote = rest_.front();
    if (quote != '\'' && quote != '"') return std::nullopt;
    rest_.remove_prefix(1);
    std::string result;
    while (!rest_.empty() && rest_.front() != quote) {
      if (rest_.front() == '\\' && rest_.size() > 1) rest_.remove_prefix(1);
      result += rest_.front();
      rest_.remove_prefix(1);
    }
    if (rest_.empty()) return std::nullopt;
    rest_.remove_prefix(1);
    return result;
  }

  // "[0]", "['a']", "[*]", "[?(…)]", "[1:3]", or several of them between commas.
  Result<> bracket(Step& step) {
    rest_.remove_prefix(1);
    SLIPWAY_TRY(choice(step));
    while (rest_.starts_with(',')) {
      if (step.kind != Step::Kind::kUnion) {
        Step first = std::move(step);
        step = Step{};
        step.kind = Step::Kind::kUnion;
        step.choices.push_back(std::move(first));
      }
      if (step.choices.size() >= kMaxUnion) return wrong("too many choices");
      rest_.remove_prefix(1);
      Step next;
      SLIPWAY_TRY(choice(next));
      step.choices.push_back(std::move(next));
    }
    if (!rest_.starts_with(']')) return wrong("[ is not closed");
    rest_.remove_prefix(1);
    return {};
  }

  Result<> choice(Step& step) {
    skip_blanks();
    if (rest_.empty()) return wrong("[ is not closed");
    if (rest_.starts_with("?(")) {
      SLIPWAY_TRY(filter(step));
    } else if (rest_.front() == '\'' || rest_.front() == '"') {
      auto name = quoted();
      if (!name) return wrong("a quote is not closed");
      step.field = std::move(*name);
    } else if (rest_.front() == '*') {
      rest_.remove_prefix(1);
      step.kind = Step::Kind::kAll;
    } else {
      SLIPWAY_TRY(index_or_slice(step));
    }
    skip_blanks();
    return {};
  }

  std::optional<std::int64_t> integer() {
    std::int64_t value = 0;
    auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc()) return std::nullopt;
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return value;
  }

  Result<> index_or_slice(Step& step) {
    auto first = integer();
    if (!rest_.starts_with(':')) {
      if (!first) return wrong("[ ] holds no index, slice, name, * or filter");
      step.kind = Step::Kind::kIndex;
      step.index = *first;
      return {};
    }
    step.kind = Step::Kind::kSlice;
    step.from = first;
    rest_.remove_prefix(1);
    step.to = integer();
    if (!rest_.starts_with(':')) return {};
    rest_.remove_prefix(1);
    step.stride = integer().value_or(1);
    if (step.stride < 1) return wrong("a slice goes forward, by one or more");
    return {};
  }

  Result<> filter(Step& step) {
    step.kind = Step::Kind::kFilter;
    rest_.remove_prefix(2);
    skip_blanks();
    if (!rest_.starts_with('@')) return wrong("a filter compares a path that begins with @");
    if (++depth_ > kMaxFilterDepth) return wrong("too many filters inside each other");
    auto path = steps();
    if (!path) return std::unexpected(path.error());
    step.path = std::move(*path);
    skip_blanks();
    for (std::string_view comparison : {"==", "!=", "<=", ">=", "<", ">"}) {
      if (!rest_.starts_with(comparison)) continue;
      step.comparison = comparison;
      rest_.remove_prefix(comparison.size());
      SLIPWAY_TRY(operand(step));
      break;
    }
    skip_blanks();
    if (!rest_.starts_with(')')) return wrong("the filter's ( is not closed");
    rest_.remove_prefix(1);
    --depth_;
    return {};
  }

  Result<> operand(Step& step) {
    skip_blanks();
    if (rest_.empty()) return wrong("a comparison needs a value");
    if (rest_.front() == '\'' || rest_.front() == '"') {
      auto text = quoted();
      if (!text) return wrong("a quote is not closed");
      step.operand = *text;
      return {};
    }
    auto value = json::read(rest_.substr(0, rest_.find_first_of(" )")));
    if (!value) return wrong("a comparison needs a number, a boolean or a quoted text");
    rest_.remove_prefix(std::min(rest_.find_first_of(" )"), rest_.size()));
    step.operand = std::move(*value);
    return {};
  }

  std::string_view all_;
  std::string_view rest_;
  int depth_ = 0;
};

Result<JsonPath> JsonPath::parse(std::string_view text) {
  if (text.starts_with('{') && text.ends_with('}')) text = text.substr(1, text.size() - 2);
  JsonPathParser parser(text);
  auto steps = parser.steps();
  if (!steps) return std::unexpected(steps.error());
  parser.skip_blanks();
  if (!parser.at_end()) return parser.wrong("something follows the path");
  JsonPath path;
  path.steps_ = std::move(*steps);
  return path;
}

}  // namespace slipway::lang
