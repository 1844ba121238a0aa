#include <gtest/gtest.h>

#include "api/registry.h"
#include "api/rules/validate.h"
#include "api/schema/codec.h"
#include "rollout/rollout_testing.h"
#include "rollout/routers/router.h"

namespace slipway::rollout {
namespace {

json::Value parsed(std::string_view text) { return *json::read(text); }

// A Rollout called web behind this router, and one decision about its traffic.
struct Case {
  explicit Case(std::string_view routing, Routers how = Routers::kAsWritten) : routers(how) {
    made = routed(10, {});
    const auto read = api::decode<argo::RolloutTrafficRouting>(parsed(routing));
    EXPECT_TRUE(read);
    made.rollout.spec.strategy.canary->traffic_routing = *read;
    made.rollout.metadata.value = json::Object{{"name", "web"}};
    traffic.weights = {
        .canary = {.weight = 20, .service_name = "canary", .pod_template_hash = "c"},
        .stable = {.weight = 80, .service_name = "stable", .pod_template_hash = "s"}};
  }
  std::vector<RouterTarget> targets() const {
    return router_targets(made.rollout, "shop", routers);
  }
  Result<json::Value> routed_to(const json::Value& now, const json::Value& model = nullptr,
                                std::size_t target = 0) const {
    const json::Object document = parsed(R"({"apiVersion":"argoproj.io/v1alpha1","kind":"Rollout",
            "metadata":{"name":"web","namespace":"shop","uid":"u1"}})")
                                      .get_object();
    return route(targets().at(target),
                 {.rollout = made.rollout,
                  .document = document,
                  .traffic = traffic,
                  .max_weight = max_weight_of(made.rollout.spec)},
                 now, model);
  }

  Rollouts made;
  RouteTraffic traffic;
  Routers routers;
};

constexpr const char* kGateway =
    R"({"plugins":{"argoproj-labs/gatewayAPI":{"httpRoute":"web","namespace":"edge"}},
    "managedRoutes":[{"name":"beta"}]})";
constexpr const char* kHttpRoute =
    R"({"metadata":{"name":"web"},"spec":{"rules":[
    {"matches":[{"path":{"type":"PathPrefix","value":"/"}}],"backendRefs":[
    {"name":"stable","port":80,"weight":100},{"name":"canary","port":80,"weight":0}]},
    {"backendRefs":[{"name":"elsewhere","port":80}]}]}})";

TEST(GatewayApi, SetsTheWeightsOfRulesWithBothServices) {
  const Case one(kGateway);
  ASSERT_EQ(one.targets().size(), 1U);
  EXPECT_EQ(one.targets()[0].kind.resource, "httproutes");
  EXPECT_EQ(one.targets()[0].ns, "edge");
  const auto routed = one.routed_to(parsed(kHttpRoute));
  ASSERT_TRUE(routed) << routed.error().text();
  EXPECT_EQ(routed->at_pointer("/spec/rules/0/backendRefs/0/weight"), 80);
  EXPECT_EQ(routed->at_pointer("/spec/rules/0/backendRefs/1/weight"), 20);
  EXPECT_TRUE(json::same(routed->at_pointer("/spec/rules/1"),
                         parsed(kHttpRoute).at_pointer("/spec/rules/1")));
  EXPECT_TRUE(json::same(*routed, *one.routed_to(*routed))) << "twice is once";
}

TEST(GatewayApi, RoutesAreNamedDirectlyOrAsForThePlugin) {
  for (const std::string config :
       {R"({"httpRoute":"web","namespace":"edge"})",
        R"({"httpRoutes":[{"name":"web","useHeaderRoutes":true}],"namespace":"edge"})"})
    for (const std::string& routing :
         {R"({"gatewayAPI":)" + config + "}",
          R"({"plugins":{"argoproj-labs/gatewayAPI":)" + config + "}}"}) {
      const Case one(routing);
      ASSERT_EQ(one.targets().size(), 1U) << routing;
      EXPECT_EQ(one.targets()[0].kind.resource, "httproutes");
      EXPECT_EQ(one.targets()[0].ns, "edge");
      EXPECT_EQ(one.targets()[0].name, "web");
      EXPECT_EQ(one.routed_to(parsed(kHttpRoute))->at_pointer("/spec/rules/0/backendRefs/1/weight"),
                20);
    }
  const Case all(R"({"gatewayAPI":{"grpcRoute":"g","tcpRoutes":[{"name":"t"}],"tlsRoute":"s"}})");
  ASSERT_EQ(all.targets().size(), 3U);
  EXPECT_EQ(all.targets()[1].kind.resource, "tcproutes");
  EXPECT_EQ(all.targets()[1].ns, "shop");
}

