#include "analysis/pipecd/fields.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

#include "base/text.h"

namespace slipway::analysis::pipecd {

namespace {

constexpr std::size_t kMaxShown = 80;  // of a wrong value, in a message

std::string shown(const json::Value& value) {
  if (value.is_object()) return "a mapping";
  if (value.is_array()) return "a list";
  std::string text = json::write(value);
  if (text.size() > kMaxShown) text = text.substr(0, kMaxShown) + "…";
  return text;
}

std::string_view view(boost::json::string_view text) { return {text.data(), text.size()}; }

// A double that is a whole number, as 1.0 is.
std::optional<std::int64_t> whole(const json::Value& value) {
  if (value.is_int64()) return value.get_int64();
  if (!value.is_double()) return std::nullopt;
  const double number = value.get_double();
  if (std::trunc(number) != number || std::abs(number) > 9e15) return std::nullopt;
  return static_cast<std::int64_t>(number);
}

double as_number(const json::Value& value) {
  if (value.is_double()) return value.get_double();
  return value.is_int64() ? static_cast<double>(value.get_int64())
                          : static_cast<double>(value.get_uint64());
}

std::optional<double> parse_number(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return {};
  return number;
}

}  // namespace

std::string join_path(const std::string& path, std::string_view key) {
  if (key.find_first_of("./[]") != std::string_view::npos) return fmt::format("{}[{}]", path, key);
  return path.empty() ? std::string(key) : fmt::format("{}.{}", path, key);
}

Fields::Fields(const yaml::Document& document, const json::Value* value, std::string path,
               Report& report)
    : document_(&document),
      object_(value != nullptr ? value->if_object() : nullptr),
      path_(std::move(path)),
      report_(&report) {}

// Of several keys that differ in case only Go takes the last; they come sorted by then.
const json::Value* Fields::find(std::string_view name) const {
  if (object_ == nullptr) return nullptr;
  const json::Value* found = nullptr;
  std::string_view found_key;
  const std::string wanted = text::lower(name);
  for (const auto& [key, value] : *object_) {
    if (key.size() != name.size() || text::lower(view(key)) != wanted) continue;
    if (found != nullptr && view(key) < found_key) continue;
    found = &value;
    found_key = view(key);
  }
  return found != nullptr && found->is_null() ? nullptr : found;
}

std::string Fields::path_of(std::string_view name) const {
  std::string_view written = name;
  if (object_ != nullptr && !object_->contains(name)) {
    for (const auto& [key, value] : *object_)
      if (text::lower(view(key)) == text::lower(name)) written = view(key);
  }
  return join_path(path_, written);
}

void Fields::wrong(std::string_view name, const json::Value& found, std::string_view wanted) const {
  report_->error(path_of(name), fmt::format("{} is no {}", shown(found), wanted));
}

std::string Fields::text(std::string_view name) const {
  const json::Value* found = find(name);
  if (found == nullptr) return {};
  if (found->is_string()) return std::string(found->get_string());
  wrong(name, *found,
        found->is_primitive() ? "text; put it in quotes" : "text; write it in one value");
  return {};
}

std::int64_t Fields::integer(std::string_view name) const {
  const json::Value* found = find(name);
  if (found == nullptr) return 0;
  if (const auto number = whole(*found)) return *number;
  wrong(name, *found,
        found->is_string() ? "number; write it without quotes" : "whole number; write 1 or 2");
  return 0;
}

bool Fields::boolean(std::string_view name) const {
  const json::Value* found = find(name);
  if (found == nullptr) return false;
  if (found->is_bool()) return found->get_bool();
  wrong(name, *found, "boolean; write true or false");
  return false;
}

std::optional<double> Fields::number(std::string_view name) const {
  const json::Value* found = find(name);
  if (found == nullptr) return std::nullopt;
  if (found->is_number()) return as_number(*found);
  wrong(name, *found, "number; write it without quotes, such as 0.05");
  return std::nullopt;
}

Duration Fields::duration(std::string_view name) const {
  const json::Value* found = find(name);
  if (found == nullptr) return {};
  if (found->is_string()) {
    auto parsed = parse_duration(view(found->get_string()));
    if (parsed) return *parsed;
    report_->error(path_of(name), parsed.error().message);
    return {};
  }
  if (!found->is_number()) return wrong(name, *found, "duration; write 30s, 5m or 1h"), Duration{};
  const double number = std::trunc(as_number(*found));
  // Every double below is a whole number of nanoseconds that fits.
  if (std::abs(number) >= static_cast<double>(std::numeric_limits<std::int64_t>::max()))
    return wrong(name, *found, "duration; write 30s, 5m or 1h"), Duration{};
  if (number != 0) {
    report_->warning(path_of(name),
                     fmt::format("{} without a unit is {} nanoseconds; write {}s if seconds are "
                                 "meant",
                                 shown(*found), number, number));
  }
  return Duration(static_cast<std::int64_t>(number));
}

Args Fields::args(std::string_view name) const {
  Args args;
  const json::Value* found = find(name);
  if (found == nullptr) return args;
  if (!found->is_object()) return wrong(name, *found, "mapping of names to texts"), args;
  const std::string path = path_of(name);
  for (const auto& [key, value] : found->get_object()) {
    std::string& text = args[std::string(view(key))];
    const std::string at = join_path(path, view(key));
    if (value.is_string()) {
      text = view(value.get_string());
    } else if (value.is_bool() || value.is_number()) {
      text = document_->positions.source_text(at);
      if (text.empty()) text = json::write(value);
    } else if (!value.is_null()) {
      report_->error(at, fmt::format("{} is no text; an argument is one value", shown(value)));
    }
  }
  return args;
}

Fields Fields::object(std::string_view name) const {
  const json::Value* found = find(name);
  if (found != nullptr && !found->is_object()) wrong(name, *found, "mapping");
  return Fields(*document_, found, path_of(name), *report_);
}

std::vector<Fields> Fields::list(std::string_view name) const {
  std::vector<Fields> items;
  const json::Value* found = find(name);
  if (found == nullptr) return items;
  if (!found->is_array()) return wrong(name, *found, "list; begin each element with -"), items;
  const std::string path = path_of(name);
  for (const json::Value& item : found->get_array()) {
    const std::string at = fmt::format("{}[{}]", path, items.size());
    if (!item.is_object() && !item.is_null())
      report_->error(at, fmt::format("{} is no mapping", shown(item)));
    items.emplace_back(*document_, &item, at, *report_);
  }
  return items;
}

std::map<std::string, Fields> Fields::objects(std::string_view name) const {
  std::map<std::string, Fields> members;
  const Fields map = object(name);
  if (!map.present()) return members;
  for (const auto& [key, value] : *map.object_) {
    const std::string at = join_path(map.path_, view(key));
    if (!value.is_object() && !value.is_null())
      report_->error(at, fmt::format("{} is no mapping", shown(value)));
    members.emplace(std::string(view(key)), Fields(*document_, &value, at, *report_));
  }
  return members;
}

std::optional<Fields::Amount> Fields::amount(std::string_view name) const {
  const json::Value* found = find(name);
  if (found == nullptr) return std::nullopt;
  if (found->is_number()) return Amount{.number = as_number(*found)};
  std::string_view text = found->is_string() ? view(found->get_string()) : std::string_view();
  const bool percent = text.ends_with('%');
  if (percent) text.remove_suffix(1);
  if (const auto number = parse_number(text)) return Amount{.number = *number, .percent = percent};
  wrong(name, *found, "number or percentage; write 2 or 20%");
  return std::nullopt;
}

void Fields::expect_only(const std::vector<std::string_view>& names,
                         Report::Severity severity) const {
  if (object_ == nullptr) return;
  for (const auto& [key, value] : *object_) {
    const std::string lower = text::lower(view(key));
    bool known = false;
    for (const std::string_view name : names) known = known || text::lower(name) == lower;
    if (known) continue;
    const std::string_view meant = text::likely(view(key), names);
    report_->add(join_path(path_, view(key)), severity,
                 meant.empty()
                     ? "PipeCD knows no such field"
                     : fmt::format("PipeCD knows no such field; did you mean {}?", meant));
  }
}

}  // namespace slipway::analysis::pipecd
