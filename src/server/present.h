#pragma once

#include <string>
#include <vector>

#include "server/call.h"
#include "store/store.h"

// Objects of the store as answers: as they are, as a Table, or as their metadata alone, whatever
// the client asked for.
namespace slipway::server {

// One object.
Result<http::Response> present_object(const Services& services, const Call& call,
                                      const store::Item& item, int status = 200);

// A list: head, the items' own bytes with commas, tail. Nothing is serialised again unless a Table
// or metadata is asked for; a long one is then built in several turns of the loop. `call` and
// `page` stay until the end.
Task<Result<http::Response>> present_list(const Services& services, const Call& call,
                                          const store::Page& page);

// Bytes that are no stored object (a Scale, a review).
http::Response present_value(const Call& call, const json::Value& value, int status = 200);

// {"kind":"PartialObjectMetadata",…} of an object.
std::string metadata_only(const store::Item& item, std::string_view meta_version);

// Reads an item's bytes. They were written by us: a failure is a bug, reported as kInternal.
Result<json::Value> decode_item(const store::Item& item);

}  // namespace slipway::server
