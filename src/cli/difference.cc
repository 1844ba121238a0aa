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

// kubectl keeps the whole manifest in it, a Secret's contents included.
constexpr std::string_view kLastApplied =
    "metadata.annotations.kubectl.kubernetes.io/last-applied-configuration";

class Walk {
 public:
  explicit Walk(bool secret) : secret_(secret) {}

  void compare(const json::Value* before, const json::Value* after, const std::string& path) {
    static const json::Value kNothing = json::Object{};
    if (kServerWritten.contains(path)) return;
    // Member by member where one of them may have to be hidden.
    if (!before && after->is_object() && (path == "metadata.annotations" || hidden(path)))
      before = &kNothing;
    if (!before) {
      add(path, "added", show(*after));
    } else if (!after) {
      found.push_back(fmt::format("{}: removed", path));
    } else if (before->is_object() && after->is_object()) {
      for (const auto& member : before->get_object())
        compare(&member.value(), after->get_object().if_contains(member.key()),
                join(path, member.key()));
      for (const auto& member : after->get_object())
        if (!before->get_object().if_contains(member.key()))
          compare(nullptr, &member.value(), join(path, member.key()));
    } else if (before->is_array() && after->is_array()) {
      const auto& old = before->get_array();
      const auto& now = after->get_array();
      for (std::size_t i = 0; i < std::max(old.size(), now.size()); ++i)
        compare(i < old.size() ? &old[i] : nullptr, i < now.size() ? &now[i] : nullptr,
                fmt::format("{}[{}]", path, i));
    } else if (!json::same(*before, *after)) {
      add(path, "changed", fmt::format("{} -> {}", show(*before), show(*after)));
    }
  }

  std::vector<std::string> found;

 private:
  bool hidden(std::string_view path) const {
    if (path == kLastApplied) return true;
    const std::string_view top = path.substr(0, path.find_first_of(".["));
    return secret_ && (top == "data" || top == "stringData");
  }

  void add(const std::string& path, std::string_view what, std::string_view values) {
    if (hidden(path))
      found.push_back(fmt::format("{}: {}", path, what));
    else if (what == "changed")
      found.push_back(fmt::format("{}: {}", path, values));
    else
      found.push_back(fmt::format("{}: {} {}", path, what, values));
  }

  bool secret_;
};

}  // namespace

std::vector<std::string> differences(const json::Value& before, const json::Value& after) {
  Walk walk(json::string_at(after, {"kind"}) == "Secret");
  walk.compare(&before, &after, "");
  auto& found = walk.found;
  if (found.size() > kMaxDifferences) {
    const std::size_t more = found.size() - kMaxDifferences;
    found.resize(kMaxDifferences);
    found.push_back(fmt::format("… and {} more", more));
  }
  return std::move(found);
}

}  // namespace slipway::cli
