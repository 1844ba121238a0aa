#include <fmt/format.h>

#include <algorithm>

#include "api/selector.h"
#include "api/wire/go_format.h"

namespace slipway::api {

namespace {

// At commas that no backslash precedes.
std::vector<std::string_view> split_terms(std::string_view text) {
  std::vector<std::string_view> terms;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == ',') {
      terms.push_back(text.substr(begin, i - begin));
      begin = i + 1;
    }
  }
  terms.push_back(text.substr(std::min(begin, text.size())));
  return terms;
}

std::size_t rune_size(std::string_view text) {
  auto lead = static_cast<unsigned char>(text.front());
  std::size_t size = lead < 0xC0 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  return std::min(size, text.size());
}

Result<std::string> unescaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == ',' || c == '=')
      return fail(ErrorCode::kBadRequest,
                  fmt::format("invalid field selector: unescaped character in value: {}",
                              static_cast<int>(c)));
    if (c != '\\') {
      out += c;
      continue;
    }
    std::string_view next = text.substr(i + 1);
    if (next.empty() || std::string_view("\\,=").find(next.front()) == std::string_view::npos)
      return fail(ErrorCode::kBadRequest,
                  fmt::format("invalid field selector: invalid escape sequence: \\{}",
                              next.empty() ? next : next.substr(0, rune_size(next))));
    out += text[++i];
  }
  return out;
}

struct Operation {
  std::size_t at = std::string_view::npos;
  std::size_t size = 0;
  bool equal = true;
};

Operation find_operation(std::string_view term) {
  for (std::size_t i = 0; i < term.size(); ++i) {
    std::string_view rest = term.substr(i);
    if (rest.starts_with("!=")) return {i, 2, false};
    if (rest.starts_with("==")) return {i, 2, true};
    if (rest.starts_with("=")) return {i, 1, true};
  }
  return {};
}

std::string text_at(const json::Object& object, std::string_view path) {
  const json::Object* here = &object;
  while (here != nullptr) {
    std::string_view name = path.substr(0, path.find('.'));
    const json::Value* value = here->if_contains(name);
    if (value == nullptr) return {};
    if (name.size() == path.size()) {
      if (value->is_null() || value->is_structured()) return {};
      return value->is_double() ? json::write(*value) : go_plain(*value);
    }
    path.remove_prefix(name.size() + 1);
    here = value->if_object();
  }
  return {};
}

// Some are named otherwise than the fields they stand for.
std::string selected_text(const json::Object& object, std::string_view path) {
  std::string text = text_at(object, path);
  if (text.empty() && path == "status.successful") text = text_at(object, "status.succeeded");
  if (text.empty() && path == "source") text = text_at(object, "source.component");
  if (text.empty() && path == "source") text = text_at(object, "reportingComponent");
  return text.empty() ? std::string(value_when_missing(path)) : text;
}

}  // namespace

Result<FieldSelector> parse_field_selector(std::string_view text) {
  FieldSelector selector;
  std::vector<std::string_view> terms = split_terms(text);
  std::ranges::sort(terms);
  for (std::string_view term : terms) {
    if (term.empty()) continue;
    Operation operation = find_operation(term);
    if (operation.at == std::string_view::npos)
      return fail(ErrorCode::kBadRequest,
                  fmt::format("invalid selector: '{}'; can't understand '{}'", text, term));
    auto value = unescaped(term.substr(operation.at + operation.size));
    if (!value) return std::unexpected(std::move(value).error());
    if (operation.at == 0 && value->empty()) continue;  // "=" asks for nothing
    selector.requirements.push_back(
        {std::string(term.substr(0, operation.at)), operation.equal, std::move(*value)});
  }
  return selector;
}

std::string_view value_when_missing(std::string_view path) {
  if (path == "spec.hostNetwork" || path == "spec.unschedulable") return "false";
  return path == "status.successful" ? "0" : "";
}

bool matches(const FieldSelector& selector, const json::Object& object) {
  return std::ranges::all_of(selector.requirements, [&](const FieldRequirement& one) {
    return (selected_text(object, one.path) == one.value) == one.equal;
  });
}

}  // namespace slipway::api
