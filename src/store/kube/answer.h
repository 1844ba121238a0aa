#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "store/store.h"

// What an API server's answers say.
namespace slipway::store::kube {

inline constexpr std::size_t kMaxListBytes = 256 * 1024 * 1024;
inline constexpr std::size_t kMaxEventBytes = 16 * 1024 * 1024;

// An object as an Item, complete: those inside lists come without apiVersion and kind.
Item item_of(json::Object object, const api::Resource& resource);

// Errors: kInternal when the answer is not what it must be.
Result<Item> parse_item(const std::string& body, const api::Resource& resource);
Result<Page> parse_page(const std::string& body, const api::Resource& resource);

// One line of a watch. An ERROR event is the Error it carries.
Result<Event> parse_event(std::string_view line, const api::Resource& resource);

// Whether the object of a DELETE's answer is gone: nothing holds it any more.
bool is_gone(const json::Object& object);
// `before` is the object as last read: a Status, which most kinds answer with, does not hold it.
Result<Store::Deleted> parse_deleted(const std::string& body, const api::Resource& resource,
                                     Item before);

// The texts of the Warning headers (299 - "text").
std::vector<std::string> warnings_of(const http::Headers& headers);

}  // namespace slipway::store::kube
