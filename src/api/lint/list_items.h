#pragma once

#include <string>
#include <vector>

#include "base/yaml.h"

namespace slipway::api {

// An object of a manifest: the document itself, or an element of a List.
struct ManifestItem {
  json::Value value;
  std::string path = {};  // items[1], items[0].items[2]; empty: the document
  int line = 1;
};

// Whether the document stands for those in its `items`: a List, or a list of one kind
// (ConfigMapList).
bool is_list(const json::Value& value);

// The objects of a document in their order, Lists in Lists opened. An item of a ConfigMapList that
// does not say what it is is a ConfigMap.
std::vector<ManifestItem> list_items(const yaml::Document& document);

}  // namespace slipway::api
