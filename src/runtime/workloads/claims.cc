#include "runtime/workloads/claims.h"

#include <fmt/format.h>

#include "api/object.h"
#include "store/decode.h"
#include "store/key_of.h"

namespace slipway::runtime {

Result<Claimant> view_claimant(const json::Object& object) {
  const json::Value* given = json::at(object, {"spec", "selector"});
  auto selector = api::read_label_selector(given ? *given : json::Value(nullptr));
  if (!selector) return std::unexpected(std::move(selector).error());
  return Claimant{.uid = std::string(api::uid_of(object)),
                  .deleting = api::is_deleting(object),
                  .selector = std::move(*selector)};
}

Claims decide_claims(const Claimant& claimant, const std::vector<const PodView*>& pods) {
  Claims claims;
  for (const PodView* pod : pods) {
    const bool matches = claimant.selector.matches(pod->labels);
    if (pod->controller_uid == claimant.uid) {
      if (matches)
        claims.owned.push_back(pod);
      else if (!claimant.deleting)
        claims.release.push_back(pod);
    } else if (pod->controller_uid.empty() && matches && !claimant.deleting && !pod->deleting) {
      claims.adopt.push_back(pod);
    }
  }
  return claims;
}

Task<Result<>> may_adopt(store::Store& store, api::Gvr kind, json::Object claimant) {
  auto fresh = co_await store.get(std::move(kind), store::key_of(claimant));
  if (!fresh) co_return std::unexpected(std::move(fresh).error());
  const auto document = store::decode(*fresh);
  if (!document) co_return std::unexpected(document.error());
  if (api::uid_of(*document) != api::uid_of(claimant) || api::is_deleting(*document))
    co_return fail(ErrorCode::kConflict, fmt::format("the {} is being deleted or is another one",
                                                     api::gvk_of(claimant).kind));
  co_return Result<>();
}

json::Array adopted_by(const json::Object& owner) {
  json::Object holder;
  api::set_owners(holder, {api::controller_reference(owner)});
  return std::move(holder.at("metadata").at("ownerReferences").as_array());
}

json::Array released_by(const json::Object& owner) {
  return {json::Object{{"$patch", "delete"}, {"uid", api::uid_of(owner)}}};
}

}  // namespace slipway::runtime
