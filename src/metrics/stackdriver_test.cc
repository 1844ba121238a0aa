#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>

#include "metrics/answer_parsers.h"
#include "metrics/digest.h"
#include "metrics/google_token.h"
#include "metrics/recording_testing.h"

namespace slipway::metrics {
namespace {

using namespace testing;

std::string make_key() {
  EVP_PKEY* key = EVP_RSA_gen(2048);
  BIO* out = BIO_new(BIO_s_mem());
  PEM_write_bio_PrivateKey(out, key, nullptr, nullptr, 0, nullptr, nullptr);
  char* text = nullptr;
  long size = BIO_get_mem_data(out, &text);
  std::string pem(text, static_cast<std::size_t>(size));
  BIO_free(out);
  EVP_PKEY_free(key);
  return pem;
}

class Stackdriver : public ProviderTest {
 protected:
  std::string key() {
    json::Object account;
    account["type"] = "service_account";
    account["client_email"] = "robot@example.iam";
    account["private_key_id"] = "kid1";
    static const std::string kKey = make_key();
    account["private_key"] = kKey;
    account["token_uri"] = tokens_.url("/token");
    return json::write(json::Value(std::move(account)));
  }
  ProviderSpec spec() {
    return {.type = "stackdriver",
            .address = server_.url(),
            .credentials = Credentials{{"project", "my-project"}, {"serviceAccountKey", key()}}};
  }
  RecordingServer tokens_{*loop_};
};

TEST_F(Stackdriver, SignsInOnceAndAsks) {
  tokens_.answer(200, R"({"access_token":"ya29","expires_in":3599})");
  server_.answer(
      200,
      R"({"timeSeriesDescriptor":{"labelDescriptors":[{"key":"zone"}]},"timeSeriesData":[{"labelValues":[{"stringValue":"a"}],"pointData":[{"values":[{"doubleValue":2.5}],"timeInterval":{"endTime":"2026-01-01T00:01:00Z"}},{"values":[{"int64Value":"1"}],"timeInterval":{"endTime":"2026-01-01T00:00:00Z"}}]}]})");
  EXPECT_EQ(text_of(ask(spec(), {.text = "fetch x"})), "zone=a 1@1767225600 2.5@1767225660");
  EXPECT_EQ(text_of(ask(spec(), {.text = "fetch x"})), "zone=a 1@1767225600 2.5@1767225660");
  EXPECT_EQ(tokens_.requests.size(), 1U);
  EXPECT_TRUE(tokens_.requests.at(0).starts_with("POST /token HTTP/1.1\n"));
  EXPECT_NE(tokens_.requests.at(0).find("\n\nassertion=eyJ"), std::string::npos);
  EXPECT_TRUE(tokens_.requests.at(0).ends_with(
      "&grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer"));
  EXPECT_EQ(server_.requests.at(0),
            request_text("POST /v3/projects/my-project/timeSeries:query",
                         "Authorization: Bearer ya29\nContent-Type: application/json\n",
                         R"({"query":"fetch x"})"));
}

TEST_F(Stackdriver, TellsErrorsAndIsOnlineWhenItRefusesNothing) {
  tokens_.answer(200, R"({"access_token":"ya29","expires_in":3599})");
  server_.answer(400,
                 R"({"error":{"code":400,"message":"empty query","status":"INVALID_ARGUMENT"}})");
  EXPECT_EQ(text_of(ask(spec(), {.text = "x"})),
            "invalid: error requesting stackdriver: status 400: INVALID_ARGUMENT: empty query");
  EXPECT_EQ(online(spec()), "online");
  EXPECT_EQ(refusal({.type = "stackdriver", .credentials = Credentials{}}),
            "stackdriver credentials does not contain a project id");
}

TEST_F(Stackdriver, SaysWhySigningInFails) {
  tokens_.answer(400, R"({"error":"invalid_grant"})");
  EXPECT_EQ(text_of(ask(spec(), {.text = "x"})),
            R"(invalid: cannot sign in to Google: status 400: {"error":"invalid_grant"})");
  ProviderSpec bad = spec();
  (*bad.credentials)["serviceAccountKey"] = R"({"type":"service_account","private_key":"zzzz"})";
  EXPECT_EQ(text_of(ask(bad, {.text = "x"})), "invalid: the private key is no RSA key in PEM");
  (*bad.credentials)["serviceAccountKey"] = R"({"type":"external_account"})";
  EXPECT_TRUE(text_of(ask(bad, {.text = "x"}))
                  .starts_with("invalid: Google credentials of type \"external_account\" are not"));
}

TEST_F(Stackdriver, AsksTheMetadataServerWithoutAKey) {
  environment_["GCE_METADATA_HOST"] = tokens_.host();
  tokens_.answer(200, R"({"access_token":"meta","expires_in":100})");
  server_.answer(200, "{}");
  ProviderSpec one = spec();
  one.credentials->erase("serviceAccountKey");
  EXPECT_EQ(text_of(ask(one, {.text = "x"})), "nothing");
  EXPECT_EQ(tokens_.requests.at(0),
            request_text("GET /computeMetadata/v1/instance/service-accounts/default/token",
                         "Metadata-Flavor: Google\n"));
  EXPECT_NE(server_.requests.at(0).find("Authorization: Bearer meta\n"), std::string::npos);
}

TEST_F(Stackdriver, SignsAssertionsForAnHour) {
  auto assertion = google_assertion(*json::read(key()), at_seconds(1700000000));
  ASSERT_TRUE(assertion) << assertion.error().text();
  std::size_t dot = assertion->find('.');
  EXPECT_EQ(assertion->substr(0, dot), base64_url(R"({"alg":"RS256","typ":"JWT","kid":"kid1"})"));
  std::string claims =
      R"({"iss":"robot@example.iam","scope":"https://www.googleapis.com/auth/monitoring.read","aud":")" +
      tokens_.url("/token") + R"(","iat":1700000000,"exp":1700003600})";
  EXPECT_EQ(assertion->substr(dot + 1, assertion->rfind('.') - dot - 1), base64_url(claims));
  EXPECT_EQ(assertion->substr(assertion->rfind('.') + 1).size(), 342U);
}

TEST(Digest, IsSha256) {
  EXPECT_EQ(lower_hex(sha256("abc")),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(lower_hex(hmac_sha256("Jefe", "what do ya want for nothing?")),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  EXPECT_EQ(base64_url("\xff\xfe"), "__4");
}

TEST(StackdriverAnswer, KeepsWhatIsPartOfOne) {
  auto answer = parse_stackdriver_answer(
      R"({"timeSeriesData":[{"pointData":[{"values":[]},{"values":[{"boolValue":true}]}]}],"partialErrors":[{"message":"one zone is gone"}],"nextPageToken":"x"})");
  EXPECT_EQ(text_of(answer), "1@0");
  EXPECT_EQ(answer->warnings,
            (std::vector<std::string>{"one zone is gone",
                                      "the answer has more pages; only the first was read"}));
  EXPECT_EQ(text_of(parse_stackdriver_answer(R"({"timeSeriesData":1})")),
            "invalid: invalid response: timeSeriesData is a list, found 1");
}

}  // namespace
}  // namespace slipway::metrics
