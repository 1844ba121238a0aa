#include <gtest/gtest.h>

#include "api/registry.h"
#include "api/wire/go_types.h"

namespace slipway::api {
namespace {

TEST(GoRestore, NamesTheFirstValueThatDoesNotFitInTheConvertersWords) {
  auto registry = Registry::make();
  const Schema& schema = *registry->find(Gvk{"apps", "v1", "Deployment"})->schema;
  struct Case {
    const char* object;
    const char* problem;
  };
  for (const auto& [object, problem] : {
           Case{R"({"kind":"Deployment","spec":{"replicas":3}})", ""},
           Case{R"({"spec":{"replicas":3.0,"paused":null}})", ""},
           Case{R"({"spec":[]})", "cannot restore struct from: slice"},
           Case{R"({"metadata":{"labels":"x"}})", "cannot restore map from string"},
           Case{R"({"metadata":{"finalizers":{}}})", "cannot restore slice from map"},
           Case{R"({"metadata":{"labels":{"a":1}}})", "cannot convert int64 to string"},
           Case{R"({"metadata":{"labels":{"a":true}}})", "unrecognized type: string"},
           Case{R"({"spec":{"replicas":"3"}})", "unrecognized type: int32"},
           Case{R"({"spec":{"replicas":2.5}})", "cannot convert float64 to int32"},
           Case{R"({"spec":{"paused":1}})", "unrecognized type: bool"},
       }) {
    EXPECT_EQ(restore_problem(json::read(object)->as_object(), schema).value_or(""), problem)
        << object;
  }
}

}  // namespace
}  // namespace slipway::api
