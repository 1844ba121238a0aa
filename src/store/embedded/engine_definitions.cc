#include "api/object.h"
#include "api/rules/crd_names.h"
#include "base/log.h"
#include "store/embedded/definitions.h"
#include "store/embedded/engine.h"

namespace slipway::store {

namespace {

// "rollouts.argoproj.io": a definition of a kind that is served without one.
bool is_built_in(const api::Registry& registry, std::string_view name) {
  for (const auto& resource : registry.all())
    if (!resource->custom && resource->plural + "." + resource->gvk.group == name) return true;
  return false;
}

// What objects are read by: name, schema and use of each version.
json::Array forms_of(const json::Object& crd) {
  json::Array forms;
  const json::Value* versions = json::at(crd, {"spec", "versions"});
  if (!versions || !versions->is_array()) return forms;
  for (const json::Value& version : versions->get_array()) {
    json::Object form;
    for (std::string_view key : {"name", "schema", "served", "storage"})
      if (const json::Value* part = json::at(version, {key})) form[key] = *part;
    forms.push_back(std::move(form));
  }
  return forms;
}

bool same_forms(const Record& before, const Record& after) {
  return json::same(forms_of(decode(before)), forms_of(decode(after)));
}

// What the objects of a kind that are kept as `api_version` look like now; null when that version
// is neither served nor stored any longer.
const api::Schema* schema_of(const std::vector<std::shared_ptr<const api::Resource>>& versions,
                             const std::string& api_version) {
  for (const auto& resource : versions) {
    if (resource->gvk.api_version() == api_version) return resource->schema;
    if (resource->storage && resource->storage->api_version == api_version)
      return resource->storage->schema;
  }
  return nullptr;
}

}  // namespace

void Engine::register_definition(const Change& change) {
  if (change.erased) {
    registry_.remove_custom(change.after->key.name);
    dying_.erase(change.after->key.name);
    names_.erase(change.after->key.name);
    refused_.erase(change.after->key.name);
  } else {
    note_definition(*change.after);
    if (change.before && !same_forms(*change.before, *change.after))
      refit_objects(change.after->key.name, change.after->version);
  }
}

void Engine::refit_objects(const std::string& definition, Version version) {
  Table& table = state_->table(definition);
  std::vector<std::shared_ptr<const api::Resource>> versions = registry_.all();
  std::erase_if(versions, [&](const auto& resource) {
    return !resource->custom || resource->plural + "." + resource->gvk.group != definition;
  });
  if (versions.empty()) return;
  std::vector<RecordPtr> fitted;
  for (const RecordPtr& record : table.records) {
    if (record->version > version) continue;
    const api::Schema* schema = schema_of(versions, *record->api_version);
    if (RecordPtr other = schema ? refitted(*record, *schema) : nullptr)
      fitted.push_back(std::move(other));
  }
  for (const RecordPtr& record : fitted) state_->reword(table, record);
}

void Engine::note_definition(const Record& record) {
  const json::Object crd = decode(record);
  const json::Value* accepted = json::at(crd, {"status", "acceptedNames"});
  names_[record.key.name] = {
      std::string(json::string_at(crd, {"spec", "group"})),
      accepted && accepted->is_object() ? accepted->get_object() : json::Object()};
  if (api::are_names_accepted(crd))
    refused_.erase(record.key.name);
  else
    refused_.insert(record.key.name);
  if (Result<> added = registry_.add_custom(crd); !added) {
    log::warning("store", "custom resource definition {} is not served: {}", record.key.name,
                 added.error().text());
  }
  if (record.deleting) dying_.insert(record.key.name);
}

bool Engine::settle_names(json::Object& crd, const json::Object* before) const {
  const std::string_view name = api::name_of(crd), group = json::string_at(crd, {"spec", "group"});
  api::TakenNames taken;
  for (const auto& [other, names] : names_) {
    if (other != name && names.group == group && !definitions_.staged.contains(KeyView("", other)))
      taken.add(names.accepted);
  }
  for (const auto& [key, change] : definitions_.staged) {
    if (key.name == name || change.erased) continue;
    const json::Object other = decode(*change.after);
    const json::Value* accepted = json::at(other, {"status", "acceptedNames"});
    if (json::string_at(other, {"spec", "group"}) == group && accepted && accepted->is_object())
      taken.add(accepted->get_object());
  }
  // Whoever brings the definition of a built-in kind has its names.
  for (const auto& resource : registry_.all()) {
    if (!resource->custom && resource->gvk.group == group &&
        resource->plural + "." + resource->gvk.group != name)
      taken.add(*resource);
  }
  return api::settle_names(crd, before, taken, format_time(loop_.clock().now()));
}

void Engine::settle_refused() {
  // In a memory store staging commits at once, which comes back here.
  if (settling_ || refused_.empty() || queue_.stopping()) return;
  settling_ = true;
  settle_due_ = false;
  auto resource =
      registry_.find(api::Gvr{"apiextensions.k8s.io", "v1", "customresourcedefinitions"});
  for (std::set<std::string> names = refused_; const std::string& name : names) {
    RecordPtr definition = State::find_staged(definitions_, {"", name});
    if (!definition) continue;
    json::Object crd = decode(*definition);
    const json::Object before = crd;
    if (settle_names(crd, &before)) {
      write_decision({resource, &definitions_}, definition, Decision{Outcome::kPut, std::move(crd)},
                     false);
      settle_due_ = true;  // its batch may fail
    }
  }
  settling_ = false;
}

void Engine::sweep_definitions() {
  // In a memory store staging commits at once, which comes back here.
  if (sweeping_ || dying_.empty() || queue_.stopping()) return;
  sweeping_ = true;
  for (std::set<std::string> names = dying_; const std::string& name : names) {
    while (sweep_definition(name) && dying_.contains(name) && state_->staged() == 0) {
    }
  }
  sweeping_ = false;
}

// A batch of deletions, or the definition itself when nothing is left. What is not committed at
// once brings us back when it is. Objects that wait for finalizers of their own hold the definition
// as long.
bool Engine::sweep_definition(const std::string& name) {
  RecordPtr definition = State::find_staged(definitions_, {"", name});
  if (!definition || !definition->deleting || !queue_.has_room()) return false;
  auto definition_resource =
      registry_.find(api::Gvr{"apiextensions.k8s.io", "v1", "customresourcedefinitions"});
  json::Object object = decode(*definition);
  const std::vector<std::string> finalizers = api::finalizers_of(object);
  if (std::ranges::find(finalizers, kCleanupFinalizer) == finalizers.end()) return false;

  Table& table = state_->table(name);
  if (is_built_in(registry_, name) || (table.records.empty() && table.staged.empty())) {
    Result<RecordPtr> released = write_decision({definition_resource, &definitions_}, definition,
                                                release_definition(object), false);
    return released.has_value();
  }
  std::vector<RecordPtr> left;
  for (const RecordPtr& record : table.records) {
    if (left.size() == kMaxSweptAtOnce) break;
    if (!record->deleting && !table.staged.contains(record->key)) left.push_back(record);
  }
  bool has_written = false;
  for (const RecordPtr& record : left) {
    json::Object doomed = decode(*record);
    // The kind is whatever the object says: its definition may no longer serve that version.
    auto resource = std::make_shared<api::Resource>();
    resource->gvk = api::gvk_of(doomed);
    resource->plural = table.name.substr(0, table.name.find('.'));
    resource->namespaced = !record->key.ns.empty();
    DeleteOptions options{.propagation = Propagation::kBackground};
    Result<Decision> decision = decide_remove(doomed, {*resource, options, loop_.clock().now()});
    if (decision && write_decision({resource, &table}, record, std::move(decision), false))
      has_written = true;
  }
  return has_written;
}

}  // namespace slipway::store
