#include "store/kube/kube_store.h"

#include <fmt/format.h>

#include "base/random.h"
#include "store/decode.h"
#include "store/kube/answer.h"
#include "store/kube/kube_watch.h"
#include "store/kube/target.h"

namespace slipway::store::kube {

namespace {

using ResourcePtr = std::shared_ptr<const api::Resource>;

// A path segment that would name another path: an empty name the whole collection, dots a parent.
Result<> check_segment(std::string_view text, std::string_view field) {
  if (text.empty()) return fail(ErrorCode::kInvalid, "missing", std::string(field));
  if (text == "." || text == ".." || text.find('/') != std::string_view::npos) {
    return fail(ErrorCode::kInvalid, fmt::format("\"{}\" is no name", text), std::string(field));
  }
  return {};
}

Result<> check_key(const api::Resource& resource, const Key& key) {
  SLIPWAY_TRY(check_segment(key.name, "metadata.name"));
  if (resource.namespaced) SLIPWAY_TRY(check_segment(key.ns, "metadata.namespace"));
  return {};
}

// An object without apiVersion or kind is taken for what the request names.
void fill_type(json::Object& object, const api::Resource& resource, std::string_view subresource) {
  const bool scale = subresource == "scale";
  if (!object.contains("apiVersion")) {
    object["apiVersion"] = scale ? "autoscaling/v1" : resource.gvk.api_version();
  }
  if (!object.contains("kind")) object["kind"] = scale ? "Scale" : resource.gvk.kind;
}

// Repeated keys are gone from the object by now, so the server cannot judge them.
Result<> judge_duplicates(const WriteOptions& options, const api::Resource& resource) {
  if (options.validation == FieldValidation::kIgnore) return {};
  for (const std::string& path : options.duplicates) {
    std::string problem = fmt::format("duplicate field \"{}\"", path);
    if (options.validation == FieldValidation::kStrict) {
      return fail(ErrorCode::kBadRequest,
                  fmt::format("{0} in version \"{1}\" cannot be handled as a {0}: strict decoding "
                              "error: {2}",
                              resource.gvk.kind, resource.gvk.version, problem));
    }
    if (options.warnings) options.warnings->push_back(std::move(problem));
  }
  return {};
}

class KubeStore final : public Store {
 public:
  KubeStore(Loop& loop, Connection& connection, api::Registry& registry)
      : loop_(loop), connection_(connection), registry_(registry), random_(system_random()) {}

  Task<Result<Item>> get(api::Gvr kind, Key key) override;
  Task<Result<Page>> list(api::Gvr kind, ListOptions options) override;
  Task<Result<std::unique_ptr<Watch>>> watch(api::Gvr kind, WatchOptions options) override;
  Task<Result<Item>> create(api::Gvr kind, std::string ns, json::Object object,
                            WriteOptions options) override;
  Task<Result<Item>> update(api::Gvr kind, Key key, json::Object object,
                            WriteOptions options) override;
  Task<Result<Item>> patch(api::Gvr kind, Key key, Patch patch, WriteOptions options) override;
  Task<Result<Deleted>> remove(api::Gvr kind, Key key, DeleteOptions options) override;

 private:
  Task<Result<ResourcePtr>> find(api::Gvr kind);
  // The answer to a call; statuses of 400 and above are errors.
  Task<Result<http::Response>> ask(Call call);
  Task<Result<Item>> read(ResourcePtr resource, Key key);
  Task<Result<Item>> write(ResourcePtr resource, Call call, WriteOptions options);