TEST(GatewayApi, ExperimentsComeAndGo) {
  Case one(kGateway);
  one.traffic.weights.additional = {{.weight = 5, .service_name = "e"}};
  one.traffic.weights.stable.weight = 75;
  const auto with = one.routed_to(parsed(kHttpRoute));
  ASSERT_TRUE(with);
  EXPECT_TRUE(json::same(with->at_pointer("/spec/rules/0/backendRefs/2"),
                         parsed(R"({"name":"e","port":80,"weight":5})")));
  EXPECT_TRUE(json::same(*with, *one.routed_to(*with)));
  one.traffic.weights.additional.clear();
  const auto without = one.routed_to(*with);
  EXPECT_EQ(without->at_pointer("/spec/rules/0/backendRefs").as_array().size(), 2U);
}

TEST(GatewayApi, HeaderRoutesAreRulesOfTheirOwn) {
  Case one(kGateway);
  one.traffic.header_routes = {
      {.name = "beta",
       .match = {{.header_name = "X-Beta", .header_value = argo::StringMatch{.exact = "1"}}}}};
  const auto with = one.routed_to(parsed(kHttpRoute));
  ASSERT_TRUE(with);
  EXPECT_TRUE(json::same(with->at_pointer("/spec/rules/0"),
                         parsed(R"({"matches":[{"path":{"type":"PathPrefix","value":"/"},
      "headers":[{"name":"X-Beta","type":"Exact","value":"1"}]}],
      "backendRefs":[{"name":"canary","port":80,"weight":1}]})")));
  EXPECT_TRUE(json::same(*with, *one.routed_to(*with)));
  auto applied_again = parsed(kHttpRoute);  // by somebody, with our notes kept or lost
  EXPECT_TRUE(json::same(one.routed_to(applied_again)->at("spec"), with->at("spec")));
  applied_again.as_object()["metadata"] = with->at("metadata");
  EXPECT_TRUE(json::same(*one.routed_to(applied_again), *with));
  auto note_lost = *with;
  note_lost.at("metadata").as_object().erase("annotations");
  EXPECT_TRUE(json::same(*one.routed_to(note_lost), *with));
  const argo::SetHeaderRoute beta = one.traffic.header_routes[0];
  one.traffic.header_routes.push_back(
      {.name = "gamma",
       .match = {{.header_name = "X-Gamma", .header_value = argo::StringMatch{.regex = "g+"}}}});
  const auto two = one.routed_to(*with);
  EXPECT_EQ(two->at_pointer("/spec/rules").as_array().size(), 4U);
  EXPECT_TRUE(json::same(*two, *one.routed_to(*two)));
  one.traffic.header_routes = {beta};
  EXPECT_TRUE(json::same(*one.routed_to(*two), *with));
  one.traffic.header_routes.clear();
  EXPECT_EQ(one.routed_to(*with)->at_pointer("/spec/rules").as_array().size(), 2U);
  std::swap(one.traffic.weights.stable.service_name, one.traffic.weights.canary.service_name);
  EXPECT_EQ(one.routed_to(*with)->at_pointer("/spec/rules").as_array().size(), 2U)
      << "ours, though ping is pong";
}

TEST(GatewayApi, RulesOfOthersForTheSameRequestsStay) {
  Case one(kGateway);
  one.traffic.header_routes = {
      {.name = "beta",
       .match = {{.header_name = "X-Beta", .header_value = argo::StringMatch{.exact = "1"}}}}};
  const json::Value matches =
      one.routed_to(parsed(kHttpRoute))->at_pointer("/spec/rules/0/matches");
  for (const char* backends :
       {R"([{"name":"elsewhere","port":80}])", R"([{"name":"stable","port":80}])",
        R"([{"name":"canary","port":80},{"name":"elsewhere","port":80}])"}) {
    Case with = one;
    json::Value foreign = parsed(kHttpRoute);
    foreign.at_pointer("/spec/rules/1").as_object()["matches"] = matches;
    foreign.at_pointer("/spec/rules/1").as_object()["backendRefs"] = parsed(backends);
    const auto routed = with.routed_to(foreign);
    ASSERT_TRUE(routed) << routed.error().text();
    EXPECT_EQ(routed->at_pointer("/spec/rules").as_array().size(), 3U) << backends;
    EXPECT_TRUE(json::same(*with.routed_to(*routed), *routed)) << backends;
    with.traffic.header_routes.clear();
    EXPECT_TRUE(json::same(with.routed_to(*routed)->at_pointer("/spec/rules/1"),
                           foreign.at_pointer("/spec/rules/1")))
        << backends;
  }
}

