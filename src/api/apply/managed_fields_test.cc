#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "api/apply/apply.h"
#include "api/golden_cases.h"
#include "api/object.h"
#include "api/schema/builtin_table.h"
#include "api/wire/go_types.h"

namespace slipway::api {
namespace {

json::Value managed_of(const json::Object& object) {
  const json::Value* managed = metadata_of(object)->if_contains("managedFields");
  return managed == nullptr ? json::Value(nullptr) : *managed;
}

std::vector<std::string> causes_of(const Error& error) {
  std::vector<std::string> out;
  for (const Cause& cause : error.causes)
    out.push_back(cause.reason + "|" + cause.message + "|" + cause.field);
  std::ranges::sort(out);
  return out;
}

class Life {
 public:
  explicit Life(const json::Value& one) : one_(one) {
    EXPECT_TRUE(read_table(builtin_table(), schemas_));
    EXPECT_TRUE(schemas_.seal());
    auto text = [&](std::string_view key) { return std::string(one.at(key).as_string()); };
    resource_.gvk = {text("group"), text("version"), text("kind")};
    resource_.native = !text("schema").empty();
    resource_.schema = schemas_.find(text("schema"));
    resource_.status_subresource = one.at("status").as_bool();
    if (resource_.gvk.kind == "Deployment")
      resource_.scale = ScalePaths{".spec.replicas", ".status.replicas", ".spec.selector"};
  }

  void run() {
    for (const json::Value& step : one_.at("steps").as_array()) {
      if (step.get_object().contains("apply"))
        apply(step.get_object());
      else
        update(step.get_object());
      if (testing::Test::HasFailure()) return;
    }
  }

 private:
  Writer writer_of(const json::Object& step) {
    return {.manager = std::string(step.at("manager").as_string()),
            .subresource = std::string(step.at("subresource").as_string()),
            .now = parse_time(step.at("now").as_string()).value()};
  }

  void go_on(json::Object object) {
    live_ = std::move(object);
    metadata_of(live_)["uid"] = "uid";
    exists_ = true;
  }

  void update(const json::Object& step) {
    json::Object after = step.at("update").as_object();
    track_update(exists_ ? &live_ : nullptr, after, resource_, writer_of(step));
    EXPECT_TRUE(json::same(managed_of(after), step.at("managed")))
        << resource_.gvk.kind << " live " << json::write(live_) << "\nstep " << json::write(step)
        << "\ngot  " << json::write(managed_of(after)) << "\nwant "
        << json::write(step.at("managed"));
    go_on(std::move(after));
  }

  void apply(const json::Object& step) {
    auto result =
        server_side_apply(exists_ ? &live_ : nullptr, step.at("apply").as_object(), resource_,
                          writer_of(step), {.force = step.at("force").as_bool()});
    if (const json::Value* wanted = step.if_contains("result")) {
      ASSERT_TRUE(result) << result.error().message << "\nlive " << json::write(live_) << "\nstep "
                          << json::write(step);
      json::Value got = *result;
      if (resource_.native) {
        EXPECT_FALSE(go_decode(got.get_object(), *resource_.schema));
        go_encode(got.get_object(), *resource_.schema);
      }
      EXPECT_TRUE(json::same(got, *wanted))
          << "live " << json::write(live_) << "\nstep " << json::write(step) << "\ngot  "
          << json::write(got) << "\nwant " << json::write(*wanted);
      go_on(wanted->as_object());
      return;
    }
    const json::Object& error = step.at("error").as_object();
    ASSERT_FALSE(result) << json::write(step) << "\nlive " << json::write(live_);
    const json::Value* code = error.if_contains("code");
    EXPECT_EQ(result.error().code, code == nullptr ? ErrorCode::kInternal
                                   : *code == 409  ? ErrorCode::kConflict
                                                   : ErrorCode::kBadRequest);
    EXPECT_EQ(result.error().message, std::string_view(error.at("message").as_string()));
    if (const json::Value* causes = error.if_contains("causes");
        causes != nullptr && causes->is_array()) {
      std::vector<std::string> wanted;
      for (const json::Value& cause : causes->get_array()) wanted.emplace_back(cause.as_string());
      EXPECT_EQ(causes_of(result.error()), wanted);
    }
  }

  const json::Value& one_;
  SchemaSet schemas_;
  Resource resource_;
  json::Object live_;
  bool exists_ = false;
};

TEST(ManagedFields, FollowTheLivesOfObjectsAsTheApiServerDoes) {
  for (const json::Value& one : golden_cases("managed_fields")) {
    Life(one).run();
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace slipway::api