  Loop& loop_;
  Connection& connection_;
  api::Registry& registry_;
  std::unique_ptr<Random> random_;
};

Task<Result<ResourcePtr>> KubeStore::find(api::Gvr kind) {
  if (ResourcePtr known = registry_.find(kind)) co_return known;
  // Also when the definition may not be read: nobody can tell us of the kind then.
  const std::unexpected<Error> unknown =
      fail(ErrorCode::kNotFound, "the server could not find the requested resource");
  if (kind.group.empty()) co_return unknown;
  const ResourcePtr definitions =
      registry_.find(api::Gvr{"apiextensions.k8s.io", "v1", "customresourcedefinitions"});
  if (!definitions) co_return unknown;
  Result<Item> definition = co_await read(definitions, {"", kind.resource + "." + kind.group});
  if (!definition) {
    const ErrorCode code = definition.error().code;
    if (code == ErrorCode::kNotFound || code == ErrorCode::kForbidden) co_return unknown;
    co_return std::unexpected(std::move(definition).error());
  }
  Result<json::Object> document = decode(*definition);
  if (!document) co_return unknown;
  SLIPWAY_CO_TRY(registry_.add_custom(*document));
  ResourcePtr added = registry_.find(kind);
  if (!added) co_return unknown;
  co_return added;
}

Task<Result<http::Response>> KubeStore::ask(Call call) {
  if (!call.body.empty() && !call.headers.has("Content-Type")) {
    call.headers.set("Content-Type", "application/json");
  }
  Result<http::Response> response = co_await connection_.send(std::move(call));
  if (response && response->status >= 400) co_return fail(error_of(*response));
  co_return response;
}

Task<Result<Item>> KubeStore::read(ResourcePtr resource, Key key) {
  SLIPWAY_CO_TRY(check_key(*resource, key));
  Result<http::Response> response = co_await ask({.target = object_path(*resource, key)});
  if (!response) co_return std::unexpected(std::move(response).error());
  co_return parse_item(response->body, *resource);
}

Task<Result<Item>> KubeStore::write(ResourcePtr resource, Call call, WriteOptions options) {
  SLIPWAY_CO_TRY(judge_duplicates(options, *resource));
  Result<http::Response> response = co_await ask(std::move(call));
  if (!response) co_return std::unexpected(std::move(response).error());
  if (options.warnings) {
    for (std::string& warning : warnings_of(response->headers)) {
      options.warnings->push_back(std::move(warning));
    }
  }
  co_return parse_item(response->body, *resource);
}

Task<Result<Item>> KubeStore::get(api::Gvr kind, Key key) {
  Result<ResourcePtr> resource = co_await find(std::move(kind));
  if (!resource) co_return std::unexpected(std::move(resource).error());
  co_return co_await read(*resource, std::move(key));
}

Task<Result<Page>> KubeStore::list(api::Gvr kind, ListOptions options) {
  Result<ResourcePtr> resource = co_await find(std::move(kind));
  if (!resource) co_return std::unexpected(std::move(resource).error());
  if (!options.ns.empty()) SLIPWAY_CO_TRY(check_segment(options.ns, "metadata.namespace"));
  Result<http::Response> response = co_await ask(
      {.target = with_query(collection_path(**resource, options.ns), list_query(options))});
  if (!response) co_return std::unexpected(std::move(response).error());
  co_return parse_page(response->body, **resource);
}

Task<Result<std::unique_ptr<Watch>>> KubeStore::watch(api::Gvr kind, WatchOptions options) {
  Result<ResourcePtr> resource = co_await find(std::move(kind));
  if (!resource) co_return std::unexpected(std::move(resource).error());
  if (!options.ns.empty()) SLIPWAY_CO_TRY(check_segment(options.ns, "metadata.namespace"));
  auto watch =
      std::make_unique<KubeWatch>(loop_, connection_, *random_, *resource, std::move(options));
  SLIPWAY_CO_TRY(co_await watch->start());
  co_return watch;
}

Task<Result<Item>> KubeStore::create(api::Gvr kind, std::string ns, json::Object object,
                                     WriteOptions options) {
  Result<ResourcePtr> resource = co_await find(std::move(kind));
  if (!resource) co_return std::unexpected(std::move(resource).error());
  if ((*resource)->namespaced) SLIPWAY_CO_TRY(check_segment(ns, "metadata.namespace"));
  fill_type(object, **resource, {});
  Call call{.method = "POST",
            .target = with_query(collection_path(**resource, ns), write_query(options)),
            .body = json::write(object)};
  co_return co_await write(*resource, std::move(call), std::move(options));
}

Task<Result<Item>> KubeStore::update(api::Gvr kind, Key key, json::Object object,
                                     WriteOptions options) {
  Result<ResourcePtr> resource = co_await find(std::move(kind));
  if (!resource) co_return std::unexpected(std::move(resource).error());
  SLIPWAY_CO_TRY(check_key(**resource, key));
  fill_type(object, **resource, options.subresource);
  Call call{
      .method = "PUT",
      .target = with_query(object_path(**resource, key, options.subresource), write_query(options)),
      .body = json::write(object)};
  co_return co_await write(*resource, std::move(call), std::move(options));
}

Task<Result<Item>> KubeStore::patch(api::Gvr kind, Key key, Patch patch, WriteOptions options) {
  Result<ResourcePtr> resource = co_await find(std::move(kind));
  if (!resource) co_return std::unexpected(std::move(resource).error());
  SLIPWAY_CO_TRY(check_key(**resource, key));
  const bool applies = patch.type == PatchType::kApply;
  if (applies && patch.body.is_object()) {
    fill_type(patch.body.get_object(), **resource, options.subresource);
  }
  Query query = write_query(options);
  if (applies && patch.force) query.emplace_back("force", "true");
  Call call{.method = "PATCH",
            .target = with_query(object_path(**resource, key, options.subresource), query),
            .body = json::write(patch.body),
            .repeatable = applies};
  call.headers.set("Content-Type", std::string(content_type_of(patch.type)));
  co_return co_await write(*resource, std::move(call), std::move(options));
}

Task<Result<Store::Deleted>> KubeStore::remove(api::Gvr kind, Key key, DeleteOptions options) {
  Result<ResourcePtr> resource = co_await find(std::move(kind));
  if (!resource) co_return std::unexpected(std::move(resource).error());
  Result<Item> before = co_await read(*resource, key);
  if (!before) co_return std::unexpected(std::move(before).error());
  Result<http::Response> response = co_await ask({.method = "DELETE",
                                                  .target = object_path(**resource, key),
                                                  .body = delete_options_body(options)});
  if (!response) co_return std::unexpected(std::move(response).error());
  co_return parse_deleted(response->body, **resource, std::move(*before));
}

}  // namespace

std::unique_ptr<Store> make_kube_store(Loop& loop, Connection& connection,
                                       api::Registry& registry) {
  return std::make_unique<KubeStore>(loop, connection, registry);
}

}  // namespace slipway::store::kube