TEST(GatewayApi, NamesWhatIsMissing) {
  const Case one(kGateway);
  EXPECT_EQ(one.routed_to(nullptr).error().message,
            "httproutes.gateway.networking.k8s.io \"web\" not found");
  EXPECT_EQ(one.routed_to(parsed(R"({"spec":{"rules":[]}})")).error().message,
            "httproutes \"web\" has no rule with backendRefs to both \"stable\" and \"canary\"");
}

TEST(Smi, MakesItsSplitAndKeepsOffOthers) {
  const Case one(R"({"smi":{"rootService":"root"}})");
  const auto made = one.routed_to(nullptr);
  ASSERT_TRUE(made);
  EXPECT_EQ(made->at_pointer("/metadata/name"), "web");
  EXPECT_EQ(made->at_pointer("/metadata/ownerReferences/0/uid"), "u1");
  EXPECT_TRUE(json::same(made->at("spec"),
                         parsed(R"({"service":"root","backends":[{"service":"canary","weight":20},
                         {"service":"stable","weight":80}]})")));
  EXPECT_FALSE(one.routed_to(parsed(R"({"metadata":{"name":"web"},"spec":{}})")));
}

constexpr const char* kIngress =
    R"({"metadata":{"name":"main","annotations":{"kubernetes.io/ingress.class":"nginx","a":"b"}},
    "spec":{"ingressClassName":"nginx","tls":[{"hosts":["h"]}],"rules":[{"host":"h","http":{"paths":[
    {"path":"/","backend":{"service":{"name":"stable","port":{"number":80}}}},
    {"path":"/x","backend":{"service":{"name":"other","port":{"number":80}}}}]}},
    {"host":"o","http":{"paths":[{"backend":{"service":{"name":"other"}}}]}}]}})";

TEST(Nginx, MakesACanaryIngressOfTheStablePaths) {
  const Case one(R"({"nginx":{"stableIngress":"main","additionalIngressAnnotations":
      {"canary-by-header":"X"},"canaryIngressAnnotations":{"my/own":"1"}},"maxTrafficWeight":1000})");
  ASSERT_EQ(one.targets().size(), 1U);
  EXPECT_EQ(one.targets()[0].name, "web-main-canary");
  const auto made = one.routed_to(nullptr, parsed(kIngress));
  ASSERT_TRUE(made) << made.error().text();
  EXPECT_TRUE(
      json::same(made->at("spec"), parsed(R"({"ingressClassName":"nginx","tls":[{"hosts":["h"]}],
      "rules":[{"host":"h","http":{"paths":[{"path":"/","backend":{"service":{"name":"canary",
      "port":{"number":80}}}}]}}]})")));
  EXPECT_TRUE(json::same(made->at_pointer("/metadata/annotations"),
                         parsed(R"({"kubernetes.io/ingress.class":"nginx","my/own":"1",
      "nginx.ingress.kubernetes.io/canary-by-header":"X",
      "nginx.ingress.kubernetes.io/canary":"true",
      "nginx.ingress.kubernetes.io/canary-weight":"20",
      "nginx.ingress.kubernetes.io/canary-weight-total":"1000"})")));
  EXPECT_TRUE(json::same(*made, *one.routed_to(*made, parsed(kIngress))));
  EXPECT_FALSE(one.routed_to(nullptr, parsed(R"({"spec":{}})")));
  EXPECT_FALSE(one.routed_to(nullptr, nullptr));
}

constexpr const char* kVirtualService =
    R"({"metadata":{"name":"vs"},"spec":{"http":[{"name":"primary","route":[
    {"destination":{"host":"stable"},"weight":100},{"destination":{"host":"canary.shop"},"weight":0}]},
    {"name":"other","route":[{"destination":{"host":"else"}}]}]}})";

