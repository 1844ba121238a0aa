#include "analysis/arguments.h"

#include <gtest/gtest.h>

namespace slipway::analysis {
namespace {

using api::argo::AnalysisRunSpec;

const json::Value kMetadata =
    json::read(R"({"name":"r","namespace":"shop","uid":"u-1","labels":{"app":"web"}})").value();

AnalysisRunSpec spec() {
  AnalysisRunSpec made;
  made.args = {
      {.name = "host", .value = "web:80"},
      {.name = "empty"},
      {.name = "token", .value_from = {{.secret_key_ref = {{.name = "creds", .key = "token"}}}}},
      {.name = "app", .value_from = {{.field_ref = {{"metadata.labels['app']"}}}}},
      {.name = "ns", .value_from = {{.field_ref = {{"metadata.namespace"}}}}},
      {.name = "odd", .value_from = {{.field_ref = {{"spec.x"}}}}},
  };
  return made;
}

json::Value web(std::string_view url) {
  return json::Array{
      json::Object{{"name", "m"}, {"provider", json::Object{{"web", json::Object{{"url", url}}}}}}};
}

std::string resolved(std::string_view url, const lang::Tags& tags) {
  auto metrics = resolve(web(url), tags);
  if (!metrics) return metrics.error().text();
  return metrics->front().provider.web->url;
}

TEST(Arguments, ComeFromValuesFieldsAndSecrets) {
  const Arguments arguments = arguments_of(spec(), kMetadata);
  EXPECT_EQ(arguments.tags.at("args.host"), "web:80");
  EXPECT_EQ(arguments.tags.at("args.app"), "web");
  EXPECT_EQ(arguments.tags.at("args.ns"), "shop");
  EXPECT_EQ(arguments.tags.at("args.token"), kStandIn);
  EXPECT_EQ(arguments.tags.at("args.empty"), std::nullopt);
  EXPECT_EQ(arguments.tags.at("args.odd"), std::nullopt);
  EXPECT_EQ(arguments.secrets, (std::vector<SecretArgument>{{"token", "creds", "token"}}));
}

TEST(Arguments, ArePutIntoEveryText) {
  const lang::Tags tags = arguments_of(spec(), kMetadata).tags;
  EXPECT_EQ(resolved("http://{{ args.host }}/{{args.app}}", tags), "http://web:80/web");
  EXPECT_EQ(resolved("{{args.nobody}}", tags), "failed to resolve {{args.nobody}}");
  EXPECT_EQ(resolved("{{args.empty}}", tags), "argument \"empty\" was not supplied");
  EXPECT_TRUE(resolved("{{args.host", tags).starts_with("Cannot find end tag"));
}

TEST(Arguments, AreLookedForInKeysAndTexts) {
  EXPECT_TRUE(has_tags(web("{{x}}")));
  EXPECT_FALSE(has_tags(web("{x}")));
  EXPECT_TRUE(has_tags(json::read(R"({"{{args.a}}":[1]})").value()));
}

TEST(Arguments, OfSecretsAreKnownToTheRedactor) {
  Arguments arguments = arguments_of(spec(), kMetadata);
  Redactor redactor;
  ASSERT_TRUE(fill_secrets(arguments, {{"creds", {{"token", "s3cr\"t/x"}}}}, redactor));
  EXPECT_EQ(resolved("http://h/?t={{args.token}}", arguments.tags), "http://h/?t=s3cr\"t/x");
  EXPECT_EQ(redactor.cleaned_message("GET /?t=s3cr\"t/x failed"), "GET /?t=***** failed");
  EXPECT_EQ(redactor.cleaned("GET /?t=s3cr%22t%2Fx failed"), "GET /?t=***** failed");
  EXPECT_EQ(redactor.cleaned(R"({"echo":"s3cr\"t/x"})"), R"({"echo":"*****"})");
}

TEST(Arguments, AMissingKeyOfASecretIsNamed) {
  Arguments arguments = arguments_of(spec(), kMetadata);
  Redactor redactor;
  auto filled = fill_secrets(arguments, {{"creds", {{"other", "x"}}}}, redactor);
  ASSERT_FALSE(filled);
  EXPECT_EQ(filled.error().text(), "key 'token' does not exist in secret 'creds'");
}

TEST(Redactor, CleansWhatIsWrittenDown) {
  Redactor redactor;
  redactor.add("hunter2");
  redactor.add("7");
  Measured measured{.measurement = {.message = "7 is not hunter2",
                                    .value = "[7,\"hunter2\"]",
                                    .metadata = {{"a", "hunter2"}}},
                    .metadata = {{"ResolvedPrometheusQuery", "x{k=\"hunter2\"}"}}};
  redactor.clean(measured);
  EXPECT_EQ(measured.measurement.message, "***** is not *****");
  EXPECT_EQ(measured.measurement.value, "[7,\"*****\"]") << "too short to be looked for in numbers";
  EXPECT_EQ(measured.measurement.metadata.at("a"), "*****");
  EXPECT_EQ(measured.metadata.at("ResolvedPrometheusQuery"), "x{k=\"*****\"}");
}

TEST(Redactor, KnowsASecretWithoutItsNewLine) {
  Redactor redactor;
  redactor.add("hunter22\n");
  EXPECT_EQ(redactor.cleaned("token hunter22 is not valid"), "token ***** is not valid");
  EXPECT_EQ(redactor.cleaned_message("/?t=hunter22%0A"), "/?t=*****");
}

TEST(Redactor, LeavesNoBeginningOfASecretWhereATextWasCut) {
  Redactor redactor;
  redactor.add("correct-horse-battery");
  EXPECT_EQ(redactor.cleaned_message("the key correct-horse-ba…"), "the key *****…");
  EXPECT_EQ(redactor.cleaned("'… correct-…', and more"), "'… *****…', and more");
  // So few are nobody's secret.
  EXPECT_EQ(redactor.cleaned("a cor…"), "a cor…");
  EXPECT_EQ(redactor.cleaned("correct"), "correct");
}

TEST(Redactor, TakesTheLongestFirst) {
  Redactor redactor;
  redactor.add("abcd");
  redactor.add("abcdef");
  EXPECT_EQ(redactor.cleaned("abcdef"), "*****");
}

}  // namespace
}  // namespace slipway::analysis
