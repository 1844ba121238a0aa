#include "api/lint/list_items.h"

#include <fmt/format.h>

#include <algorithm>

namespace slipway::api {

namespace {

constexpr std::string_view kSuffix = "List";

// Items of a list of one kind need not say what they are.
void name_item(const json::Value& list, json::Value& item) {
  const std::string_view kind = json::string_at(list, {"kind"});
  if (kind == kSuffix || !item.is_object()) return;
  json::Object& object = item.get_object();
  if (object.contains("kind") || object.contains("apiVersion")) return;
  object["apiVersion"] = json::string_at(list, {"apiVersion"});
  object["kind"] = kind.substr(0, kind.size() - kSuffix.size());
}

// Depth is that of the document, which its reader has limited.
void open(const yaml::Document& document, const json::Value& value, const std::string& path,
          std::vector<ManifestItem>& found) {
  if (!is_list(value)) {
    const int line = std::max(document.positions.find(path).line, document.line);
    found.push_back({.value = value, .path = path, .line = line});
    return;
  }
  std::size_t index = 0;
  for (json::Value item : value.at("items").get_array()) {
    name_item(value, item);
    open(document, item, fmt::format("{}{}items[{}]", path, path.empty() ? "" : ".", index++),
         found);
  }
}

}  // namespace

bool is_list(const json::Value& value) {
  const json::Value* items = json::at(value, {"items"});
  return items && items->is_array() && json::string_at(value, {"kind"}).ends_with(kSuffix);
}

std::vector<ManifestItem> list_items(const yaml::Document& document) {
  std::vector<ManifestItem> found;
  open(document, document.value, "", found);
  return found;
}

}  // namespace slipway::api