TEST(Istio, SetsWeightsByHost) {
  const Case one(R"({"istio":{"virtualService":{"name":"vs","routes":["primary"]}}})");
  const auto routed = one.routed_to(parsed(kVirtualService));
  ASSERT_TRUE(routed) << routed.error().text();
  EXPECT_EQ(routed->at_pointer("/spec/http/0/route/0/weight"), 80);
  EXPECT_EQ(routed->at_pointer("/spec/http/0/route/1/weight"), 20);
  EXPECT_EQ(one.routed_to(parsed(R"({"spec":{"http":[]}})")).error().message,
            "VirtualService \"vs\" has no route to both \"stable\" and \"canary\"");
}

TEST(Istio, SetsSubsetsAndTheirHashes) {
  const Case one(R"({"istio":{"virtualService":{"name":"vs"},"destinationRule":{"name":"dr",
      "canarySubsetName":"c","stableSubsetName":"s"}}})");
  ASSERT_EQ(one.targets().size(), 2U);
  const auto rule = one.routed_to(
      parsed(R"({"spec":{"subsets":[{"name":"s","labels":{"a":"b"}},{"name":"c"}]}})"));
  ASSERT_TRUE(rule);
  EXPECT_TRUE(
      json::same(rule->at_pointer("/spec/subsets"),
                 parsed(R"([{"name":"s","labels":{"a":"b","rollouts-pod-template-hash":"s"}},
                         {"name":"c","labels":{"rollouts-pod-template-hash":"c"}}])")));
  const auto service = one.routed_to(
      parsed(R"({"spec":{"http":[{"route":[{"destination":{"host":"web","subset":"s"}},
          {"destination":{"host":"web","subset":"c"}}]}]}})"),
      nullptr, 1);
  ASSERT_TRUE(service);
  EXPECT_EQ(service->at_pointer("/spec/http/0/route/0/weight"), 80);
  EXPECT_FALSE(one.routed_to(parsed(R"({"spec":{"subsets":[{"name":"s"}]}})")));
}

TEST(Istio, ExperimentsHaveADestinationOfTheirOwnWhileTheyRun) {
  for (const auto& [routing, host, sides] :
       {std::tuple(R"({"istio":{"virtualService":{"name":"vs"}}})", 0U, kVirtualService),
        std::tuple(R"({"istio":{"virtualService":{"name":"vs"},"destinationRule":{"name":"dr",
            "canarySubsetName":"c","stableSubsetName":"s"}}})",
                   1U, R"({"spec":{"http":[{"route":[{"destination":{"host":"web","subset":"s"},
            "weight":80},{"destination":{"host":"web","subset":"c"},"weight":20}]}]}})")}) {
    Case one(routing);
    const auto plain = one.routed_to(parsed(sides), nullptr, host);
    ASSERT_TRUE(plain) << plain.error().text();
    one.traffic.weights.stable.weight = 75;
    one.traffic.weights.additional = {{.weight = 5, .service_name = "web-extra"}};
    const auto with = one.routed_to(*plain, nullptr, host);
    ASSERT_TRUE(with) << with.error().text();
    const auto& all = with->at_pointer("/spec/http/0/route").as_array();
    ASSERT_EQ(all.size(), 3U);
    EXPECT_EQ(all[0].at("weight"), 75);
    EXPECT_TRUE(json::same(all[2], parsed(R"({"destination":{"host":"web-extra"},"weight":5})")))
        << json::write(all[2]);
    EXPECT_TRUE(json::same(*with, *one.routed_to(*with, nullptr, host))) << "a second look";
    one.traffic.weights.stable.weight = 80;
    one.traffic.weights.additional.clear();
    EXPECT_TRUE(json::same(one.routed_to(*with, nullptr, host)->at("spec"), plain->at("spec")));
  }
}

