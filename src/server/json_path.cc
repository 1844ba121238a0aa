#include "server/json_path.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>

namespace slipway::server {

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
  std::unexpected<Error> wrong(std::string_view why) const {
    return fail(ErrorCode::kInvalid, fmt::format("\"{}\" is not a JSONPath: {}", all_, why));
  }

 private:
  void skip_blanks() {
    while (rest_.starts_with(' ')) rest_.remove_prefix(1);
  }

  // Up to the next step; a backslash takes the character after it as it is.
  std::string word() {
    std::string result;
    while (!rest_.empty() && !std::string_view(".[]=!<>() ").contains(rest_.front())) {
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

  Result<> bracket(Step& step) {
    rest_.remove_prefix(1);
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
      auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), step.index);
      if (error != std::errc()) return wrong("[ ] holds no index, name, * or filter");
      rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
      step.kind = Step::Kind::kIndex;
    }
    skip_blanks();
    if (!rest_.starts_with(']')) return wrong("[ is not closed");
    rest_.remove_prefix(1);
    return {};
  }

  Result<> filter(Step& step) {
    step.kind = Step::Kind::kFilter;
    rest_.remove_prefix(2);
    skip_blanks();
    if (!rest_.starts_with('@')) return wrong("a filter compares a path that begins with @");
    if (++depth_ > 8) return wrong("too many filters inside each other");
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
  if (!parser.at_end()) return parser.wrong("something follows the path");
  JsonPath path;
  path.steps_ = std::move(*steps);
  return path;
}

std::vector<const json::Value*> JsonPath::find(const json::Value& root) const {
  std::vector<const json::Value*> found;
  walk(steps_, 0, root, found);
  return found;
}

void JsonPath::walk(const std::vector<Step>& steps, std::size_t at, const json::Value& value,
                    std::vector<const json::Value*>& found) {
  if (at == steps.size()) {
    found.push_back(&value);
    return;
  }
  const Step& step = steps[at];
  const auto* object = value.if_object();
  const auto* array = value.if_array();
  switch (step.kind) {
    case Step::Kind::kField:
      if (const auto* next = object ? object->if_contains(step.field) : nullptr)
        walk(steps, at + 1, *next, found);
      break;
    case Step::Kind::kIndex: {
      auto size = array ? static_cast<std::int64_t>(array->size()) : 0;
      auto index = step.index < 0 ? step.index + size : step.index;
      if (index >= 0 && index < size)
        walk(steps, at + 1, (*array)[static_cast<std::size_t>(index)], found);
      break;
    }
    case Step::Kind::kAll:
    case Step::Kind::kFilter:
      if (array)
        for (const auto& member : *array)
          if (passes(step, member)) walk(steps, at + 1, member, found);
      if (object && step.kind == Step::Kind::kAll)
        for (const auto& member : *object) walk(steps, at + 1, member.value(), found);
      break;
    case Step::Kind::kDeep:
      walk_deep(steps, at, value, found);
      break;
  }
}

void JsonPath::walk_deep(const std::vector<Step>& steps, std::size_t at, const json::Value& value,
                         std::vector<const json::Value*>& found) {
  if (const auto* object = value.if_object()) {
    if (const auto* next = object->if_contains(steps[at].field)) walk(steps, at + 1, *next, found);
    for (const auto& member : *object) walk_deep(steps, at, member.value(), found);
  } else if (const auto* array = value.if_array()) {
    for (const auto& member : *array) walk_deep(steps, at, member, found);
  }
}

bool JsonPath::passes(const Step& filter, const json::Value& value) {
  if (filter.kind != Step::Kind::kFilter) return true;
  std::vector<const json::Value*> sides;
  walk(filter.path, 0, value, sides);
  if (sides.empty()) return false;
  if (filter.comparison.empty()) return true;
  const json::Value& left = *sides.front();
  bool equal = json::same(left, filter.operand);
  if (filter.comparison == "==") return equal;
  if (filter.comparison == "!=") return !equal;
  bool less = false;
  if (left.is_number() && filter.operand.is_number()) {
    less = left.to_number<double>() < filter.operand.to_number<double>();
  } else if (left.is_string() && filter.operand.is_string()) {
    less = left.get_string() < filter.operand.get_string();
  } else {
    return false;
  }
  if (filter.comparison == "<") return less;
  if (filter.comparison == "<=") return less || equal;
  if (filter.comparison == ">") return !less && !equal;
  return !less;
}

}  // namespace slipway::server
