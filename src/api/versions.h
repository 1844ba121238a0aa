#pragma once

#include "api/registry.h"

// The versions of one custom kind are one set of objects (conversion strategy None): they differ in
// their name and in the fields that their schemas know.
namespace slipway::api {

// "example.com/v1", in which objects of the kind are kept.
std::string storage_api_version(const Resource& resource);

// An object of another version as clients of `resource` see it. Entries of managedFields keep the
// version they were written in.
void to_version(json::Object& object, const Resource& resource);

// An object as the present schema of its version has it, whatever it was written under: fields that
// are no longer known go, defaults that are new come. Errors: kTooLarge, as fill_in_defaults().
Result<> to_schema(json::Object& object, const Schema& schema);

// An object written through `resource` as it is kept. Errors: as to_schema().
Result<> to_storage(json::Object& object, const Resource& resource);

}  // namespace slipway::api