TEST(Istio, ManagedRoutesComeFirstInTheirOrder) {
  Case one(R"({"istio":{"virtualService":{"name":"vs"}},
      "managedRoutes":[{"name":"mirror"},{"name":"beta"}]})");
  one.traffic.header_routes = {
      {.name = "beta",
       .match = {{.header_name = "X-Beta", .header_value = argo::StringMatch{.prefix = "1"}}}}};
  const auto header = one.routed_to(parsed(kVirtualService));
  ASSERT_TRUE(header);
  EXPECT_EQ(header->at_pointer("/spec/http/0/name"), "beta");
  EXPECT_EQ(header->at_pointer("/spec/http/0/match/0/headers/X-Beta/prefix"), "1");
  one.traffic.mirror_routes = {
      {.name = "mirror", .match = {{.path = argo::StringMatch{.prefix = "/"}}}, .percentage = 35}};
  const auto both = one.routed_to(*header);
  ASSERT_TRUE(both);
  EXPECT_EQ(both->at_pointer("/spec/http/0/name"), "mirror");
  EXPECT_EQ(both->at_pointer("/spec/http/0/mirrorPercentage/value"), 35);
  EXPECT_EQ(both->at_pointer("/spec/http/0/mirror/host"), "canary.shop");
  EXPECT_TRUE(
      json::same(both->at_pointer("/spec/http/0/route"), both->at_pointer("/spec/http/2/route")))
      << "divided as all else";
  EXPECT_EQ(both->at_pointer("/spec/http/0/route/1/weight"), 20);
  EXPECT_EQ(both->at_pointer("/spec/http/1/name"), "beta");
  EXPECT_TRUE(json::same(*both, *one.routed_to(*both)));
  one.traffic = {.weights = one.traffic.weights};
  const auto none = one.routed_to(*both);
  EXPECT_EQ(none->at_pointer("/spec/http").as_array().size(), 2U);
}

TEST(Istio, WhatIsMirroredIsDividedAsTheRoutesThatAreMeant) {
  Case one(R"({"istio":{"virtualService":{"name":"vs","routes":["primary"]}},
      "managedRoutes":[{"name":"mirror"}]})");
  one.traffic.mirror_routes = {{.name = "mirror", .match = {{}}}};
  const auto routed = one.routed_to(parsed(
      R"({"spec":{"http":[{"name":"other","route":[{"destination":{"host":"stable"},"weight":50},
          {"destination":{"host":"canary"},"weight":50}]},{"name":"primary","route":[
          {"destination":{"host":"stable"}},{"destination":{"host":"canary"}}]}]}})"));
  ASSERT_TRUE(routed) << routed.error().text();
  EXPECT_TRUE(json::same(routed->at_pointer("/spec/http/0/route"),
                         parsed(R"([{"destination":{"host":"stable"},"weight":80},
                         {"destination":{"host":"canary"},"weight":20}])")))
      << json::write(*routed);
}

TEST(Istio, OneHeaderOfAHeaderRouteIsEnough) {
  Case one(R"({"istio":{"virtualService":{"name":"vs"}},"managedRoutes":[{"name":"beta"}]})");
  one.traffic.header_routes = {
      {.name = "beta",
       .match = {{.header_name = "X-Beta", .header_value = argo::StringMatch{.exact = "1"}},
                 {.header_name = "X-Beta", .header_value = argo::StringMatch{.exact = "2"}},
                 {.header_name = "X-Team", .header_value = argo::StringMatch{.regex = "q.*"}}}}};
  const auto routed = one.routed_to(parsed(kVirtualService));
  ASSERT_TRUE(routed) << routed.error().text();
  EXPECT_TRUE(json::same(routed->at_pointer("/spec/http/0/match"),
                         parsed(R"([{"headers":{"X-Beta":{"exact":"1"}}},
                         {"headers":{"X-Beta":{"exact":"2"}}},
                         {"headers":{"X-Team":{"regex":"q.*"}}}])")))
      << json::write(*routed);
}

TEST(Istio, ServicesOfOtherNamespacesHaveTheirOwnRoutes) {
  const Case one(R"({"istio":{"virtualServices":[{"name":"vs.edge","routes":["primary"]},
      {"name":"vs","routes":["second"]}]}})");
  ASSERT_EQ(one.targets().size(), 2U);
  EXPECT_EQ(one.targets()[0].ns, "edge");
  EXPECT_EQ(one.targets()[0].name, "vs");
  EXPECT_EQ(one.targets()[1].ns, "shop");
  const json::Value both = parsed(
      R"({"spec":{"http":[{"name":"primary","route":[{"destination":{"host":"stable"}},
          {"destination":{"host":"canary"}}]},{"name":"second","route":[
          {"destination":{"host":"stable"}},{"destination":{"host":"canary"}}]}]}})");
  for (const std::size_t target : {0U, 1U}) {
    const auto routed = one.routed_to(both, nullptr, target);
    ASSERT_TRUE(routed) << routed.error().text();
    const std::string meant = "/spec/http/" + std::to_string(target);
    const std::string other = "/spec/http/" + std::to_string(1 - target);
    EXPECT_EQ(routed->at_pointer(meant + "/route/1/weight"), 20);
    EXPECT_TRUE(json::same(routed->at_pointer(other), both.at_pointer(other)));
  }
}

