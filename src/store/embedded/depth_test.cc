#include <fmt/format.h>

#include "base/json_depth.h"
#include "store/decode.h"
#include "store/embedded/embedded_host.h"

namespace slipway::store {
namespace {

const api::Gvr kDefinitions{"apiextensions.k8s.io", "v1", "customresourcedefinitions"};
const api::Gvr kThings{"example.com", "v1", "things"};

json::Value nest(std::size_t levels) {
  json::Value value(1);
  for (std::size_t i = 0; i < levels; ++i) value = json::Object{{"a", std::move(value)}};
  return value;
}

class DepthTest : public testing::Test {
 protected:
  void open() {
    host_.reset();
    host_ = std::make_unique<SqliteHost>(folder_.file("store.db"));
    ASSERT_TRUE(host_->opened()) << host_->opened().error().text();
  }
  template <class T>
  T run(Task<T> task) {
    return run_to_end(host_->loop(), std::move(task));
  }
  Result<Item> create(std::size_t spec_depth) {
    json::Object object{{"apiVersion", "example.com/v1"},
                        {"kind", "Thing"},
                        {"metadata", json::Object{{"name", fmt::format("t{}", spec_depth)}}},
                        {"spec", nest(spec_depth)}};
    return run(host_->store().create(kThings, "default", std::move(object), {}));
  }
  // Makes the kind, and the deepest thing that is taken: how deep its spec is.
  std::size_t make_deepest() {
    json::Object definition = parse(R"({
      "metadata": {"name": "things.example.com"},
      "spec": {"group": "example.com", "scope": "Namespaced",
        "names": {"plural": "things", "singular": "thing", "kind": "Thing", "listKind": "ThingList"},
        "versions": [{"name": "v1", "served": true, "storage": true,
          "schema": {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}}}]}})");
    EXPECT_TRUE(run(host_->store().create(kDefinitions, "", std::move(definition), {})));
    std::size_t deepest = 0;
    for (std::size_t depth = 1; depth < json::kMaxDepth; ++depth) {
      auto made = create(depth);
      if (made) {
        EXPECT_EQ(deepest, depth - 1) << "a deeper one was taken after one was refused";
        deepest = depth;
      } else {
        EXPECT_EQ(made.error().code, ErrorCode::kBadRequest);
      }
    }
    return deepest;
  }

  ScratchFolder folder_;
  std::unique_ptr<SqliteHost> host_;
};

TEST_F(DepthTest, TakesWhatIsWithinTheLimitAsItIsKept) {
  open();
  const std::size_t deepest = make_deepest();
  EXPECT_GT(deepest, kMaxObjectDepth - 10);
  const auto depth_of = [&](std::size_t spec_depth) {
    auto item = run(host_->store().get(kThings, {"default", fmt::format("t{}", spec_depth)}));
    auto document = decode(*item);
    EXPECT_TRUE(document);
    for (std::size_t depth = 1;; ++depth)
      if (json::nested_within(*document, depth)) return depth;
  };
  EXPECT_EQ(depth_of(deepest), kMaxObjectDepth);
  EXPECT_EQ(depth_of(deepest - 1), kMaxObjectDepth - 1);
  const std::string before =
      *run(host_->store().get(kThings, {"default", fmt::format("t{}", deepest)}))->bytes;
  open();
  EXPECT_EQ(*run(host_->store().get(kThings, {"default", fmt::format("t{}", deepest)}))->bytes,
            before);
  EXPECT_FALSE(create(deepest + 1));
}

TEST_F(DepthTest, NoPatchGetsAroundIt) {
  open();
  const std::size_t deepest = make_deepest();
  const Key key{"default", fmt::format("t{}", deepest)};
  std::string path = "/spec";
  for (std::size_t i = 0; i < deepest; ++i) path += "/a";
  const Patch patches[] = {
      {PatchType::kJson,
       json::Array{json::Object{{"op", "add"}, {"path", path}, {"value", nest(1)}}}},
      {PatchType::kJson,
       json::Array{json::Object{{"op", "add"}, {"path", path}, {"value", nest(90)}}}},
      {PatchType::kJson,
       json::Array{json::Object{{"op", "copy"}, {"from", "/spec"}, {"path", path}}}},
      {PatchType::kMerge, json::Object{{"spec", nest(deepest + 1)}}},
      {PatchType::kApply,
       json::Object{
           {"apiVersion", "example.com/v1"}, {"kind", "Thing"}, {"spec", nest(deepest + 1)}}}};
  for (const Patch& patch : patches) {
    auto patched = run(host_->store().patch(kThings, key, patch, {}));
    EXPECT_FALSE(patched) << json::write(patch.body);
    auto there = run(host_->store().get(kThings, key));
    ASSERT_TRUE(there);
    EXPECT_TRUE(json::nested_within(*decode(*there), kMaxObjectDepth));
  }
  // A short patch whose operations build on each other.
  json::Array growing;
  for (int i = 0; i < 5000; ++i)
    growing.push_back(json::Object{{"op", "copy"}, {"from", "/spec"}, {"path", path + "/a"}});
  EXPECT_FALSE(run(host_->store().patch(kThings, key, {PatchType::kJson, std::move(growing)}, {})));
}

}  // namespace
}  // namespace slipway::store
