#include "server/write.h"

#include <fmt/format.h>

#include "api/object.h"
#include "server/body.h"
#include "server/go_syntax.h"
#include "server/present.h"
#include "server/status.h"
#include "server/write_options.h"

namespace slipway::server {
namespace {

const std::vector<std::string> kPatchTypes = {
    "application/json-patch+json", "application/merge-patch+json",
    "application/strategic-merge-patch+json", "application/apply-patch+yaml"};

// Kinds that kube-apiserver makes on PUT when they are not there.
bool created_by_update(const Call& call) {
  const auto& gvk = call.resource->gvk;
  if (!call.resource->native || !call.route.subresource.empty()) return false;
  return gvk.kind == "Lease" || gvk.kind == "Endpoints" || gvk.kind == "Event" ||
         gvk.kind == "Service";
}

Result<store::PatchType> patch_type(const Call& call) {
  auto type = parse_media_type(call.request.headers.get("Content-Type")).type;
  // kube-apiserver has no Go struct of custom kinds to merge strategically by.
  bool strategic = call.resource->native;
  if (type == kPatchTypes[0]) return store::PatchType::kJson;
  if (type == kPatchTypes[1]) return store::PatchType::kMerge;
  if (type == kPatchTypes[2] && strategic) return store::PatchType::kStrategicMerge;
  if (type == kPatchTypes[3]) return store::PatchType::kApply;
  if (strategic) return fail(ErrorCode::kUnsupportedMedia, "415: Unsupported Media Type");
  auto accepted = kPatchTypes;
  accepted.erase(accepted.begin() + 2);
  return fail(unsupported_media(accepted));
}

struct PatchRequest {
  store::Patch patch;
  store::WriteOptions options;
};

Result<PatchRequest> read_patch(const Call& call) {
  auto type = patch_type(call);
  if (!type) return std::unexpected(type.error());
  bool apply = *type == store::PatchType::kApply;
  auto options = write_options(call, "PatchOptions", apply);
  if (!options) return std::unexpected(options.error());
  auto body = apply ? read_yaml(call.request.body) : read_json(call.request.body);
  if (!body && body.error().code == ErrorCode::kBadRequest) {
    const std::string go = apply ? "" : go_syntax_error(call.request.body);
    const std::string_view where = apply ? "error decoding YAML: "
                                   : *type == store::PatchType::kStrategicMerge
                                       ? ""
                                       : "error decoding patch: ";
    return fail(ErrorCode::kBadRequest,
                fmt::format("{}{}", where, go.empty() ? body.error().text() : go));
  }
  if (!body) return std::unexpected(body.error());
  PatchRequest request{.patch = {.type = *type,
                                 .body = std::move(body->value),
                                 .force = flag(call.request.target, "force")},
                       .options = std::move(*options)};
  request.options.duplicates = std::move(body->duplicates);
  // What it may be is the store's matter: a patch of something that is not there is not looked at.
  if (const auto* object = request.patch.body.if_object()) SLIPWAY_TRY(check_version_text(*object));
  return request;
}

http::Response written(const Services& services, const Call& call, const Result<store::Item>& item,
                       int status, const std::vector<std::string>& warnings) {
  if (!item) {
    auto refused = failure(item.error());
    add_warnings(refused, warnings);
    return refused;
  }
  // A Scale is no object of the kind: it has no columns of its own, and goes out as it is.
  Result<http::Response> response = present_object(services, call, *item, status);
  if (!response) return failure(response.error());
  add_warnings(*response, warnings);
  return std::move(*response);
}

}  // namespace

void add_warnings(http::Response& response, const std::vector<std::string>& warnings) {
  for (std::size_t i = 0; i < warnings.size() && i < kMaxWarnings; ++i) {
    std::string quoted;
    for (char c : warnings[i]) {
      if (c == '"' || c == '\\') quoted += '\\';
      quoted += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
    response.headers.add("Warning", fmt::format("299 - \"{}\"", quoted));
  }
}

Task<http::Response> create_object(const Services& services, Call call) {
  auto options = write_options(call, "CreateOptions");
  if (!options) co_return failure(options.error());
  auto body = read_object(services.registry, call, call.resource->gvk);
  if (!body) co_return failure(body.error());
  if (auto matched = match_namespace(call, body->object); !matched)
    co_return failure(matched.error());
  std::vector<std::string> warnings;
  options->duplicates = std::move(body->duplicates);
  options->warnings = &warnings;
  auto item = co_await services.store.create(call.gvr(), call.ns(), std::move(body->object),
                                             std::move(*options));
  co_return written(services, call, item, 201, warnings);
}

Task<http::Response> update_object(const Services& services, Call call) {
  auto options = write_options(call, "UpdateOptions");
  if (!options) co_return failure(options.error());
  bool scale = call.route.subresource == "scale";
  auto gvk = scale ? api::Gvk{"autoscaling", "v1", "Scale"} : call.resource->gvk;
  auto body = read_object(services.registry, call, gvk);
  if (!body) co_return failure(body.error());
  if (auto checked = check_version_text(body->object); !checked) co_return failure(checked.error());
  if (auto matched = match_name(call, body->object); !matched) co_return failure(matched.error());
  if (auto matched = match_namespace(call, body->object); !matched)
    co_return failure(matched.error());
  std::vector<std::string> warnings;
  options->duplicates = std::move(body->duplicates);
  options->warnings = &warnings;
  std::optional<json::Object> spare;
  if (created_by_update(call) && api::version_of(body->object) == 0) spare = body->object;
  auto item =
      co_await services.store.update(call.gvr(), call.key(), std::move(body->object), *options);
  if (!item && item.error().code == ErrorCode::kNotFound && spare) {
    item = co_await services.store.create(call.gvr(), call.ns(), std::move(*spare), *options);
    co_return written(services, call, item, 201, warnings);
  }
  co_return written(services, call, item, 200, warnings);
}

Task<http::Response> patch_object(const Services& services, Call call) {
  auto request = read_patch(call);
  if (!request) co_return failure(request.error());
  std::vector<std::string> warnings;
  request->options.warnings = &warnings;
  int status = 200;
  // Only an apply can make an object; what it found tells 201 from 200.
  if (request->patch.type == store::PatchType::kApply && call.route.subresource.empty()) {
    auto before = co_await services.store.get(call.gvr(), call.key());
    if (!before && before.error().code == ErrorCode::kNotFound) status = 201;
  }
  auto item = co_await services.store.patch(call.gvr(), call.key(), std::move(request->patch),
                                            std::move(request->options));
  co_return written(services, call, item, status, warnings);
}

}  // namespace slipway::server
