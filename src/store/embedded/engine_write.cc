#include <fmt/format.h>

#include <algorithm>

#include "api/apply/apply_scale.h"
#include "api/object.h"
#include "api/scale.h"
#include "api/versions.h"
#include "base/json_depth.h"
#include "store/decode.h"
#include "store/embedded/engine.h"
#include "store/embedded/kind_traits.h"
#include "store/embedded/wording.h"
#include "store/key_of.h"

namespace slipway::store {

Result<> Engine::check_may_create(const Kind& kind, const std::string& ns,
                                  std::string_view name) const {
  if (kind.resource->namespaced) {
    RecordPtr space = State::find_staged(namespaces_, {"", ns});
    if (!space) return fail(ErrorCode::kNotFound, fmt::format("namespaces \"{}\" not found", ns));
    if (space->deleting) return namespace_terminating(*kind.resource, name, ns);
  }
  RecordPtr definition =
      kind.resource->native ? nullptr : State::find_staged(definitions_, {"", kind.table->name});
  // Gone already, with what there was of it: what came now nobody would find.
  if (kind.resource->custom && !definition) return no_such_kind();
  if (definition && definition->deleting) {
    return fail(ErrorCode::kMethodNotAllowed,
                "create not allowed while custom resource definition is terminating");
  }
  return {};
}

Result<RecordPtr> Engine::add(const Kind& kind, json::Object object, const Request& request) {
  const Key key = key_of(object);
  if (RecordPtr there = State::find_staged(*kind.table, key)) {
    return already_exists(*kind.resource, key.name, there->deleting);
  }
  return write_decision(kind, nullptr, Decision{Outcome::kPut, std::move(object)},
                        request.options.dry_run);
}

Result<RecordPtr> Engine::write_new(const Kind& kind, const std::string& ns, json::Object object,
                                    const Request& request) {
  SLIPWAY_TRY(receive_create(object, ns, request));
  SLIPWAY_TRY(check_may_create(kind, ns, api::name_of(object)));
  json::Object& metadata = api::metadata_of(object);
  const json::Value* generate = metadata.if_contains("generateName");
  if (api::name_of(object).empty() && generate && generate->is_string() &&
      !generate->as_string().empty()) {
    std::string name;
    int attempts = 0;
    do {
      if (++attempts > kMaxNameAttempts) return no_free_name(*kind.resource, name);
      name = draw_name(generate->as_string(), random_);
    } while (State::find_staged(*kind.table, {ns, name}));
    metadata["name"] = name;
  }
  Result<json::Object> made = decide_create(std::move(object), request, random_, false);
  if (!made) return std::unexpected(std::move(made).error());
  return add(kind, std::move(*made), request);
}

Result<RecordPtr> Engine::write_applied(const Kind& kind, const Key& key, const Patch& patch,
                                        const Request& request) {
  SLIPWAY_TRY(check_may_create(kind, key.ns, key.name));
  Result<json::Object> made = decide_apply_create(patch, key, request, random_);
  if (!made) return std::unexpected(std::move(made).error());
  return add(kind, std::move(*made), request);
}

namespace {
// What is on its way out has room for what that takes, and whatever is there may be made smaller.
Result<> check_size(const Record& record, const RecordPtr& live) {
  std::size_t limit = kMaxObjectBytes;
  if (record.deleting) limit += kDeletionSlack;
  if (live) limit = std::max(limit, live->bytes->size());
  if (record.bytes->size() > limit) return too_large(record.bytes->size(), limit);
  return {};
}
}  // namespace

// Gives the state after the write: of an erased object its last one, of a dry run what it would
// have been.
Result<RecordPtr> Engine::write_decision(const Kind& kind, const RecordPtr& live,
                                         Result<Decision> decision, bool dry_run) {
  if (!decision) return std::unexpected(std::move(decision).error());
  std::string api_version = api::storage_api_version(*kind.resource);
  // What is kept in a version that is no longer the one to keep, or as an earlier schema had it, is
  // written anew, as a migration from one to the other expects.
  if (decision->outcome == Outcome::kUnchanged && *live->api_version == api_version &&
      !live->written)
    return live;
  if (decision->outcome == Outcome::kPut && is_definition(*kind.resource)) {
    const json::Object before = live ? decode(*live) : json::Object();
    settle_names(decision->object, live ? &before : nullptr);
  }
  const Version version = dry_run ? (live ? live->version : 0) : state_->take_version();
  Result<> fits = api::to_storage(decision->object, *kind.resource);
  // Whatever goes may go.
  const bool stays = decision->outcome != Outcome::kErase;
  if (stays && !fits) return std::unexpected(std::move(fits).error());
  if (decision->outcome == Outcome::kPut && !json::nested_within(decision->object, kMaxObjectDepth))
    return too_deep(kMaxObjectDepth);
  Record record = encode(std::move(decision->object), version);
  if (stays) SLIPWAY_TRY(check_size(record, live));
  auto& shared = api_versions_[api_version];
  if (!shared) shared = std::make_shared<const std::string>(std::move(api_version));
  record.api_version = shared;
  record.id = live ? live->id : state_->take_id();
  auto after = std::make_shared<const Record>(std::move(record));
  if (!dry_run) queue_.stage({kind.table, live, after, !stays});
  return after;
}

Task<Result<Item>> Engine::create(api::Gvr gvr, std::string ns, json::Object object,
                                  WriteOptions options) {
  if (!queue_.has_room()) SLIPWAY_CO_TRY(co_await make_room());
  Result<Kind> kind = find_kind(gvr);
  if (!kind) co_return std::unexpected(std::move(kind).error());
  if (!kind->resource->namespaced) ns.clear();
  if (!has_default_namespaces_) make_default_namespaces();
  Key key{ns, std::string(api::name_of(object))};
  Result<RecordPtr> made =
      write_new(*kind, ns, std::move(object), {*kind->resource, options, loop_.clock().now()});
  if (made) key.name = (*made)->key.name;
  SLIPWAY_CO_TRY(co_await settle(*kind->table, std::move(key)));
  if (!made) co_return std::unexpected(std::move(made).error());
  co_return item_of(**made, *kind->resource);
}

namespace {
// A write of a scale is answered with the Scale.
Item answer(const Record& record, const api::Resource& resource, const WriteOptions& options) {
  Item item = item_of(record, resource);
  if (options.subresource != "scale") return item;
  json::Object scale = api::scale_of(decode(record, resource), resource);
  item.bytes = std::make_shared<const std::string>(json::write(scale));
  return item;
}
}  // namespace

Result<RecordPtr> Engine::write_update(const Kind& kind, const RecordPtr& live, json::Object object,
                                       const Key& key, const Request& request) {
  json::Scratch scratch;
  return write_decision(
      kind, live,
      decide_update(std::move(object), key, decode(*live, *kind.resource, scratch), request),
      request.options.dry_run);
}

Result<RecordPtr> Engine::write_patch(const Kind& kind, const RecordPtr& live, const Patch& patch,
                                      const Key& key, const Request& request) {
  json::Scratch scratch;
  return write_decision(kind, live,
                        decide_patch(patch, key, decode(*live, *kind.resource, scratch), request),
                        request.options.dry_run);
}

Task<Result<Item>> Engine::update(api::Gvr gvr, Key key, json::Object object,
                                  WriteOptions options) {
  if (!queue_.has_room()) SLIPWAY_CO_TRY(co_await make_room());
  Result<Kind> kind = find_kind(gvr);
  if (!kind) co_return std::unexpected(std::move(kind).error());
  const api::Resource& resource = *kind->resource;
  if (!resource.namespaced) key.ns.clear();
  RecordPtr live = State::find_staged(*kind->table, key);
  Result<RecordPtr> written = not_found(resource, key.name);
  if (live) {
    written =
        write_update(*kind, live, std::move(object), key, {resource, options, loop_.clock().now()});
  }
  SLIPWAY_CO_TRY(co_await settle(*kind->table, key));
  if (!written) co_return std::unexpected(std::move(written).error());
  co_return answer(**written, resource, options);
}

Task<Result<Item>> Engine::patch(api::Gvr gvr, Key key, Patch patch, WriteOptions options) {
  if (!queue_.has_room()) SLIPWAY_CO_TRY(co_await make_room());
  Result<Kind> kind = find_kind(gvr);
  if (!kind) co_return std::unexpected(std::move(kind).error());
  const api::Resource& resource = *kind->resource;
  if (!resource.namespaced) key.ns.clear();
  RecordPtr live = State::find_staged(*kind->table, key);
  Request request{.resource = resource,
                  .options = options,
                  .now = loop_.clock().now(),
                  .sent = patch.type == PatchType::kApply ? Sent::kApply : Sent::kPatch,
                  .scale_type = registry_.schemas().find(api::kScaleType)};
  Result<RecordPtr> written = not_found(resource, key.name);
  if (live) {
    // Decided and staged in one go on the loop: nobody can write in between, so there is nothing to
    // try again.
    written = write_patch(*kind, live, patch, key, request);
  } else if (patch.type == PatchType::kApply) {
    if (!has_default_namespaces_) make_default_namespaces();
    written = write_applied(*kind, key, patch, request);
  }
  SLIPWAY_CO_TRY(co_await settle(*kind->table, key));
  if (!written) co_return std::unexpected(std::move(written).error());
  co_return answer(**written, resource, options);
}

Task<Result<Store::Deleted>> Engine::remove(api::Gvr gvr, Key key, DeleteOptions options) {
  if (!queue_.has_room()) SLIPWAY_CO_TRY(co_await make_room());
  Result<Kind> kind = find_kind(gvr);
  if (!kind) co_return std::unexpected(std::move(kind).error());
  const api::Resource& resource = *kind->resource;
  if (!resource.namespaced) key.ns.clear();
  RecordPtr live = State::find_staged(*kind->table, key);
  Result<RecordPtr> written = not_found(resource, key.name);
  bool gone = false;
  if (live) {
    Result<Decision> decision =
        decide_remove(decode(*live, resource), {resource, options, loop_.clock().now()});
    gone = decision && decision->outcome == Outcome::kErase;
    written = write_decision(*kind, live, std::move(decision), options.dry_run);
  }
  SLIPWAY_CO_TRY(co_await settle(*kind->table, key));
  if (!written) co_return std::unexpected(std::move(written).error());
  co_return Deleted{item_of(**written, resource), gone};
}

}  // namespace slipway::store
