#include "http/message.h"

#include <gtest/gtest.h>

namespace slipway::http {
namespace {

using Query = std::vector<std::pair<std::string, std::string>>;

TEST(Headers, CompareNamesWithoutCaseAndKeepTheirOrder) {
  Headers headers;
  headers.add("Accept", "a");
  headers.add("X-One", "1");
  headers.add("accept", "b");
  EXPECT_EQ(headers.get("ACCEPT"), "a");
  EXPECT_TRUE(headers.has("x-one"));
  EXPECT_FALSE(headers.has("x-on"));
  EXPECT_EQ(headers.get("absent"), "");
  headers.set("ACCEPT", "c");
  EXPECT_EQ(headers.all(), (Query{{"X-One", "1"}, {"ACCEPT", "c"}}));
  headers.remove("x-ONE");
  EXPECT_EQ(headers.all().size(), 1u);
}

TEST(Target, SplitsAndDecodes) {
  struct Case {
    const char* raw;
    std::string path;
    Query query;
  };
  for (const Case& c : std::vector<Case>{{"/", "/", {}},
                                         {"/a/b?c=d", "/a/b", {{"c", "d"}}},
                                         {"/a%20b%2Fc+d", "/a b/c+d", {}},
                                         {"/?a=1&a=2&b", "/", {{"a", "1"}, {"a", "2"}, {"b", ""}}},
                                         {"/?labelSelector=app%3Dweb%2Ctier+in+%28x%29",
                                          "/",
                                          {{"labelSelector", "app=web,tier in (x)"}}},
                                         {"/?&&a==b&", "/", {{"a", "=b"}}},
                                         {"/a?b?c=d?e", "/a", {{"b?c", "d?e"}}},
                                         {"/a#b?c", "/a", {}},
                                         {"http://host:80/x?y=z", "/x", {{"y", "z"}}},
                                         {"https://host", "/", {}},
                                         {"//x", "//x", {}}}) {
    auto target = parse_target(c.raw);
    ASSERT_TRUE(target) << c.raw;
    EXPECT_EQ(target->path, c.path) << c.raw;
    EXPECT_EQ(target->query, c.query) << c.raw;
  }
}

TEST(Target, RefusesWhatIsNoTarget) {
  for (std::string raw :
       {std::string(), std::string("a"), std::string("*"), std::string("/%"), std::string("/%4"),
        std::string("/%g0"), std::string("/a b"), std::string("/\x01"), std::string("/a?b=%"),
        std::string("/%00"), std::string("host:443"), std::string("/a\0b", 4),
        std::string("ftp://x/y")}) {
    auto target = parse_target(raw);
    ASSERT_FALSE(target) << raw;
    EXPECT_EQ(target.error().code, ErrorCode::kBadRequest);
  }
  std::string many = "/?";
  for (std::size_t i = 0; i <= kMaxQueryParameters; ++i) many += "a&";
  EXPECT_FALSE(parse_target(many));
}

TEST(Target, FindsTheFirstOfAName) {
  auto target = parse_target("/?a=1&b=2&a=3");
  ASSERT_NE(target->find("a"), nullptr);
  EXPECT_EQ(*target->find("a"), "1");
  EXPECT_EQ(target->find("c"), nullptr);
}

TEST(Query, ComesBackAsItWas) {
  Query query{{"a b", "c&d=e"}, {"ü", "%+/"}, {"", ""}};
  EXPECT_EQ(format_query(query), "a%20b=c%26d%3De&%C3%BC=%25%2B%2F&=");
  EXPECT_EQ(parse_target("/?" + format_query(query))->query, query);
}

TEST(PrintableLine, HasNoControlCharacters) {
  EXPECT_EQ(printable_line("a\r\nSet-Cookie: b\x7f"), "a  Set-Cookie: b ");
}

}  // namespace
}  // namespace slipway::http
