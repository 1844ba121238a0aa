#include "runtime/traffic/status.h"

#include <gtest/gtest.h>

#include "api/rules/members.h"
#include "runtime/traffic/process.h"

namespace slipway::runtime::traffic {

namespace {

using namespace std::chrono_literals;
constexpr Time kNow = Time(1'800'000'000s);

json::Object route_with(std::string_view status) {
  return json::read(R"({"metadata":{"name":"r","namespace":"d","generation":3},"status":)" +
                    std::string(status) + "}")
      ->as_object();
}

std::string text_at(const json::Array& parents, std::size_t parent, std::size_t condition,
                    std::string_view key) {
  const json::Value& found =
      parents.at(parent).as_object().at("conditions").as_array().at(condition);
  return std::string(api::text_in(found.as_object(), key));
}

TEST(RouteStatus, SaysBothConditionsOfEachParentOnce) {
  const json::Object reference{{"name", "gw"}};
  const std::vector<ParentVerdict> verdicts = {{.reference = reference}};
  json::Object route = route_with("{}");
  const auto parents = decide_parents(route, verdicts, kNow);
  ASSERT_TRUE(parents);
  EXPECT_EQ(text_at(*parents, 0, 0, "type"), "Accepted");
  EXPECT_EQ(text_at(*parents, 0, 0, "status"), "True");
  EXPECT_EQ(text_at(*parents, 0, 1, "type"), "ResolvedRefs");
  route["status"] = json::Object{{"parents", *parents}};
  EXPECT_FALSE(decide_parents(route, verdicts, kNow + 1h));
}

TEST(RouteStatus, ATimeStaysUntilTheStatusChanges) {
  const json::Object reference{{"name", "gw"}};
  json::Object route = route_with("{}");
  route["status"] =
      json::Object{{"parents", *decide_parents(route, {{.reference = reference}}, kNow)}};
  std::vector<ParentVerdict> verdicts = {{.reference = reference}};
  verdicts[0].resolved = {false, "BackendNotFound", "no such Service"};
  const auto parents = decide_parents(route, verdicts, kNow + 1h);
  ASSERT_TRUE(parents);
  EXPECT_EQ(text_at(*parents, 0, 0, "lastTransitionTime"), format_time(kNow));
  EXPECT_EQ(text_at(*parents, 0, 1, "lastTransitionTime"), format_time(kNow + 1h));
}

TEST(RouteStatus, WhatOthersSayStaysAndWhatWeSaidOfAFormerParentGoes) {
  const auto parents = decide_parents(
      route_with(R"({"parents":[{"parentRef":{"name":"x"},"controllerName":"other/one"},
          {"parentRef":{"name":"old"},"controllerName":"slipway.dev/gateway-controller"}]})"),
      {}, kNow);
  ASSERT_TRUE(parents);
  ASSERT_EQ(parents->size(), 1U);
  EXPECT_EQ(api::text_in((*parents)[0].as_object(), "controllerName"), "other/one");
  EXPECT_FALSE(decide_parents(route_with("{}"), {}, kNow));
}

TEST(GatewayStatus, IsProgrammedWhenAllItsListenersAre) {
  json::Object gateway = route_with("{}");
  std::vector<ListenerVerdict> verdicts = {{.name = "a", .attached = 2}, {.name = "b"}};
  auto status = decide_gateway_status(gateway, "127.192.0.1", verdicts, kNow);
  ASSERT_TRUE(status);
  EXPECT_EQ(json::write(json::Value(status->at("addresses"))),
            R"([{"type":"IPAddress","value":"127.192.0.1"}])");
  EXPECT_EQ(status->at("listeners").as_array().at(0).as_object().at("attachedRoutes"), 2);
  gateway["status"] = *status;
  EXPECT_FALSE(decide_gateway_status(gateway, "127.192.0.1", verdicts, kNow + 1h));

  verdicts[1].programmed = {false, "PortUnavailable", "in use"};
  status = decide_gateway_status(gateway, "127.192.0.1", verdicts, kNow);
  ASSERT_TRUE(status);
  const json::Array& conditions = status->at("conditions").as_array();
  EXPECT_EQ(api::text_in(conditions.at(0).as_object(), "status"), "True");
  EXPECT_EQ(api::text_in(conditions.at(1).as_object(), "status"), "False");
  EXPECT_EQ(api::text_in(conditions.at(1).as_object(), "message"),
            "not all listeners are listened for: b: in use");
}

TEST(ServiceStatus, SaysWhenItIsNotListenedForAndWhenItIsAgain) {
  json::Object service = route_with(R"({"conditions": [{"type": "other", "status": "True"}]})");
  EXPECT_FALSE(decide_service_conditions(service, "", kNow)) << "nothing to be said";
  auto conditions = decide_service_conditions(service, "port 80 is in use", kNow);
  ASSERT_TRUE(conditions);
  ASSERT_EQ(conditions->size(), 2U);
  EXPECT_EQ(api::text_in(conditions->at(0).as_object(), "type"), "other");
  const json::Object said = conditions->at(1).as_object();
  EXPECT_EQ(api::text_in(said, "type"), kListening);
  EXPECT_EQ(api::text_in(said, "status"), "False");
  EXPECT_EQ(api::text_in(said, "reason"), "NotListening");
  EXPECT_EQ(api::text_in(said, "message"), "port 80 is in use");

  service["status"] = json::Object{{"conditions", *conditions}};
  EXPECT_FALSE(decide_service_conditions(service, "port 80 is in use", kNow + 1h));
  conditions = decide_service_conditions(service, "", kNow + 1h);
  ASSERT_TRUE(conditions);
  ASSERT_EQ(conditions->size(), 2U);
  EXPECT_EQ(api::text_in(conditions->at(1).as_object(), "status"), "True");
}

TEST(ShiftedPorts, AreListedByPort) {
  EXPECT_EQ(render_shifted({{443, 20'443}, {80, 20'080}}), "80=20080,443=20443");
  EXPECT_EQ(render_shifted({}), "");
}

TEST(Findings, AreReadWithTheirLines) {
  const auto findings = parse_findings(
      "[NOTICE]   (1) : haproxy version is 2.6.12\n"
      "[ALERT]    (1) : config : parsing [next.cfg:35] : error detected: bad regex\n"
      "[ALERT]    (1) : config : parsing [next.cfg:36]: too many fatal errors (50), stopping now.\n"
      "[ALERT]    (1) : config : Error(s) found in configuration file : next.cfg\n");
  ASSERT_EQ(findings.size(), 1U) << "nothing is wrong with the line at which it gives up";
  EXPECT_EQ(findings[0].line, 35);
  EXPECT_EQ(findings[0].text, "error detected: bad regex");
}

}  // namespace

}  // namespace slipway::runtime::traffic
