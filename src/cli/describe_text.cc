#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "analysis/report/plain_text.h"
#include "base/base64.h"
#include "cli/describe.h"
#include "cli/output.h"

namespace slipway::cli {

namespace {

constexpr std::size_t kValueColumn = 14;  // of the header

// "maxSurge" -> "Max Surge". What is no word of a schema, such as
// kubectl.kubernetes.io/restartedAt, is left as it is.
std::string title(std::string_view name) {
  const auto is_of_words = [](char c) {
    return c == '-' || std::isalpha(static_cast<unsigned char>(c)) != 0;
  };
  if (!std::ranges::all_of(name, is_of_words)) return escaped(name);
  std::string out;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const auto c = static_cast<unsigned char>(name[i]);
    const bool after_lower = i > 0 && std::islower(static_cast<unsigned char>(name[i - 1]));
    if (std::isupper(c) && after_lower) out += ' ';
    out += static_cast<char>(i == 0 ? std::toupper(c) : c);
  }
  return out;
}

std::string scalar(const json::Value& value) {
  return escaped(value.is_string() ? std::string(value.get_string()) : json::write(value), "\n\t");
}

bool is_plain(const json::Value& value) { return !value.is_object() && !value.is_array(); }

void append_block(std::string& out, std::string_view text, std::size_t indent) {
  while (!text.empty()) {
    const auto end = text.find('\n');
    out += fmt::format("{:{}}{}\n", "", indent, text.substr(0, end));
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + 1);
  }
}

void append_elements(std::string& out, const json::Array& elements, std::size_t indent);

void append_tree(std::string& out, std::string_view name, const json::Value& value,
                 std::size_t indent) {
  if (is_plain(value)) {
    const std::string text = scalar(value);
    if (text.find('\n') == std::string::npos) {
      out += fmt::format("{:{}}{}:  {}\n", "", indent, name, text);
    } else {
      out += fmt::format("{:{}}{}:\n", "", indent, name);
      append_block(out, text, indent + 2);
    }
    return;
  }
  out += fmt::format("{:{}}{}:\n", "", indent, name);
  if (value.is_object()) {
    for (const auto& member : value.get_object())
      append_tree(out, title(member.key()), member.value(), indent + 2);
    return;
  }
  append_elements(out, value.get_array(), indent + 2);
}

void append_elements(std::string& out, const json::Array& elements, std::size_t indent) {
  for (const auto& element : elements) {
    if (is_plain(element)) {
      out += fmt::format("{:{}}{}\n", "", indent, scalar(element));
      continue;
    }
    // The first line of an element carries the mark, the others stand below it.
    std::string inner;
    if (element.is_object())
      for (const auto& member : element.get_object())
        append_tree(inner, title(member.key()), member.value(), indent + 2);
    else
      append_elements(inner, element.get_array(), indent + 2);
    if (inner.size() > indent) inner[indent] = '-';
    out += inner;
  }
}

void append_words(std::string& out, std::string_view name, const json::Value* map) {
  std::string lines;
  if (map && map->is_object())
    for (const auto& member : map->get_object()) {
      if (member.key() == "kubectl.kubernetes.io/last-applied-configuration") continue;
      lines +=
          fmt::format("{:{}}{}={}\n", lines.empty() ? "" : "", lines.empty() ? 0 : kValueColumn,
                      escaped(member.key()), scalar(member.value()));
    }
  out += fmt::format("{:<{}}{}", fmt::format("{}:", name), kValueColumn,
                     lines.empty() ? "<none>\n" : lines);
}

// Of what happened within a second, what was written first comes first.
std::vector<const json::Value*> in_order(const json::Array& events) {
  const auto when = [](const json::Value* event) {
    const auto time = parse_time(json::string_at(*event, {"lastTimestamp"}));
    const auto version = json::string_at(*event, {"metadata", "resourceVersion"});
    std::uint64_t number = 0;
    std::from_chars(version.data(), version.data() + version.size(), number);
    return std::pair(time.value_or(Time::min()), number);
  };
  std::vector<const json::Value*> all;
  for (const json::Value& event : events) all.push_back(&event);
  std::ranges::sort(all, {}, when);
  return all;
}

void append_events(std::string& out, const json::Array& events, Time now) {
  if (events.empty()) {
    out += "Events:       <none>\n";
    return;
  }
  const auto word = [](const json::Value& event, json::Path path) {
    return analysis::report::one_line(json::string_at(event, path));
  };
  std::vector<std::vector<std::string>> rows{{"  Type", "Reason", "Age", "From", "Message"},
                                             {"  ----", "------", "---", "----", "-------"}};
  for (const json::Value* event : in_order(events)) {
    const auto last = parse_time(json::string_at(*event, {"lastTimestamp"}));
    std::string age = last ? format_age(now - *last) : "<unknown>";
    const json::Value* count = json::at(*event, {"count"});
    if (count && count->is_int64() && count->get_int64() > 1)
      age += fmt::format(" (x{})", count->get_int64());
    rows.push_back({"  " + word(*event, {"type"}), word(*event, {"reason"}), age,
                    word(*event, {"source", "component"}), word(*event, {"message"})});
  }
  out += "Events:\n" + align(rows);
}

}  // namespace

std::string describe_text(const json::Value& object, const json::Array& events, Time now) {
  std::string out;
  const auto field = [&](std::string_view name, std::string_view value) {
    if (!value.empty())
      out += fmt::format("{:<{}}{}\n", fmt::format("{}:", name), kValueColumn, escaped(value));
  };
  field("Name", json::string_at(object, {"metadata", "name"}));
  field("Namespace", json::string_at(object, {"metadata", "namespace"}));
  append_words(out, "Labels", json::at(object, {"metadata", "labels"}));
  append_words(out, "Annotations", json::at(object, {"metadata", "annotations"}));
  field("API Version", json::string_at(object, {"apiVersion"}));
  field("Kind", json::string_at(object, {"kind"}));
  field("Created", json::string_at(object, {"metadata", "creationTimestamp"}));
  field("Deleting", json::string_at(object, {"metadata", "deletionTimestamp"}));
  if (const json::Value* owners = json::at(object, {"metadata", "ownerReferences"});
      owners && owners->is_array())
    for (const auto& owner : owners->get_array())
      field("Owner", fmt::format("{}/{}", json::string_at(owner, {"kind"}),
                                 json::string_at(owner, {"name"})));
  const bool secret = json::string_at(object, {"kind"}) == "Secret";
  for (const auto& member : object.get_object()) {
    const std::string_view key = member.key();
    if (key == "apiVersion" || key == "kind" || key == "metadata") continue;
    if (secret && key == "data" && member.value().is_object()) {
      out += "Data:\n";  // sizes only: a secret is not for the screen
      for (const auto& entry : member.value().get_object())
        out += fmt::format("  {}:  {} bytes\n", escaped(entry.key()),
                           base64_decode(scalar(entry.value())).value_or("").size());
      continue;
    }
    append_tree(out, title(key), member.value(), 0);
  }
  append_events(out, events, now);
  return out;
}

}  // namespace slipway::cli
