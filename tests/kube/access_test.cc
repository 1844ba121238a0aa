#include <gmock/gmock.h>

#include "async/gate.h"
#include "base/random.h"
#include "control/leader.h"
#include "kube/cluster_host.h"

// Ways into a cluster, and what only a cluster can show.
namespace slipway::store::kube {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

const api::Gvr kConfigMaps{"", "v1", "configmaps"};
const api::Gvr kNamespaces{"", "v1", "namespaces"};
const api::Gvr kLeases{"coordination.k8s.io", "v1", "leases"};

TEST(ClusterAccess, ACertificateGetsIn) {
  ClusterHost host("-certificate");
  auto found = run_to_end(host.loop(), host.store().get(kNamespaces, {"", "default"}));
  ASSERT_TRUE(found) << found.error().text();
  EXPECT_EQ(found->key.name, "default");
}

TEST(ClusterAccess, AReaderMayNotWrite) {
  ClusterHost host("-view");
  EXPECT_TRUE(run_to_end(host.loop(), host.store().list(kConfigMaps, {.ns = "default"})));
  auto made = run_to_end(host.loop(),
                         host.store().create(kConfigMaps, "default", config_map("viewed"), {}));
  ASSERT_EQ(refusal(made), to_string(ErrorCode::kForbidden));
  EXPECT_THAT(made.error().message, HasSubstr("configmaps is forbidden: User \"view\""));
}

// A store with another way in than the kubeconfig's.
struct OtherAccess {
  explicit OtherAccess(Access access) : connection(connect(*loop, *pool, std::move(access))) {}
  std::string get_default() {
    return refusal(run_to_end(*loop, store->get(kNamespaces, {"", "default"})));
  }
  std::unique_ptr<Loop> loop = make_loop();
  std::unique_ptr<Pool> pool = make_thread_pool(1);
  std::unique_ptr<api::Registry> registry = api::Registry::make();
  std::unique_ptr<Connection> connection;
  std::unique_ptr<Store> store = make_kube_store(*loop, *connection, *registry);
};
Access access_of_cluster(std::string_view kind = {}) {
  return *load_kubeconfig(std::string(std::getenv("KUBECONFIG")).append(kind));
}

TEST(ClusterAccess, AWrongTokenIsUnauthorized) {
  Access access = access_of_cluster();
  access.token = "wrong";
  EXPECT_EQ(OtherAccess(access).get_default(), to_string(ErrorCode::kUnauthorized));
}

TEST(ClusterAccess, AServerOfAnotherAuthorityIsNotTrusted) {
  Access access = access_of_cluster();
  access.tls.ca_pem.clear();
  EXPECT_EQ(OtherAccess(access).get_default(), to_string(ErrorCode::kInvalid));
}

TEST(ClusterAccess, APluginsCertificateGetsIn) {
  Access access = access_of_cluster("-certificate");
  json::Object credential{
      {"apiVersion", "client.authentication.k8s.io/v1"},
      {"kind", "ExecCredential"},
      {"status", json::Object{{"clientCertificateData", access.tls.certificate_pem},
                              {"clientKeyData", access.tls.key_pem}}}};
  access.tls.certificate_pem.clear();
  access.tls.key_pem.clear();
  EXPECT_EQ(OtherAccess(access).get_default(), to_string(ErrorCode::kForbidden));
  access.exec = ExecPlugin{.api_version = "client.authentication.k8s.io/v1",
                           .command = "printenv",
                           .args = {"CREDENTIAL"},
                           .env = {{"CREDENTIAL", json::write(credential)}}};
  EXPECT_EQ(OtherAccess(access).get_default(), "accepted");
}

TEST(ClusterAccess, ItemsOfListsAreComplete) {
  ClusterHost host;
  auto page = run_to_end(host.loop(), host.store().list(kNamespaces, {}));
  ASSERT_TRUE(page) << page.error().text();
  ASSERT_FALSE(page->items.empty());
  for (const Item& item : page->items) {
    EXPECT_EQ(at(item, "kind"), "\"Namespace\"");
    EXPECT_EQ(at(item, "apiVersion"), "\"v1\"");
    auto alone = run_to_end(host.loop(), host.store().get(kNamespaces, item.key));
    ASSERT_TRUE(alone) << alone.error().text();
    if (alone->version == item.version) EXPECT_EQ(*alone->bytes, *item.bytes);
  }
}

Task<> wait_while_leading(Loop* loop, bool* working, std::stop_token stop) {
  *working = true;
  co_await sleep_for(*loop, 1h, stop);
  *working = false;
}

TEST(ClusterAccess, TwoCopiesLeadOneAfterTheOther) {
  ClusterHost host;
  auto random = system_random();
  const std::string name = "leader-" + random->suffix(8);
  bool first_works = false, second_works = false;
  std::stop_source stop_first, stop_second;
  Gate gate(host.loop());
  control::LeaderElection first(host.loop(), host.store(), *random,
                                {.name = name, .identity = "first", .retry = 200ms});
  control::LeaderElection second(host.loop(), host.store(), *random,
                                 {.name = name, .identity = "second", .retry = 200ms});
  auto wait_until = [&](const bool& flag, bool value) {
    for (int i = 0; i < 100 && flag != value; ++i) {
      (void)run_to_end(host.loop(), sleep_for(host.loop(), 100ms));
    }
    return flag == value;
  };
  Loop* loop = &host.loop();
  gate.spawn(first.run(
      [&, loop](std::stop_token stop) { return wait_while_leading(loop, &first_works, stop); },
      stop_first.get_token()));
  EXPECT_TRUE(wait_until(first_works, true));
  gate.spawn(second.run(
      [&, loop](std::stop_token stop) { return wait_while_leading(loop, &second_works, stop); },
      stop_second.get_token()));
  (void)run_to_end(host.loop(), sleep_for(host.loop(), 1s));
  EXPECT_TRUE(first_works);
  EXPECT_FALSE(second_works);
  stop_first.request_stop();
  EXPECT_TRUE(wait_until(second_works, true));
  EXPECT_FALSE(first_works);
  stop_second.request_stop();
  run_to_end(host.loop(), gate.close());
  auto lease = run_to_end(host.loop(), host.store().get(kLeases, {"default", name}));
  ASSERT_TRUE(lease) << lease.error().text();
  EXPECT_EQ(at(*lease, "spec.leaseTransitions"), "1");
  (void)run_to_end(host.loop(), host.store().remove(kLeases, {"default", name}, {}));
}

}  // namespace
}  // namespace slipway::store::kube
