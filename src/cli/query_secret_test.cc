#include "cli/query_secret.h"

#include <gtest/gtest.h>

namespace slipway::cli {
namespace {

using metrics::Credentials;

TEST(QuerySecret, TakesEveryFormPeopleKeepCredentialsIn) {
  const Credentials expected{{"username", "ada"}, {"password", "p=a:1"}};
  const char* texts[] = {
      "username: ada\npassword: 'p=a:1'\n",
      R"({"username": "ada", "password": "p=a:1"})",
      "# of the staging box\nusername=ada\nexport password=\"p=a:1\"\n\n",
      R"(apiVersion: v1
kind: Secret
metadata: {name: s}
data:
  username: YWRh
stringData:
  password: 'p=a:1'
)",
  };
  for (const char* text : texts) {
    const auto read = read_credentials(text);
    ASSERT_TRUE(read) << text << read.error().text();
    EXPECT_EQ(*read, expected) << text;
  }
}

TEST(QuerySecret, KeepsWhatLooksLikeANumber) {
  const auto read = read_credentials("token: 12345\n");
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(read->at("token"), "12345");
}

TEST(QuerySecret, RefusesOthersWithoutShowingWhatTheyHold) {
  const struct {
    const char* text;
    const char* says;
  } cases[] = {
      {"", "is no mapping"},
      {"hunter2", "is no mapping"},
      {"- hunter2\n", "is no mapping"},
      {"{}", "holds no credentials"},
      {"token: [hunter2]\n", "token: is no text"},
      {"a=b\nhunter2\n", "line 2: is no key=value"},
      {"kind: Secret\ndata: {token: 'hunter2!'}\n", "data.token: is no base64"},
      {"token: \"hunter2\n", "is not readable"},
  };
  for (const auto& c : cases) {
    const auto read = read_credentials(c.text);
    ASSERT_FALSE(read) << c.text;
    EXPECT_NE(read.error().text().find(c.says), std::string::npos) << read.error().text();
    EXPECT_EQ(read.error().text().find("hunter2"), std::string::npos) << read.error().text();
  }
}

}  // namespace
}  // namespace slipway::cli
