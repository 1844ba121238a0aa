#include "base/scratch_testing.h"
#include "metrics/answer_parsers.h"
#include "metrics/aws_credentials.h"
#include "metrics/aws_sign.h"
#include "metrics/recording_testing.h"
#include "metrics/xml.h"

namespace slipway::metrics {
namespace {

using namespace testing;

std::string page(std::string members, std::string rest = "") {
  return "<?xml version=\"1.0\"?>\n<GetMetricDataResponse xmlns=\"http://x/\"><GetMetricDataResult>"
         "<MetricDataResults>" +
         members + "</MetricDataResults>" + rest +
         "</GetMetricDataResult><ResponseMetadata><RequestId>1</RequestId></ResponseMetadata>"
         "</GetMetricDataResponse>";
}
std::string member(std::string id, std::string points) {
  std::string times, values;
  for (char c : points) {
    times += std::string("<member>2026-01-01T00:0") + c + ":00Z</member>";
    values += std::string("<member>") + c + ".5</member>";
  }
  return "<member><Id>" + id + "</Id><Label>L&amp;" + id + "</Label><Timestamps>" + times +
         "</Timestamps><Values>" + values + "</Values><StatusCode>Complete</StatusCode></member>";
}

class Cloudwatch : public ProviderTest {
 protected:
  ProviderSpec spec() {
    return {.type = "cloudwatch",
            .address = server_.url("/"),
            .region = "eu-west-1",
            .credentials = Credentials{{"aws_access_key_id", "AKID"},
                                       {"aws_secret_access_key", "sEcret"},
                                       {"aws_session_token", "session"}},
            .max_points = 20};
  }
  Query query(std::string text) {
    return {.text = std::move(text),
            .range = Range{.from = at_seconds(1700000000), .to = at_seconds(1700003000)}};
  }
};

TEST_F(Cloudwatch, PostsASignedForm) {
  server_.answer(200, page(member("e1", "32")));
  auto answer = ask(
      spec(),
      query(
          R"([{"Id":"e1","Expression":"m1 / m2","Label":"rate"},{"id":"m1","metricStat":{"metric":{"namespace":"NS","metricName":"N","dimensions":[{"name":"a","value":"b"}]},"period":300,"stat":"Sum","unit":""},"returnData":false}])"));
  EXPECT_EQ(text_of(answer), "Id=e1 Label=L&e1 2.5@1767225720 3.5@1767225780");
  EXPECT_EQ(
      json::write(*answer->document),
      R"([{"Id":"e1","Label":"L&e1","Messages":[],"StatusCode":"Complete","Timestamps":["2026-01-01T00:03:00Z","2026-01-01T00:02:00Z"],"Values":[3.5,2.5]}])");
  const std::string& request = server_.requests.at(0);
  EXPECT_TRUE(request.starts_with("POST / HTTP/1.1\nHost: HOST\n")) << request;
  for (std::string part :
       {"Content-Type: application/x-www-form-urlencoded; charset=utf-8\n", "X-Amz-Date: ",
        "X-Amz-Security-Token: session\n", "Authorization: AWS4-HMAC-SHA256 Credential=AKID/",
        "/eu-west-1/monitoring/aws4_request, "
        "SignedHeaders=content-type;host;x-amz-date;x-amz-security-token, Signature="}) {
    EXPECT_NE(request.find(part), std::string::npos) << part << "\n" << request;
  }
  EXPECT_EQ(request.substr(request.find("\n\n") + 2),
            "Action=GetMetricData&EndTime=2023-11-14T23%3A03%3A20Z&MaxDatapoints=20"
            "&MetricDataQueries.member.1.Expression=m1+%2F+m2&MetricDataQueries.member.1.Id=e1"
            "&MetricDataQueries.member.1.Label=rate&MetricDataQueries.member.2.Id=m1"
            "&MetricDataQueries.member.2.MetricStat.Metric.Dimensions.member.1.Name=a"
            "&MetricDataQueries.member.2.MetricStat.Metric.Dimensions.member.1.Value=b"
            "&MetricDataQueries.member.2.MetricStat.Metric.MetricName=N"
            "&MetricDataQueries.member.2.MetricStat.Metric.Namespace=NS"
            "&MetricDataQueries.member.2.MetricStat.Period=300"
            "&MetricDataQueries.member.2.MetricStat.Stat=Sum"
            "&MetricDataQueries.member.2.ReturnData=false&StartTime=2023-11-14T22%3A13%3A20Z"
            "&Version=2010-08-01");
}

TEST_F(Cloudwatch, ReadsPageAfterPage) {
  server_.answer(200, page(member("a", "5") + member("b", ""), "<NextToken>more</NextToken>"));
  server_.answer(200, page(member("a", "4")));
  EXPECT_EQ(text_of(ask(spec(), query("[]"))),
            "Id=a Label=L&a 4.5@1767225840 5.5@1767225900; Id=b Label=L&b");
  EXPECT_NE(server_.requests.at(1).find("&NextToken=more&"), std::string::npos);
  RecordingServer endless(*loop_);
  endless.answer(200, page("", "<NextToken>more</NextToken>"));
  ProviderSpec one = spec();
  one.address = endless.url();
  auto answer = ask(one, query("[]"));
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->warnings.at(0), "only the first 20 pages were read");
}

TEST_F(Cloudwatch, TellsErrorsApart) {
  auto failure = [](std::string code) {
    return "<ErrorResponse><Error><Type>Sender</Type><Code>" + code +
           "</Code><Message>said sEcret</Message></Error></ErrorResponse>";
  };
  const std::tuple<int, std::string, std::string> cases[] = {
      {400, failure("Throttling"),
       "too_many_requests: error requesting cloudwatch: status 400: Throttling: said ***"},
      {400, failure("ValidationError"),
       "invalid: error requesting cloudwatch: status 400: ValidationError: said ***"},
      {403, failure("InvalidClientTokenId"),
       "unauthorized: error requesting cloudwatch: status 403: InvalidClientTokenId: said ***"},
      {403, failure("AccessDenied"),
       "forbidden: error requesting cloudwatch: status 403: AccessDenied: said ***"},
      {500, "oops", "unavailable: error requesting cloudwatch: status 500: oops"},
      {200, "<html></html>", "invalid: invalid response: no GetMetricDataResponse, found <html>"},
      {200, "{}",
       "invalid: error unmarshaling result: not XML at byte 0: an element must begin with <, '{}'"},
      {200, page("<member><Id>a</Id><Values><member>x</member></Values></member>"),
       "invalid: invalid response: the value \"x\" is no number"},
  };
  for (const auto& [status, body, want] : cases) {
    RecordingServer server(*loop_);
    server.answer(status, body);
    ProviderSpec one = spec();
    one.address = server.url();
    EXPECT_EQ(text_of(ask(one, query("[]"))), want);
  }
  EXPECT_EQ(text_of(ask(spec(), query("{"))).substr(0, 35), "invalid: error unmarshaling query: ");
}

TEST_F(Cloudwatch, IsOnlineWhenItRefusesNothing) {
  server_.answer(400, "<ErrorResponse/>");
  EXPECT_EQ(online(spec()), "online");
  RecordingServer denied(*loop_);
  denied.answer(403, "no");
  ProviderSpec one = spec();
  one.address = denied.url();
  EXPECT_EQ(online(one), "error requesting cloudwatch: status 403: no");
  EXPECT_EQ(refusal({.type = "cloudwatch"}), "region not specified");
}

TEST_F(Cloudwatch, AssumesARoleOnceUntilItExpires) {
  RecordingServer sts(*loop_);
  sts.answer(200,
             "<AssumeRoleResponse><AssumeRoleResult><Credentials><AccessKeyId>ROLEKEY</AccessKeyId>"
             "<SecretAccessKey>rs</SecretAccessKey><SessionToken>rt</SessionToken>"
             "<Expiration>2199-01-01T00:00:00Z</Expiration></Credentials></AssumeRoleResult>"
             "</AssumeRoleResponse>");
  environment_["AWS_ENDPOINT_URL_STS"] = sts.url("/");
  server_.answer(200, page(""));
  ProviderSpec one = spec();
  one.sigv4 = SigV4{.role_arn = "arn:aws:iam::1:role/x"};
  EXPECT_EQ(text_of(ask(one, query("[]"))), "nothing");
  EXPECT_EQ(text_of(ask(one, query("[]"))), "nothing");
  EXPECT_EQ(sts.requests.size(), 1U);
  EXPECT_TRUE(sts.requests.at(0).ends_with(
      "\n\nAction=AssumeRole&RoleArn=arn%3Aaws%3Aiam%3A%3A1%3Arole%2Fx&RoleSessionName=slipway&"
      "Version=2011-06-15"));
  EXPECT_NE(server_.requests.at(1).find("Credential=ROLEKEY/"), std::string::npos);
}

// The worked example of AWS' documentation of the signing process.
TEST(AwsSign, MakesTheDocumentedSignature) {
  http::ClientRequest request{.url =
                                  "https://iam.amazonaws.com/?Action=ListUsers&Version=2010-05-08"};
  request.headers.add("Content-Type", "application/x-www-form-urlencoded; charset=utf-8");
  ASSERT_TRUE(sign_aws(request, {"AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"},
                       "us-east-1", "iam", *parse_time("2015-08-30T12:36:00Z")));
  EXPECT_EQ(request.headers.get("Authorization"),
            "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/iam/aws4_request, "
            "SignedHeaders=content-type;host;x-amz-date, "
            "Signature=5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7");
}

TEST_F(Cloudwatch, LooksForKeysInOrder) {
  ProviderSpec none{.type = "cloudwatch"};
  auto found = [&](std::string profile = "") {
    auto keys = find_aws_keys(none, profile, connections_);
    return keys ? keys->access_key : std::string(to_string(keys.error().code));
  };
  EXPECT_EQ(found(), "unauthorized");
  const ScratchFolder scratch;
  std::string path = scratch.file("credentials");
  FILE* out = fopen(path.c_str(), "w");
  fputs(
      "# mine\n[default]\naws_access_key_id = FILEKEY\naws_secret_access_key=s\n\n[other]\n"
      "aws_access_key_id=OTHER\naws_secret_access_key = s\n",
      out);
  fclose(out);
  environment_["AWS_SHARED_CREDENTIALS_FILE"] = path;
  EXPECT_EQ(found(), "FILEKEY");
  EXPECT_EQ(found("other"), "OTHER");
  EXPECT_EQ(found("none"), "unauthorized");
  environment_["AWS_PROFILE"] = "other";
  EXPECT_EQ(found(), "OTHER");
  environment_["AWS_ACCESS_KEY_ID"] = "ENVKEY";
  environment_["AWS_SECRET_ACCESS_KEY"] = "s";
  EXPECT_EQ(found(), "ENVKEY");
  none.credentials =
      Credentials{{"AWS_ACCESS_KEY_ID", "SECRETKEY"}, {"AWS_SECRET_ACCESS_KEY", "s"}};
  EXPECT_EQ(found(), "SECRETKEY");
}

TEST(Xml, ReadsElementsAndRefusesTheRest) {
  auto read = [](std::string_view text) {
    auto root = parse_xml(text);
    return root ? root->name + ":" + root->text + ":" + std::string(root->text_of("b"))
                : root.error().message;
  };
  EXPECT_EQ(read("<!-- x --><a x='1'>1&lt;&#65;&#x42;<b>in</b><![CDATA[<raw>]]></a>"),
            "a:1<AB<raw>:in");
  EXPECT_EQ(read("<a/>"), "a::");
  EXPECT_EQ(read("<!DOCTYPE a><a/>"), "not XML at byte 0: a document type is not accepted");
  EXPECT_EQ(read("<a>&boom;</a>"), "not XML at byte 3: &boom; is unknown");
  EXPECT_EQ(read("<a><b></a>"), "not XML at byte 8: <b> is not closed");
  EXPECT_EQ(read("<a>"), "not XML at byte 3: <a> is not closed");
  EXPECT_EQ(read("<a/>x"), "not XML at byte 4: something follows the document");
  std::string deep;
  for (int i = 0; i < 100; ++i) deep += "<a>";
  EXPECT_EQ(read(deep), "not XML at byte 96: too many elements inside each other");
}

}  // namespace
}  // namespace slipway::metrics
