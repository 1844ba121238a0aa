#include <gtest/gtest.h>

#include "api/rules/validate.h"

namespace slipway::api {
namespace {

TEST(Names, AcceptsWhatKubernetesAccepts) {
  for (std::string_view name : {"a", "web-1", "a.b.c", "1", "x-y.z-0"}) {
    EXPECT_EQ(dns_subdomain_problem(name), "") << name;
  }
  EXPECT_EQ(dns_label_problem("web-1"), "");
  EXPECT_EQ(dns_1035_label_problem("web-1"), "");
  for (std::string_view value : {"", "a", "A_b.c-d", "12345"})
    EXPECT_EQ(label_value_problem(value), "") << value;
  for (std::string_view key : {"app", "app.kubernetes.io/name", "a_B.c"}) {
    EXPECT_EQ(qualified_name_problem(key), "") << key;
  }
}

TEST(Names, ExplainsASubdomainAsKubernetesDoes) {
  constexpr std::string_view kText =
      "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or "
      "'.', and must start and "
      "end with an alphanumeric character (e.g. 'example.com', regex used for validation is "
      "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
  for (std::string_view name : {"", "A", "a_b", "-a", "a-", "a..b", ".a", "a."}) {
    EXPECT_EQ(dns_subdomain_problem(name), kText) << name;
  }
  EXPECT_EQ(dns_subdomain_problem(std::string(254, 'a')), "must be no more than 253 characters");
}

TEST(Names, ExplainsALabelAsKubernetesDoes) {
  EXPECT_EQ(dns_label_problem("a.b"), "must not contain dots");
  EXPECT_EQ(
      dns_label_problem("A"),
      "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and "
      "must start and end "
      "with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is "
      "'[a-z0-9]([-a-z0-9]*[a-z0-9])?')");
  EXPECT_TRUE(dns_1035_label_problem("1a").starts_with("a DNS-1035 label must consist of"));
  EXPECT_EQ(label_value_problem("a b"),
            "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' "
            "or '.', and must start "
            "and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', "
            "regex used for "
            "validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')");
}

TEST(Names, ExplainsEachPartOfAQualifiedName) {
  struct Case {
    std::string_view name, start;
  };
  for (auto [name, start] : {Case{"", "name part must be non-empty, name part must consist of"},
                             {"/a", "prefix part must be non-empty"},
                             {"A/a", "prefix part a lowercase RFC 1123 subdomain"},
                             {"a/b/c", "a qualified name must consist of"},
                             {"a/-", "name part must consist of alphanumeric"}}) {
    EXPECT_TRUE(qualified_name_problem(name).starts_with(start))
        << name << ": " << qualified_name_problem(name);
  }
}

TEST(Names, RefusesPathSegmentsThatLeaveTheirFolder) {
  EXPECT_EQ(path_segment_problem("a:b"), "");
  EXPECT_EQ(path_segment_problem(".."), "may not be '..'");
  EXPECT_EQ(path_segment_problem("a/b%c"), "may not contain '/', may not contain '%'");
}

}  // namespace
}  // namespace slipway::api