TEST(Translated, IsAnHttpRouteOfTheServiceThatPeopleAsk) {
  const json::Value service =
      parsed(R"({"spec":{"ports":[{"name":"metrics","port":9090},{"name":"http","port":8080}]}})");
  const std::pair<const char*, const char*> routers[] = {
      {R"({"nginx":{"stableIngress":"door"}})", "stable"},
      {R"({"istio":{"virtualService":{"name":"web"}}})", "stable"},
      {R"({"smi":{"rootService":"root"}})", "root"}};
  for (const auto& [routing, root] : routers) {
    Case one(routing, Routers::kTranslated);
    one.made.rollout.spec.strategy.canary->stable_service = "stable";
    one.made.rollout.spec.strategy.canary->canary_service = "canary";
    ASSERT_EQ(one.targets().size(), 1U) << routing;
    EXPECT_EQ(one.targets()[0].kind.resource, "httproutes");
    EXPECT_EQ(one.targets()[0].model, root);
    const auto made = one.routed_to(nullptr, service);
    ASSERT_TRUE(made) << made.error().text();
    EXPECT_EQ(made->at_pointer("/metadata/name"), "web-traffic");
    EXPECT_EQ(made->at_pointer("/metadata/ownerReferences/0/uid"), "u1");
    EXPECT_EQ(
        json::write(made->at_pointer("/spec/parentRefs")),
        R"([{"group":"","kind":"Service","name":")" + std::string(root) + R"(","port":8080}])");
    EXPECT_EQ(json::write(made->at_pointer("/spec/rules")),
              R"([{"matches":[{"path":{"type":"PathPrefix","value":"/"}}],)"
              R"("backendRefs":[{"name":"stable","port":8080,"weight":80},)"
              R"({"name":"canary","port":8080,"weight":20}]}])");
    EXPECT_TRUE(json::same(*one.routed_to(*made, service), *made)) << "nothing changes";
    EXPECT_EQ(one.routed_to(nullptr).error().code, ErrorCode::kNotFound) << "no such Service";
    json::Value foreign = *made;
    foreign.at_pointer("/metadata/ownerReferences/0/uid") = "u2";
    EXPECT_EQ(one.routed_to(foreign, service).error().code, ErrorCode::kInvalid);
  }
  EXPECT_EQ(Case(kGateway, Routers::kTranslated).targets()[0].ns, "edge") << "needs none";
}

TEST(Translated, AHeaderRouteMadeWithTheRouteIsFoundAgain) {
  Case one(R"({"nginx":{"stableIngress":"door"},"managedRoutes":[{"name":"beta"}]})",
           Routers::kTranslated);
  one.made.rollout.spec.strategy.canary->stable_service = "stable";
  one.made.rollout.spec.strategy.canary->canary_service = "canary";
  one.traffic.header_routes = {
      {.name = "beta",
       .match = {{.header_name = "X-Beta", .header_value = argo::StringMatch{.exact = "1"}}}}};
  const json::Value service = parsed(R"({"spec":{"ports":[{"name":"http","port":80}]}})");
  const auto made = one.routed_to(nullptr, service);
  ASSERT_TRUE(made) << made.error().text();
  const auto registry = api::Registry::make();
  json::Value stored = *made;
  api::set_defaults(stored, *registry->find(one.targets()[0].kind)->schema);
  EXPECT_TRUE(json::same(*one.routed_to(stored, service), stored)) << json::write(stored);
}

