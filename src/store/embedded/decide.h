#pragma once

#include <string_view>

#include "api/patch/patch_words.h"
#include "api/registry.h"
#include "base/random.h"
#include "store/store.h"

// What a write comes to, decided without doing it: pure but for the names and uids drawn from
// Random. The rules are those of Kubernetes' generic registry (apiserver/pkg/registry).
namespace slipway::store {

inline constexpr std::size_t kMaxObjectBytes = 1536 * 1024;  // etcd's limit for a request
// More that an object may have which is being deleted: its mark, and who took its finalizers away.
inline constexpr std::size_t kDeletionSlack = 16 * 1024;
inline constexpr std::size_t kMaxGeneratedPrefix = 58;  // of generateName; five characters follow
inline constexpr int kMaxNameAttempts = 8;

// What came: problems are worded for it.
enum class Sent { kObject, kPatch, kApply };

// What every decision needs to know of the request.
struct Request {
  const api::Resource& resource;
  const WriteOptions& options;
  Time now;
  Sent sent = Sent::kObject;
  api::PatchWords words = {};               // of a patch
  const api::Schema* scale_type = nullptr;  // autoscaling/v1 Scale, for applies to the subresource
};

enum class Outcome { kUnchanged, kPut, kErase };
struct Decision {
  Outcome outcome = Outcome::kUnchanged;
  json::Object object = {};  // the new state; kErase: the last one
};

// First half of a create: the object fits the request, its namespace is right, and what only the
// server may set is gone. The name may still be missing (generateName).
Result<> receive_create(json::Object& object, std::string_view ns, const Request& request);
std::string draw_name(std::string_view generate_name, Random& random);
// Second half, once it has a name: the complete object, without resourceVersion. `applied`:
// managedFields are there.
Result<json::Object> decide_create(json::Object object, const Request& request, Random& random,
                                   bool applied);

Result<Decision> decide_update(json::Object object, const Key& key, const json::Object& live,
                               const Request& request);
// The "binding" subresource of Pods: `binding` names the node that a Pod without one gets.
Result<Decision> decide_bind(const json::Object& binding, const json::Object& live,
                             const Request& request);
// Not for a missing object: see decide_apply_create.
Result<Decision> decide_patch(const Patch& patch, const Key& key, const json::Object& live,
                              const Request& request);
// The same for the scale subresource.
Result<Decision> decide_scale(const Patch& patch, const Key& key, const json::Object& live,
                              const Request& request);
// A request with the words its patch is refused in, and what they refer to. Stays where it is.
struct PatchedRequest {
  Request request;
  json::Value shown;
};
// What decoders look at before all else in what a patch has made: apiVersion, kind, metadata.
Result<> decode_patched(json::Object& object, const Patch& patch, const Key& key,
                        PatchedRequest& worded);
// What an apply sends, when it is an object.
Result<json::Object> applied_body(const Patch& patch);
// Server-side apply of something that is not there yet.
Result<json::Object> decide_apply_create(const Patch& patch, const Key& key, const Request& request,
                                         Random& random);

struct Removal {
  const api::Resource& resource;
  const DeleteOptions& options;
  Time now;
};
Result<Decision> decide_remove(const json::Object& live, const Removal& removal);

// The rest of an update, shared by all that change an object: `object` is the whole new object
// under the request's subresource.
Result<Decision> conclude_update(json::Object object, const json::Object& live,
                                 const Request& request, bool applied);
// apiVersion, kind, namespace and name agree with the request; missing ones are filled in.
Result<> fit_to_request(json::Object& object, const Key& key, const Request& request);
// The same, for requests that must name the object themselves.
Result<> fit_named(json::Object& object, const Key& key, const Request& request);
// Through api::admit. Unless `applied`, the writer comes to own what it changed.
Result<> admit_tracked(json::Object& object, const json::Object* live, const Request& request,
                       bool applied);
// The uid and version that a request names are those of the live object.
Result<> check_preconditions(const json::Object& object, const json::Object& live,
                             const Request& request);
bool same_object(const json::Object& a, const json::Object& b);
// Fails unless the kind has the subresource.
Result<> check_subresource(const Request& request);

}  // namespace slipway::store
