#include "sim/user.h"

#include <fmt/format.h>

#include "api/object.h"

namespace slipway::sim {

namespace {

constexpr std::string_view kMine = "example.com/mine";
constexpr std::uint64_t kLongestChain = 12;
constexpr Duration kLongestPause = std::chrono::milliseconds(300);

std::string_view kind_of(const api::Gvr& gvr) {
  return gvr == kConfigMaps ? "ConfigMap" : "Secret";
}

}  // namespace

Task<> User::act(int operations) {
  co_await make_namespace();
  co_await make_namespace();
  for (int i = 0; i < operations; ++i) {
    const auto draw = random_.below(100);
    if (draw < 57)
      co_await make_object();
    else if (draw < 60)
      co_await make_chain();
    else if (draw < 88)
      co_await delete_object();
    else if (draw < 94)
      co_await delete_hastily();
    else if (draw < 97)
      co_await make_namespace();
    else
      co_await delete_namespace();
    co_await sleep_for(loop_,
                       Duration(random_.below(static_cast<std::uint64_t>(kLongestPause.count()))));
  }
}

Task<> User::make_namespace() {
  const std::string name = fmt::format("ns{}", made_++);
  json::Object object{
      {"apiVersion", "v1"}, {"kind", "Namespace"}, {"metadata", json::Object{{"name", name}}}};
  // A cluster-scoped object cannot be owned from inside a namespace, but it may claim to be.
  if (!objects_.empty() && random_.below(2) == 0)
    api::set_owners(object, {reference_to(objects_[random_.below(objects_.size())])});
  auto made = co_await store_.create(kNamespaces, "", std::move(object), {});
  SLIPWAY_ASSERT(made);
  namespaces_.push_back(name);
}

Task<std::optional<json::Object>> User::read(Made made) {
  auto item = co_await store_.get(made.kind, made.key);
  if (!item) co_return std::nullopt;
  auto document = json::read(*item->bytes);
  if (api::uid_of(document->get_object()) != made.uid) co_return std::nullopt;
  co_return std::move(document->get_object());
}

Task<std::vector<User::Made>> User::living(std::string ns) {
  std::vector<Made> found;
  for (const auto& made : objects_) {
    if (made.key.ns != ns) continue;
    auto object = co_await read(made);
    if (object && !api::is_deleting(*object)) found.push_back(made);
  }
  co_return found;
}

api::OwnerReference User::reference_to(const Made& owner) {
  return {.api_version = "v1",
          .kind = std::string(kind_of(owner.kind)),
          .name = owner.key.name,
          .uid = owner.uid,
          .block_owner_deletion = random_.below(2) == 0};
}

std::vector<api::OwnerReference> User::some_owners(const std::string& ns,
                                                   const std::vector<Made>& living) {
  std::vector<api::OwnerReference> owners;
  if (living.empty() || random_.below(4) == 0) return owners;
  const auto count = 1 + random_.below(2);
  for (std::uint64_t i = 0; i < count; ++i) {
    const Made& owner = living[random_.below(living.size())];
    if (!owners.empty() && owners.front().uid == owner.uid) continue;
    owners.push_back(reference_to(owner));
  }
  // Now and then a reference to something that never was: it goes away while the others hold.
  if (!owners.empty() && random_.below(10) == 0)
    owners.push_back(
        {.api_version = "v1", .kind = "Secret", .name = "never-" + ns, .uid = random_.uuid()});
  return owners;
}

Task<> User::make_object() {
  if (namespaces_.empty()) co_return;
  const std::string ns = namespaces_[random_.below(namespaces_.size())];
  const auto candidates = co_await living(ns);
  // A name is used again after its object has gone, so that names alone cannot tell objects apart.
  co_await create(ns, fmt::format("o{}", random_.below(30)), some_owners(ns, candidates));
}

Task<> User::make_chain() {
  if (namespaces_.empty()) co_return;
  const std::string ns = namespaces_[random_.below(namespaces_.size())];
  const auto length = 2 + random_.below(kLongestChain - 1);
  for (std::uint64_t i = 0; i < length; ++i) {
    const auto before = objects_.size();
    std::vector<api::OwnerReference> owner;
    if (i > 0) owner.push_back(reference_to(objects_.back()));
    co_await create(ns, fmt::format("deep{}", made_++), std::move(owner));
    if (objects_.size() == before) co_return;  // the namespace is on its way out
  }
}

Task<> User::create(std::string ns, std::string name, std::vector<api::OwnerReference> owners) {
  const api::Gvr kind = random_.below(2) == 0 ? kConfigMaps : kSecrets;
  json::Object object{
      {"apiVersion", "v1"}, {"kind", kind_of(kind)}, {"metadata", json::Object{{"name", name}}}};
  api::set_owners(object, owners);
  if (random_.below(6) == 0) api::set_finalizers(object, {std::string(kMine)});
  auto made = co_await store_.create(kind, ns, std::move(object), {});
  if (!made) co_return;
  auto document = json::read(*made->bytes);
  objects_.push_back({kind, made->key, std::string(api::uid_of(document->get_object()))});
}

Task<> User::delete_object() {
  if (objects_.empty()) co_return;
  co_await remove(objects_[random_.below(objects_.size())]);
}

Task<> User::delete_hastily() {
  if (objects_.empty()) co_return;
  const Made owner = objects_[random_.below(objects_.size())];
  auto there = co_await read(owner);
  if (!there || api::is_deleting(*there)) co_return;
  const api::Gvr kind = owner.kind == kConfigMaps ? kSecrets : kConfigMaps;
  json::Object object{{"apiVersion", "v1"},
                      {"kind", kind_of(kind)},
                      {"metadata", json::Object{{"name", fmt::format("late{}", made_++)}}}};
  api::set_owners(object, {reference_to(owner)});
  auto made = co_await store_.create(kind, owner.key.ns, std::move(object), {});
  if (!made) co_return;
  auto document = json::read(*made->bytes);
  objects_.push_back({kind, made->key, std::string(api::uid_of(document->get_object()))});
  co_await remove(owner);
}

Task<> User::remove(Made made) {
  // One wish an object: a second one races with what the first has already set going.
  auto there = co_await read(made);
  if (!there || api::is_deleting(*there)) co_return;
  const auto propagation = static_cast<store::Propagation>(random_.below(3));
  std::set<std::string> dependents;
  for (const auto& other : objects_) {
    auto object = co_await read(other);
    if (!object) continue;
    for (const auto& owner : api::owners_of(*object))
      if (owner.uid == made.uid) dependents.insert(other.uid);
  }
  auto done =
      co_await store_.remove(made.kind, made.key, {.propagation = propagation, .if_uid = made.uid});
  if (!done) co_return;
  intent_.deleted[made.uid] = propagation;
  if (propagation == store::Propagation::kOrphan) intent_.orphaned[made.uid] = dependents;
}

Task<> User::delete_namespace() {
  if (namespaces_.size() < 2) co_return;
  const auto at = random_.below(namespaces_.size());
  const std::string name = namespaces_[at];
  namespaces_.erase(namespaces_.begin() + static_cast<std::ptrdiff_t>(at));
  intent_.namespaces.insert(name);
  auto done = co_await store_.remove(kNamespaces, {"", name}, {});
  SLIPWAY_ASSERT(done);
}

Task<> User::release() {
  for (const auto& made : objects_) {
    auto object = co_await read(made);
    if (!object) continue;
    auto finalizers = api::finalizers_of(*object);
    if (std::erase(finalizers, kMine) == 0) continue;
    json::Array left;
    for (const auto& name : finalizers) left.emplace_back(name);
    json::Object body{{"metadata", json::Object{{"finalizers", std::move(left)}}}};
    co_await store_.patch(made.kind, made.key,
                          {.type = store::PatchType::kMerge, .body = std::move(body)}, {});
  }
}

}  // namespace slipway::sim
