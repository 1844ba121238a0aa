#include "cli/difference.h"

#include <fmt/format.h>

#include <set>

namespace slipway::cli {

namespace {

constexpr std::size_t kMaxShown = 60;

const std::set<std::string_view> kServerWritten{
    "metadata.managedFields", "metadata.resourceVersion",   "metadata.generation",
    "metadata.uid",           "metadata.creationTimestamp", "status"};

std::string show(const json::Value& value) {
  std::string text = json::write(value);
  if (text.size() <= kMaxShown) return text;
  // Cut at a character, not inside one.
  std::size_t end = kMaxShown;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end) + "…";
}

std::string join(std::string_view path, std::string_view key) {
  return path.empty() ? std::string(key) : fmt::format("{}.{}", path, key);
}

void walk(const json::Value* before, const json::Value* after, const std::string& path,
          std::vector<std::string>& found) {
  if (kServerWritten.contains(path)) return;
  if (!before) {
    found.push_back(fmt::format("{}: added {}", path, show(*after)));
  } else if (!after) {
    found.push_back(fmt::format("{}: removed", path));
  } else if (before->is_object() && after->is_object()) {
    for (const auto& member : before->get_object())
      walk(&member.value(), after->get_object().if_contains(member.key()), join(path, member.key()),
           found);
    for (const auto& member : after->get_object())
      if (!before->get_object().if_contains(member.key()))
        walk(nullptr, &member.value(), join(path, member.key()), found);
  } else if (before->is_array() && after->is_array()) {
    const auto& old = before->get_array();
    const auto& now = after->get_array();
    for (std::size_t i = 0; i < std::max(old.size(), now.size()); ++i)
      walk(i < old.size() ? &old[i] : nullptr, i < now.size() ? &now[i] : nullptr,
           fmt::format("{}[{}]", path, i), found);
  } else if (!json::same(*before, *after)) {
    found.push_back(fmt::format("{}: {} -> {}", path, show(*before), show(*after)));
  }
}

}  // namespace

std::vector<std::string> differences(const json::Value& before, const json::Value& after) {
  std::vector<std::string> found;
  walk(&before, &after, "", found);
  if (found.size() > kMaxDifferences) {
    const std::size_t more = found.size() - kMaxDifferences;
    found.resize(kMaxDifferences);
    found.push_back(fmt::format("… and {} more", more));
  }
  return found;
}

}  // namespace slipway::cli
