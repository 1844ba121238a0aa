#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/schema/schema.h"
#include "base/time.h"

namespace slipway::api {

// Names a served kind the way URLs do. The core group is empty.
struct Gvr {
  std::string group;
  std::string version;
  std::string resource;  // plural
  auto operator<=>(const Gvr&) const = default;
};

struct Gvk {
  std::string group;
  std::string version;
  std::string kind;
  auto operator<=>(const Gvk&) const = default;
  std::string api_version() const { return group.empty() ? version : group + "/" + version; }
};
// "apps/v1" and "v1" alike.
Gvk parse_gvk(std::string_view api_version, std::string_view kind);

struct PrinterColumn {
  std::string name;
  std::string type = "string";  // string integer number boolean date
  std::string format = {};
  std::string json_path = {};  // of CRDs; built-in kinds compute their cells (server/table_*.cc)
  std::string description = {};
  int priority = 0;  // above 0 only with -o wide
};

struct ScalePaths {
  std::string spec_replicas;  // .spec.replicas
  std::string status_replicas;
  std::string selector = {};  // .status.selector
};

// Rules of a kind that its schema cannot express. All pure; `errors` collects every finding, so
// that a user sees them all.
struct Findings;
struct KindRules {
  // Fills in what Kubernetes' defaulting functions fill in. Runs on create and update, after schema
  // defaults.
  std::function<void(json::Object& object)> set_defaults = {};
  // Adjusts a new object before validation (e.g. a Namespace gets its finalizer and phase). `old`
  // is null on create.
  std::function<void(json::Object& object, const json::Object* old)> prepare = {};
  std::function<void(const json::Object& object, const json::Object* old, Findings& findings)>
      validate = {};
};

// The version in which the objects of a custom kind are kept, whichever they are written through.
struct StorageForm {
  std::string api_version;
  const Schema* schema = nullptr;
  std::shared_ptr<const SchemaSet> owner = {};  // of the schema
};

enum class NameRule : std::uint8_t { kSubdomain, kLabel, kLabel1035 };

// One served kind, everything that all parts of the program need to know of it.
struct Resource {
  Gvk gvk = {};
  std::string plural = {};
  std::string singular = {};
  std::vector<std::string> short_names = {};
  std::vector<std::string> categories = {};
  bool namespaced = true;
  NameRule name_rule = NameRule::kSubdomain;
  const Schema* schema = nullptr;  // null: anything goes (CRD with preserve-unknown root)
  bool status_subresource = false;
  std::optional<ScalePaths> scale = {};
  // Native kinds: all, Name included. Others: those after Name, with their JSON paths.
  std::vector<PrinterColumn> columns = {};
  std::vector<std::string> selectable_fields =
      {};  // beside metadata.name and metadata.namespace: "status.phase"
  KindRules rules = {};
  bool custom = false;  // from a CustomResourceDefinition
  bool native = false;  // Kubernetes' own Go types: decoded, worded and written as Go does; else as
                        // custom resources
  bool stored = true;   // false: virtual kinds such as SelfSubjectAccessReview
  std::shared_ptr<const SchemaSet> owner =
      {};  // keeps a CRD's schemas alive while requests still use them

  // Of a custom kind with several versions, shared by all that are not it; null: this one is.
  std::shared_ptr<const StorageForm> storage = {};

  Gvr gvr() const { return {gvk.group, gvk.version, plural}; }
};

// The kinds this program serves or knows: built-in from the start, custom ones as CRDs come and go.
//
// Resources are handed out as shared_ptr because a request may still hold one that a CRD's deletion
// has just removed.
class Registry {
 public:
  // All built-in and own kinds. Cheap enough for start-up (a few ms); asserts that the tables are
  // sound.
  static std::unique_ptr<Registry> make();

  std::shared_ptr<const Resource> find(const Gvr& gvr) const;
  std::shared_ptr<const Resource> find(const Gvk& gvk) const;
  // By plural, singular, short name or kind, any case, with or without ".group": as people type it.
  std::shared_ptr<const Resource> find_by_word(std::string_view word) const;
  std::vector<std::shared_ptr<const Resource>> all() const;  // by group, version, plural

  // Adds or replaces the kinds a CRD serves; removes them all when it is deleted. Errors name the
  // field of the CRD. A CRD of a kind that is built in changes nothing.
  Result<> add_custom(const json::Object& crd);
  void remove_custom(std::string_view crd_name);

  const SchemaSet& schemas() const { return *schemas_; }
  // Grows with each change: discovery and OpenAPI caches key on it.
  std::uint64_t version() const { return version_; }

 private:
  Registry();
  void put(Resource resource);

  std::shared_ptr<SchemaSet> schemas_;
  // Resources are shared with requests that may outlive their registration.
  std::map<Gvr, std::shared_ptr<const Resource>> by_gvr_;
  std::map<Gvk, std::shared_ptr<const Resource>> by_gvk_;
  std::map<std::string, std::vector<Gvr>, std::less<>> by_crd_;
  std::uint64_t version_ = 1;
};

}  // namespace slipway::api
