#include "server/delete.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "server/api_server_fixture.h"

namespace slipway::server {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string kConfigMaps = "/api/v1/namespaces/default/configmaps";

class DeleteCollection : public testing::Test, public ServerFixture {
 protected:
  void make(const std::string& name, const std::string& metadata, const std::string& data = "v") {
    auto object = json::read(fmt::format(R"({{"metadata":{{"name":"{}",{}}},"data":{{"k":"{}"}}}})",
                                         name, metadata, data));
    ASSERT_TRUE(object) << object.error().text();
    auto made = run_to_end(*loop, store->create({"", "v1", "configmaps"}, "default",
                                                std::move(object->as_object()), {}));
    ASSERT_TRUE(made) << made.error().text();
  }
  Answer remove(const std::string& query) {
    return ask({.method = "DELETE", .target = kConfigMaps + query});
  }
  std::size_t left(const std::string& query = "") {
    return get(kConfigMaps + query).json().at("items").as_array().size();
  }
};

constexpr std::string_view kLabelled = R"("labels":{"a":"b"})";
constexpr std::string_view kHeld = R"("labels":{"a":"b"},"finalizers":["example.com/hold"])";

TEST_F(DeleteCollection, TakesWhatIsSelectedAndTellsItAsItWas) {
  for (int i = 0; i < 3; ++i) make(fmt::format("x{}", i), std::string(i == 1 ? kHeld : kLabelled));
  make("stays", R"("labels":{})");
  auto deleted = remove("?labelSelector=a%3Db");
  EXPECT_EQ(deleted.status, 200) << deleted.body;
  EXPECT_EQ(deleted.json().at("items").as_array().size(), 3u);
  EXPECT_THAT(deleted.body, Not(HasSubstr("deletionTimestamp")));
  EXPECT_EQ(left(), 2u);
  EXPECT_THAT(get(kConfigMaps + "/x1").body, HasSubstr("deletionTimestamp"));
}

TEST_F(DeleteCollection, WithALimitTakesAPageAndSaysWhereToGoOn) {
  for (int i = 0; i < 5; ++i) make(fmt::format("x{}", i), std::string(kLabelled));
  auto first = remove("?limit=2");
  EXPECT_EQ(first.json().at("items").as_array().size(), 2u);
  EXPECT_EQ(left(), 3u);
  std::string token(json::string_at(first.json(), {"metadata", "continue"}));
  ASSERT_NE(token, "");
  auto second = remove("?limit=2&continue=" + token);
  EXPECT_EQ(second.json().at("items").as_array().size(), 2u);
  EXPECT_EQ(left(), 1u);
}

TEST_F(DeleteCollection, ADryRunTellsAndTakesNothing) {
  make("x", std::string(kLabelled));
  EXPECT_EQ(remove("?dryRun=All").json().at("items").as_array().size(), 1u);
  EXPECT_EQ(left(), 1u);
}

// More than one page, and so much that the history forgets the first page on the way.
TEST_F(DeleteCollection, GoesOnToTheEndHoweverLong) {
  constexpr int kObjects = 10'500;
  static_assert(kObjects > kDeletedPage);
  const std::string data(1024, 'x');
  for (int i = 0; i < kObjects; ++i)
    make(fmt::format("x{:05}", i), std::string(i % 1000 == 7 ? kHeld : kLabelled), data);
  auto deleted = remove("?labelSelector=a%3Db");
  ASSERT_EQ(deleted.status, 200) << deleted.body.substr(0, 1000);
  EXPECT_EQ(deleted.json().at("items").as_array().size(), kMaxToldItems);
  EXPECT_LT(deleted.body.size(), kMaxToldBytes + kMaxToldItems * 2);
  EXPECT_EQ(deleted.headers.get("Warning"),
            R"(299 - "10500 objects were deleted; the answer lists the first 10000")");
  EXPECT_THAT(deleted.body, Not(HasSubstr(R"("continue")")));
  EXPECT_EQ(left(), 11u);
}

TEST_F(DeleteCollection, AnExpiredListCarriesATokenToGoOnWith) {
  for (int i = 0; i < 3; ++i) make(fmt::format("x{}", i), std::string(kLabelled));
  auto first = get(kConfigMaps + "?limit=1");
  std::string token(json::string_at(first.json(), {"metadata", "continue"}));
  const std::string data(1024 * 1024, 'x');
  for (int i = 0; i < 20; ++i) {
    make("big", std::string(kLabelled), data);
    ASSERT_EQ(ask({.method = "DELETE", .target = kConfigMaps + "/big"}).status, 200);
  }
  auto expired = get(kConfigMaps + "?limit=1&continue=" + token);
  EXPECT_EQ(expired.status, 410) << expired.body;
  EXPECT_EQ(json::string_at(expired.json(), {"reason"}), "Expired");
  std::string resume(json::string_at(expired.json(), {"metadata", "continue"}));
  auto rest = get(kConfigMaps + "?continue=" + resume);
  EXPECT_EQ(rest.status, 200) << rest.body;
  EXPECT_EQ(rest.json().at("items").as_array().size(), 2u);
}

}  // namespace
}  // namespace slipway::server