TEST(Translated, OneHeaderIsEnoughForIstioAndForNobodyElse) {
  const std::string matches[] = {
      R"([{"path":{"type":"PathPrefix","value":"/"},
           "headers":[{"name":"X-Beta","type":"Exact","value":"1"}]},
          {"path":{"type":"PathPrefix","value":"/"},
           "headers":[{"name":"X-Team","type":"Exact","value":"q"}]}])",
      R"([{"path":{"type":"PathPrefix","value":"/"},
           "headers":[{"name":"X-Beta","type":"Exact","value":"1"},
                      {"name":"X-Team","type":"Exact","value":"q"}]}])"};
  const json::Value service = parsed(R"({"spec":{"ports":[{"name":"http","port":80}]}})");
  for (const auto& [routing, now, wanted] :
       {std::tuple(
            R"({"istio":{"virtualService":{"name":"vs"}},"managedRoutes":[{"name":"beta"}]})",
            json::Value(nullptr), matches[0]),
        std::tuple(kGateway, parsed(kHttpRoute), matches[1])}) {
    Case one(routing, Routers::kTranslated);
    one.made.rollout.spec.strategy.canary->stable_service = "stable";
    one.made.rollout.spec.strategy.canary->canary_service = "canary";
    one.traffic.header_routes = {
        {.name = "beta",
         .match = {{.header_name = "X-Beta", .header_value = argo::StringMatch{.exact = "1"}},
                   {.header_name = "X-Team", .header_value = argo::StringMatch{.exact = "q"}}}}};
    const auto routed = one.routed_to(now, service);
    ASSERT_TRUE(routed) << routed.error().text();
    EXPECT_TRUE(json::same(routed->at_pointer("/spec/rules/0/matches"), parsed(wanted)))
        << json::write(*routed);
    EXPECT_TRUE(json::same(*one.routed_to(*routed, service), *routed)) << "twice is once";
  }
}

TEST(Translated, SubsetsAreServicesOfTheirOwn) {
  Case one(R"({"istio":{"virtualService":{"name":"web"},
      "destinationRule":{"name":"web","canarySubsetName":"c","stableSubsetName":"s"}}})",
           Routers::kTranslated);
  auto& canary = *one.made.rollout.spec.strategy.canary;
  canary.stable_service = canary.canary_service = "";
  one.traffic.weights.stable.service_name = one.traffic.weights.canary.service_name = "";
  const json::Value service = parsed(
      R"({"metadata":{"name":"host"},"spec":{"ports":[{"name":"http","port":80,"targetPort":"http","nodePort":31000}],
          "selector":{"app":"web"}}})");
  const auto targets = one.targets();
  ASSERT_EQ(targets.size(), 3U);
  EXPECT_EQ(targets[0].name, "web-traffic-stable");
  EXPECT_EQ(targets[1].name, "web-traffic-canary");
  EXPECT_EQ(targets[2].name, "web-traffic");
  for (const std::size_t side : {0U, 1U}) {
    EXPECT_TRUE(targets[side].finds_model);
    const auto made = one.routed_to(nullptr, service, side);
    ASSERT_TRUE(made) << made.error().text();
    EXPECT_EQ(made->at_pointer("/kind"), "Service");
    EXPECT_EQ(made->at_pointer("/metadata/ownerReferences/0/uid"), "u1");
    EXPECT_EQ(json::write(made->at_pointer("/spec/selector")),
              std::string(R"({"app":"web","rollouts-pod-template-hash":")") +
                  (side == 0 ? "s" : "c") + R"("})");
    EXPECT_EQ(json::write(made->at_pointer("/spec/ports")),
              R"([{"name":"http","port":80,"targetPort":"http"}])");
    EXPECT_TRUE(json::same(*one.routed_to(*made, service, side), *made)) << "nothing changes";
    EXPECT_EQ(one.routed_to(service, service, side).error().code, ErrorCode::kInvalid)
        << "somebody else's";
  }
  const auto route = one.routed_to(nullptr, service, 2);
  ASSERT_TRUE(route) << route.error().text();
  Case at_rest = one;
  at_rest.traffic.weights.canary.pod_template_hash = "s";
  EXPECT_TRUE(at_rest.routed_to(nullptr, service, 2)->is_null()) << "nothing to divide yet";
  EXPECT_FALSE(at_rest.routed_to(*route, service, 2)->is_null());
  EXPECT_EQ(json::write(route->at_pointer("/spec/parentRefs")),
            R"([{"group":"","kind":"Service","name":"host","port":80}])");
  EXPECT_EQ(json::write(route->at_pointer("/spec/rules")),
            R"([{"matches":[{"path":{"type":"PathPrefix","value":"/"}}],)"
            R"("backendRefs":[{"name":"web-traffic-stable","port":80,"weight":80},)"
            R"({"name":"web-traffic-canary","port":80,"weight":20}]}])");
  one.traffic.weights.canary.weight = 40;
  one.traffic.weights.stable.weight = 60;
  EXPECT_EQ(one.routed_to(*route, service, 2)->at_pointer("/spec/rules/0/backendRefs/1/weight"),
            40);

  json::Value moved = service;
  moved.at_pointer("/metadata/name") = "other";
  moved.at_pointer("/spec/ports/0/port") = 81;
  const auto follows = one.routed_to(*route, moved, 2);
  EXPECT_EQ(json::write(follows->at_pointer("/spec/parentRefs")),
            R"([{"group":"","kind":"Service","name":"other","port":81}])");
  EXPECT_EQ(follows->at_pointer("/spec/rules/0/backendRefs/1/weight"), 40);
  EXPECT_EQ(follows->at_pointer("/spec/rules/0/backendRefs/1/port"), 81);

  for (const char* name : {"istio-subset-split-in-stable-downscale-after-canary-abort", "web.v2"}) {
    one.made.rollout.metadata.value = json::Object{{"name", name}};
    EXPECT_EQ(api::dns_1035_label_problem(one.targets()[0].name), "");
    EXPECT_NE(one.targets()[0].name, one.targets()[1].name);
  }
  canary.stable_service = "stable";
  canary.canary_service = "canary";
  EXPECT_EQ(one.targets().size(), 1U) << "Services that are named are taken";
}

