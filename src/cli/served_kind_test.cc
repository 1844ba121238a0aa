#include "cli/served_kind.h"

#include <gtest/gtest.h>

#include "cli/session.h"

namespace slipway::cli {
namespace {

std::vector<ServedKind> served() {
  return read_discovery(json::read(R"({"items":[
    {"metadata":{"name":""},"versions":[{"version":"v1","resources":[
      {"resource":"pods","singularResource":"pod","responseKind":{"kind":"Pod"},"scope":"Namespaced",
       "shortNames":["po"],"categories":["all"]}]}]},
    {"metadata":{"name":"ex.io"},"versions":[
      {"version":"v2","resources":[{"resource":"toys","singularResource":"toy","scope":"Namespaced",
        "responseKind":{"kind":"Toy"},"categories":["all"]}]},
      {"version":"v1","resources":[{"resource":"toys","singularResource":"toy","scope":"Namespaced",
        "responseKind":{"kind":"Toy"},"categories":["all"]}]}]}]})")
                            .value());
}

TEST(ServedKind, AnswersToAllItsNames) {
  const auto kinds = served();
  for (const char* word : {"pods", "pod", "po", "Pod", "PODS"}) {
    const ServedKind* found = find_served(kinds, word);
    ASSERT_NE(found, nullptr) << word;
    EXPECT_EQ(found->full_name(), "pods");
  }
  EXPECT_EQ(find_served(kinds, "toys.ex.io")->version, "v2");
  EXPECT_EQ(find_served(kinds, "toys.v1.ex.io")->version, "v1");
  EXPECT_EQ(find_served(kinds, "toys.other.io"), nullptr);
  EXPECT_EQ(find_served(kinds, "frobs"), nullptr);
}

TEST(ServedKind, ACategoryHasEachKindOnceInThePreferredVersion) {
  const auto found = find_category(served(), "ALL");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].plural, "pods");
  EXPECT_EQ(found[1].api_version(), "ex.io/v2");
  EXPECT_TRUE(find_category(served(), "none").empty());
}

TEST(Session, SaysWhatToDoWhenNobodyAnswersOrKnowsUs) {
  const Contact contact{.server = "https://127.0.0.1:1", .source = "/x/kubeconfig"};
  const auto unreachable =
      with_advice({.code = ErrorCode::kUnavailable, .message = "Failed to connect"}, contact);
  EXPECT_TRUE(unreachable.message.starts_with("Failed to connect\n"));
  EXPECT_NE(unreachable.message.find("/x/kubeconfig running? start one with `slipway serve`"),
            std::string::npos);
  const auto unknown =
      with_advice({.code = ErrorCode::kUnauthorized, .message = "Unauthorized"}, contact);
  EXPECT_NE(unknown.message.find("https://127.0.0.1:1 does not know the credentials in /x"),
            std::string::npos);
  EXPECT_EQ(with_advice({.code = ErrorCode::kNotFound, .message = "x"}, contact).message, "x");
}

TEST(Session, SaysWhichFileHoldsTheAuthorityThatDoesNotFit) {
  const Contact contact{.server = "https://127.0.0.1:1", .source = "/x/kubeconfig"};
  const auto distrust =
      unanswered({.code = ErrorCode::kInvalid, .message = "SSL certificate problem"}, contact);
  EXPECT_EQ(distrust.code, ErrorCode::kUnavailable);
  EXPECT_NE(distrust.message.find("/x/kubeconfig"), std::string::npos);
  EXPECT_NE(distrust.message.find("certificate-authority"), std::string::npos);
  EXPECT_EQ(unanswered({.code = ErrorCode::kTimeout, .message = "late"}, contact).code,
            ErrorCode::kUnavailable);
  EXPECT_EQ(unanswered({.code = ErrorCode::kBadRequest, .message = "x"}, contact).message, "x");
}

}  // namespace
}  // namespace slipway::cli
