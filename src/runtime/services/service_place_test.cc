#include "runtime/services/service_place.h"

#include <gtest/gtest.h>

namespace slipway::runtime {
namespace {

TEST(ServiceNamed, ReadsTheNamesThatPodsKnow) {
  struct Case {
    const char* host;
    const char* ns;
    const char* key;  // NS/NAME; empty: no name of a Service
  };
  for (const Case& c : {Case{"web", "shop", "shop/web"},
                        {"web.other", "shop", "other/web"},
                        {"web.other.svc", "shop", "other/web"},
                        {"web.other.svc.cluster.local", "shop", "other/web"},
                        {"web.other.svc.cluster.local.", "shop", "other/web"},
                        {"Web.Other.SVC", "shop", "other/web"},
                        {"web.other", "", "other/web"},
                        {"web", "", ""},
                        {"web.other.svc.cluster", "shop", ""},
                        {"web.example.com", "shop", ""},
                        {"web.other.svc.cluster.local.net", "shop", ""},
                        {"127.0.0.1", "shop", ""},
                        {"[::1]", "shop", "shop/[::1]"},
                        {"", "shop", ""},
                        {".shop", "shop", ""},
                        {"web..svc", "shop", ""}}) {
    const auto key = service_named(c.host, c.ns);
    EXPECT_EQ(key ? key->ns + "/" + key->name : "", c.key) << c.host;
  }
}

TEST(ServicePlace, IsWhereTheProxyListens) {
  struct Case {
    const char* service;
    std::int32_t port;
    const char* place;
  };
  for (const Case& c :
       {Case{R"({"spec":{"clusterIP":"127.128.0.3"}})", 8080, "127.128.0.3:8080"},
        {R"({"metadata":{"annotations":{"slipway.dev/listens-at":"80=20080,443=20443"}},
             "spec":{"clusterIP":"127.128.0.3"}})",
         443, "127.128.0.3:20443"},
        {R"({"metadata":{"annotations":{"slipway.dev/listens-at":"80=20080"}},
             "spec":{"clusterIP":"127.128.0.3"}})",
         8080, "127.128.0.3:8080"},
        {R"({"spec":{"clusterIP":"None"}})", 80, ""},
        {R"({"spec":{"type":"ExternalName","externalName":"example.com"}})", 80, ""},
        {R"({"spec":{}})", 80, ""},
        {R"({})", 80, ""}})
    EXPECT_EQ(place_of(json::read(c.service)->get_object(), c.port), c.place) << c.service;
}

}  // namespace
}  // namespace slipway::runtime