TEST(Translated, WhatIsDividedIsTheServiceThatSelectsEveryVersion) {
  Rollouts made = routed(10, {});
  made.rollout.spec.template_.value =
      parsed(R"({"metadata":{"labels":{"app":"web","tier":"front"}}})");
  const auto service = [](const std::string& name, const std::string& spec) {
    return parsed(R"({"metadata":{"name":")" + name + R"("},"spec":)" + spec + "}");
  };
  const json::Value host = service("host", R"({"selector":{"app":"web"}})");
  const std::vector<json::Value> others = {
      service("other", R"({"selector":{"app":"db"}})"),
      service("all", "{}"),
      service("none", R"({"selector":{}})"),
      service("lacks", R"({"selector":{"app":"web","zone":""}})"),
      service("one-version", R"({"selector":{"app":"web","rollouts-pod-template-hash":"s"}})"),
      service("headless", R"({"clusterIP":"None","selector":{"app":"web"}})"),
      service("outside", R"({"type":"ExternalName","selector":{"app":"web"}})")};
  EXPECT_EQ(find_divided(made.rollout, others).error().code, ErrorCode::kNotFound);
  auto with = others;
  with.push_back(host);
  const auto found = find_divided(made.rollout, with);
  ASSERT_TRUE(found) << found.error().text();
  EXPECT_TRUE(json::same(*found, host));
  with.push_back(service("second", R"({"selector":{"tier":"front"}})"));
  const auto both = find_divided(made.rollout, with);
  ASSERT_FALSE(both);
  EXPECT_EQ(both.error().code, ErrorCode::kInvalid);
  EXPECT_NE(both.error().message.find("\"host\" and \"second\""), std::string::npos);
}

TEST(Routers, ThoseThatAreNotThereAreNamed) {
  const auto problem = [](std::string_view routing) {
    return unsupported_in(Case(routing).made.rollout.spec, Routers::kAsWritten);
  };
  const auto alb = problem(R"({"alb":{"ingress":"x","servicePort":80}})");
  ASSERT_TRUE(alb);
  EXPECT_EQ(alb->field, "spec.strategy.canary.trafficRouting.alb");
  EXPECT_EQ(alb->message, "not supported; use istio, nginx, smi or gatewayAPI");
  EXPECT_TRUE(problem(R"({"plugins":{"a/b":{}}})"));
  EXPECT_FALSE(problem(kGateway));
  argo::RolloutSpec spec = Case(R"({"istio":{"virtualService":{"name":"web"}}})").made.rollout.spec;
  spec.strategy.canary->steps.emplace_back().set_mirror_route.emplace();
  EXPECT_FALSE(unsupported_in(spec, Routers::kAsWritten));
  EXPECT_TRUE(unsupported_in(spec, Routers::kTranslated)) << "nobody here mirrors";
}

}  // namespace
}  // namespace slipway::rollout
