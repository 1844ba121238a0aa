#include "store/kube/answer.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/object.h"
#include "store/decode.h"
#include "store/kube/connection.h"

namespace slipway::store::kube {

namespace {

std::unexpected<Error> strange(std::string_view what) {
  return fail(ErrorCode::kInternal, fmt::format("the API server answered with {}", what));
}

Result<json::Object> parse_object(std::string_view text, std::size_t max_bytes) {
  // One object that is too deep would refuse a whole list: deeper than any is likely to be.
  Result<json::Value> value =
      json::read(text, {.max_bytes = max_bytes, .max_depth = kMaxReadDepth});
  if (!value) return strange("what is not JSON: " + value.error().message);
  if (!value->is_object()) return strange("JSON that is no object");
  return std::move(value->get_object());
}

// In Go's order: kind and apiVersion before the rest.
json::Object with_type(json::Object object, const api::Resource& resource) {
  json::Object typed;
  typed.reserve(object.size() + 2);
  typed["kind"] = resource.gvk.kind;
  typed["apiVersion"] = resource.gvk.api_version();
  for (auto& member : object) typed.insert(std::move(member));
  return typed;
}

Result<EventType> event_type(std::string_view type) {
  if (type == "ADDED") return EventType::kAdded;
  if (type == "MODIFIED") return EventType::kModified;
  if (type == "DELETED") return EventType::kDeleted;
  if (type == "BOOKMARK") return EventType::kBookmark;
  return strange(fmt::format("an event of unknown type \"{}\"", http::printable_line(type)));
}

// The quoted text of a warning value, without its escapes.
std::string unquote(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size() && text[i] != '"'; ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) ++i;
    plain += text[i];
  }
  return plain;
}

}  // namespace

Item item_of(json::Object object, const api::Resource& resource) {
  if (!object.contains("kind") || !object.contains("apiVersion")) {
    object = with_type(std::move(object), resource);
  }
  Item item;
  item.key = {.ns = std::string(api::namespace_of(object)),
              .name = std::string(api::name_of(object))};
  item.version = api::version_of(object);
  item.bytes = std::make_shared<const std::string>(json::write(object));
  return item;
}

Result<Item> parse_item(const std::string& body, const api::Resource& resource) {
  Result<json::Object> object = parse_object(body, kMaxEventBytes);
  if (!object) return std::unexpected(std::move(object).error());
  return item_of(std::move(*object), resource);
}

Result<Page> parse_page(const std::string& body, const api::Resource& resource) {
  Result<json::Object> list = parse_object(body, kMaxListBytes);
  if (!list) return std::unexpected(std::move(list).error());
  Page page;
  page.version = api::version_of(*list);
  if (const json::Object* metadata = api::metadata_of(std::as_const(*list))) {
    if (const json::Value* token = metadata->if_contains("continue"); token && token->is_string()) {
      page.continue_token = token->get_string();
    }
    if (const json::Value* left = metadata->if_contains("remainingItemCount");
        left && left->is_int64() && left->get_int64() >= 0) {
      page.remaining = static_cast<std::size_t>(left->get_int64());
    }
  }
  json::Value* items = list->if_contains("items");
  if (items && items->is_null()) return page;
  if (!items || !items->is_array()) return strange("a list without items");
  page.items.reserve(items->get_array().size());
  for (json::Value& item : items->get_array()) {
    if (!item.is_object()) return strange("a list of what are no objects");
    page.items.push_back(item_of(std::move(item.get_object()), resource));
  }
  // etcd sorts "a-b/x" before "a/x".
  std::ranges::sort(page.items, {}, &Item::key);
  return page;
}

Result<Event> parse_event(std::string_view line, const api::Resource& resource) {
  Result<json::Object> event = parse_object(line, kMaxEventBytes);
  if (!event) return std::unexpected(std::move(event).error());
  json::Value* object = event->if_contains("object");
  if (!object || !object->is_object()) return strange("an event without object");
  const json::Value* type = event->if_contains("type");
  if (!type || !type->is_string()) return strange("an event without type");
  if (type->get_string() == "ERROR") return fail(error_of_status(*object));
  Result<EventType> known = event_type(type->get_string());
  if (!known) return std::unexpected(std::move(known).error());
  Event parsed{*known, item_of(std::move(object->get_object()), resource)};
  if (parsed.type == EventType::kBookmark) parsed.item.key = {};
  return parsed;
}

bool is_gone(const json::Object& object) {
  const json::Object* metadata = api::metadata_of(object);
  if (!metadata || !api::is_deleting(object)) return true;
  const json::Value* grace = metadata->if_contains("deletionGracePeriodSeconds");
  if (grace && grace->is_int64() && grace->get_int64() > 0) return false;
  const json::Value* spec = object.if_contains("spec");
  const json::Value* spec_finalizers =
      spec && spec->is_object() ? spec->get_object().if_contains("finalizers") : nullptr;
  const bool held = spec_finalizers && spec_finalizers->is_array() &&
                    !spec_finalizers->get_array().empty();  // of Namespaces
  return !held && api::finalizers_of(object).empty();
}

Result<Store::Deleted> parse_deleted(const std::string& body, const api::Resource& resource,
                                     Item before) {
  Result<json::Object> object = parse_object(body, kMaxEventBytes);
  if (!object) return std::unexpected(std::move(object).error());
  const json::Value* kind = object->if_contains("kind");
  if (kind && *kind == json::Value("Status")) {
    return Store::Deleted{.item = std::move(before), .gone = true};
  }
  const bool gone = is_gone(*object);
  return Store::Deleted{.item = item_of(std::move(*object), resource), .gone = gone};
}

std::vector<std::string> warnings_of(const http::Headers& headers) {
  constexpr std::string_view kStart = "299 ";
  std::vector<std::string> warnings;
  for (const auto& [name, value] : headers.all()) {
    if (!http::same_name(name, "Warning") || !value.starts_with(kStart)) continue;
    std::size_t quote = value.find('"');
    if (quote != std::string::npos) {
      warnings.push_back(unquote(std::string_view(value).substr(quote + 1)));
    }
  }
  return warnings;
}

}  // namespace slipway::store::kube
