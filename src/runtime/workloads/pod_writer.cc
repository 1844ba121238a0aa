#include "runtime/workloads/pod_writer.h"

#include <algorithm>

#include "api/object.h"
#include "async/wait_all.h"
#include "runtime/workloads/claims.h"
#include "store/key_of.h"

namespace slipway::runtime {

namespace {

using control::EventKind;
using store::key_of;

// Does not apply to another Pod of the same name, nor to a newer state of this one.
json::Object guarded(json::Object metadata, const PodRef& pod) {
  metadata["uid"] = pod.uid;
  metadata["resourceVersion"] = std::to_string(pod.version);
  return metadata;
}

bool is_gone(const Error& error) { return error.code == ErrorCode::kNotFound; }

}  // namespace

PodRef ref_to(const PodView& pod) { return {pod.key, pod.uid, pod.version}; }

std::vector<PodRef> refs_to(const std::vector<const PodView*>& pods) {
  std::vector<PodRef> refs;
  for (const PodView* pod : pods) refs.push_back(ref_to(*pod));
  return refs;
}

json::Object pod_from_template(const json::Object& owner) {
  json::Object metadata;
  metadata["generateName"] = std::string(api::name_of(owner)) + "-";
  for (const std::string_view field : {"labels", "annotations", "finalizers"})
    if (const json::Value* value = json::at(owner, {"spec", "template", "metadata", field}))
      metadata[field] = *value;
  metadata["ownerReferences"] = adopted_by(owner);
  json::Object pod{{"apiVersion", "v1"}, {"kind", "Pod"}, {"metadata", std::move(metadata)}};
  if (const json::Value* spec = json::at(owner, {"spec", "template", "spec"})) pod["spec"] = *spec;
  return pod;
}

Task<PodWriter::Written> PodWriter::create(json::Object owner, std::vector<json::Object> pods) {
  const store::Key key = key_of(owner);
  Written written;
  std::size_t next = 0;
  bool terminating = false;
  for (std::size_t size = 1; next < pods.size() && !written.error && !terminating; size *= 2) {
    std::vector<Task<Result<store::Item>>> batch;
    for (std::size_t i = 0; i < size && next < pods.size(); ++i, ++next)
      batch.push_back(manager_.store().create(kPods, key.ns, std::move(pods[next]), {}));
    for (auto& made : co_await wait_all(manager_.loop(), std::move(batch))) {
      if (made) {
        ++written.count;
        own_.wrote(key, made->version);
        recorder_.record(owner, EventKind::kNormal, "SuccessfulCreate",
                         "Created pod: " + made->key.name);
        continue;
      }
      if (made.error().code == ErrorCode::kForbidden) {
        terminating = true;
        continue;
      }
      own_.failed(key, made.error());
      recorder_.record(owner, EventKind::kWarning, "FailedCreate",
                       "Error creating: " + made.error().text());
      if (!written.error) written.error = std::move(made).error();
    }
  }
  co_return written;
}

Task<PodWriter::Written> PodWriter::remove(json::Object owner, std::vector<PodRef> pods) {
  const store::Key key = key_of(owner);
  std::vector<Task<Result<store::Store::Deleted>>> all;
  for (const PodRef& pod : pods)
    all.push_back(manager_.store().remove(kPods, pod.key, {.if_uid = pod.uid}));
  Written written;
  auto answers = co_await wait_all(manager_.loop(), std::move(all));
  for (std::size_t i = 0; i < answers.size(); ++i) {
    auto& answer = answers[i];
    if (answer) {
      ++written.count;
      own_.wrote(key, answer->item.version);
      recorder_.record(owner, EventKind::kNormal, "SuccessfulDelete",
                       "Deleted pod: " + pods[i].key.name);
    } else if (is_gone(answer.error())) {
      ++written.count;
    } else {  // a conflict, too: if another Pod has its name by now, the next look will know
      own_.failed(key, answer.error());
      recorder_.record(owner, EventKind::kWarning, "FailedDelete",
                       "Error deleting: " + answer.error().text());
      if (!written.error) written.error = std::move(answer).error();
    }
  }
  co_return written;
}

Task<PodWriter::Written> PodWriter::patch_each(json::Object owner, std::vector<PodRef> pods,
                                               json::Object metadata) {
  const store::Key key = key_of(owner);
  std::vector<Task<Result<store::Item>>> all;
  for (const PodRef& pod : pods)
    all.push_back(
        manager_.store().patch(kPods, pod.key,
                               {.type = store::PatchType::kStrategicMerge,
                                .body = json::Object{{"metadata", guarded(metadata, pod)}}},
                               {}));
  Written written;
  for (auto& answer : co_await wait_all(manager_.loop(), std::move(all))) {
    if (answer) {
      ++written.count;
      own_.wrote(key, answer->version);
    } else if (is_gone(answer.error())) {
      ++written.count;
    } else {
      own_.failed(key, answer.error());
      if (!written.error) written.error = std::move(answer).error();
    }
  }
  co_return written;
}

Task<Result<>> PodWriter::adopt(json::Object owner, std::vector<PodRef> pods,
                                std::string finalizer) {
  json::Object metadata{{"ownerReferences", adopted_by(owner)}};
  if (!finalizer.empty()) metadata["finalizers"] = json::Array{json::Value(finalizer)};
  auto written = co_await patch_each(std::move(owner), std::move(pods), std::move(metadata));
  if (written.error) co_return fail(std::move(*written.error));
  co_return Result<>();
}

Task<Result<>> PodWriter::release(json::Object owner, std::vector<PodRef> pods,
                                  std::string finalizer) {
  json::Object metadata{{"ownerReferences", released_by(owner)}};
  if (!finalizer.empty())
    metadata["$deleteFromPrimitiveList/finalizers"] = json::Array{json::Value(finalizer)};
  auto written = co_await patch_each(std::move(owner), std::move(pods), std::move(metadata));
  if (written.error) co_return fail(std::move(*written.error));
  co_return Result<>();
}

Task<PodWriter::Written> PodWriter::unfinalize(json::Object owner, std::vector<PodRef> pods,
                                               std::string finalizer) {
  json::Object metadata{
      {"$deleteFromPrimitiveList/finalizers", json::Array{json::Value(finalizer)}}};
  return patch_each(std::move(owner), std::move(pods), std::move(metadata));
}

}  // namespace slipway::runtime
