#include "metrics/answer_parsers.h"
#include "metrics/csv.h"
#include "metrics/recording_testing.h"

namespace slipway::metrics {
namespace {

using namespace testing;

const std::string kHead =
    "#datatype,string,long,dateTime:RFC3339,double,string\r\n"
    "#group,false,false,false,false,true\r\n"
    "#default,_result,,,,\r\n"
    ",result,table,_time,_value,host\r\n";
const std::string kTable = kHead + ",,0,2020-02-17T10:34:46Z,1.4,a\r\n" +
                           ",,0,2020-02-17T10:35:46Z,6.6,a\r\n" +
                           ",,1,2020-02-17T10:34:46Z,7,b\r\n\r\n";

class Influxdb : public ProviderTest {
 protected:
  ProviderSpec spec() {
    return {.type = "influxdb",
            .address = server_.url(),
            .credentials = Credentials{{"token", "t0ken"}, {"org", "my org"}}};
  }
};

TEST_F(Influxdb, PostsFluxAndReadsAnnotatedCsv) {
  server_.answer(200, kTable);
  auto answer = ask(spec(), {.text = "from(bucket: \"b\")"});
  EXPECT_EQ(text_of(answer), "host=a 1.4@1581935686 6.6@1581935746; host=b 7@1581935686");
  EXPECT_EQ(json::write(*answer->document), "[1.4,6.6,7]");
  EXPECT_EQ(
      server_.requests.at(0),
      request_text(
          "POST /api/v2/query?org=my+org",
          "Authorization: Token t0ken\nContent-Type: application/json\nAccept: application/csv\n",
          R"json({"dialect":{"annotations":["datatype","group","default"],"delimiter":",","header":true},"query":"from(bucket: \"b\")","type":"flux"})json",
          false));
}

TEST_F(Influxdb, NeedsTokenAndOrganisationOnceASecretIsNamed) {
  ProviderSpec one = spec();
  one.credentials = Credentials{{"org", "o"}};
  EXPECT_EQ(refusal(one), "influxdb credentials does not contain an authentication token");
  one.credentials = Credentials{{"token", "t"}};
  EXPECT_EQ(refusal(one), "influxdb credentials does not contain an organisation");
  one.credentials.reset();
  server_.answer(200, "");
  EXPECT_EQ(text_of(ask(one, {.text = "x"})), "nothing");
  EXPECT_TRUE(server_.requests.at(0).starts_with("POST /api/v2/query?org= HTTP/1.1\n"));
  EXPECT_EQ(server_.requests.at(0).find("Authorization"), std::string::npos);
  ProviderSpec argo{
      .type = "influxdb",
      .credentials = Credentials{{"address", server_.url()}, {"authToken", "t"}, {"org", "o"}}};
  EXPECT_EQ(online(argo), "online");
}

TEST_F(Influxdb, SaysWhatTheServerSays) {
  server_.answer(401, R"({"code":"unauthorized","message":"unauthorized access"})");
  EXPECT_EQ(text_of(ask(spec(), {.text = "x"})),
            "unauthorized: error accessing influxdb query api: status 401: unauthorized: "
            "unauthorized access");
  EXPECT_EQ(online(spec()).substr(0, 35), "error accessing influxdb query api:");
}

TEST(InfluxdbAnswer, KeepsTypes) {
  auto with = [](std::string type, std::string value) {
    std::string head = kHead;
    head.replace(head.find("double"), 6, type);
    auto answer = parse_influxdb_answer(head + ",,0,2020-02-17T10:34:46Z," + value + ",a\n");
    return answer ? json::write(*answer->document) : answer.error().message;
  };
  EXPECT_EQ(with("long", "12"), "[12]");
  EXPECT_EQ(with("unsignedLong", "18446744073709551615"), "[18446744073709551615]");
  EXPECT_EQ(with("string", "\"a,\"\"b\"\"\""), R"(["a,\"b\""])");
  EXPECT_EQ(with("boolean", "true"), "[true]");
  EXPECT_EQ(with("double", ""), "[null]");
  EXPECT_EQ(with("double", "x"), "invalid response: \"x\" is no double");
  EXPECT_EQ(with("long", "1.5"), "invalid response: \"1.5\" is no long");
}

TEST(InfluxdbAnswer, MayBeCutOffByAnError) {
  EXPECT_EQ(text_of(parse_influxdb_answer(
                kTable + "#datatype,string,string\n#group,true,true\n#default,,\n,error,reference\n"
                         ",query ran out of memory,897\n")),
            "invalid: error accessing influxdb query api: query ran out of memory");
  EXPECT_EQ(text_of(parse_influxdb_answer("<html>,x\n")),
            "invalid: invalid response: no annotated CSV: <html>,x");
  EXPECT_EQ(text_of(parse_influxdb_answer("\r\n")), "nothing");
}

TEST(Csv, ReadsRecords) {
  auto all = [](std::string_view text) {
    CsvReader reader(text);
    std::vector<std::string> fields;
    std::string shown;
    while (reader.next(fields)) {
      for (const std::string& field : fields) shown += "<" + field + ">";
      shown += "\n";
    }
    return shown;
  };
  EXPECT_EQ(all("a,b\r\nc\n"), "<a><b>\n<c>\n");
  EXPECT_EQ(all("\"a,\n\"\"b\",c"), "<a,\n\"b><c>\n");
  EXPECT_EQ(all(",\n\n"), "<><>\n<>\n");
  EXPECT_EQ(all("\"open"), "<open>\n");
  EXPECT_EQ(all("a\rb,\"x\"y"), "<a\rb><xy>\n");
}

}  // namespace
}  // namespace slipway::metrics
