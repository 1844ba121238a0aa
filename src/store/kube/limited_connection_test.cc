#include "store/kube/limited_connection.h"

#include "store/kube/fake_api_server.h"
#include "store/kube/kube_store.h"

namespace slipway::store::kube {
namespace {

using namespace std::chrono_literals;

const api::Gvr kConfigMaps{"", "v1", "configmaps"};

class LimitedConnectionTest : public testing::Test {
 protected:
  void end_after(Duration after) {
    timer_ = server_.loop().clock().call_after(after, [this] { end_.request_stop(); });
  }
  json::Object object() const { return {{"metadata", json::Object{{"name", "a"}}}}; }

  FakeApiServer server_;
  std::unique_ptr<Connection> whole_ = connect(server_.loop(), server_.pool(), server_.access());
  std::stop_source end_;
  std::unique_ptr<Clock::Timer> timer_;
  std::unique_ptr<Connection> limited_ = limit_connection(*whole_, end_.get_token());
  std::unique_ptr<api::Registry> registry_ = api::Registry::make();
  std::unique_ptr<Store> store_ = make_kube_store(server_.loop(), *limited_, *registry_);
};

TEST_F(LimitedConnectionTest, PassesCallsOnWhileItLasts) {
  server_.replies = {{.body = R"({"metadata":{"name":"a","namespace":"n"}})"}};
  EXPECT_TRUE(server_.run(store_->create(kConfigMaps, "n", object(), {})));
}

TEST_F(LimitedConnectionTest, AWriteUnderWayEnds) {
  server_.replies = {{.end = Reply::End::kHangs}};
  end_after(50ms);
  const Duration began = server_.loop().clock().uptime();
  auto written = server_.run(store_->create(kConfigMaps, "n", object(), {}));
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, ErrorCode::kCancelled);
  EXPECT_LT(server_.loop().clock().uptime() - began, 5s);
}

TEST_F(LimitedConnectionTest, AWriteThatWaitsToBeRepeatedEnds) {
  http::Headers later;
  later.set("Retry-After", "20");
  server_.replies = {refusal_reply(429, "TooManyRequests", later)};
  end_after(50ms);
  const Duration began = server_.loop().clock().uptime();
  EXPECT_FALSE(server_.run(store_->create(kConfigMaps, "n", object(), {})));
  EXPECT_LT(server_.loop().clock().uptime() - began, 5s);
  EXPECT_EQ(server_.asked.size(), 1u);
}

TEST_F(LimitedConnectionTest, NothingIsSentAfterItsEnd) {
  end_.request_stop();
  auto written = server_.run(store_->create(kConfigMaps, "n", object(), {}));
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, ErrorCode::kCancelled);
  EXPECT_TRUE(server_.asked.empty());
}

TEST_F(LimitedConnectionTest, AWatchEndsWithIt) {
  server_.replies = {watch_reply({})};
  auto watch = server_.run(store_->watch(kConfigMaps, {.from = 10}));
  ASSERT_TRUE(watch) << watch.error().text();
  end_after(50ms);
  auto events = server_.run((*watch)->next(30s, {}));
  ASSERT_FALSE(events);
  EXPECT_EQ(events.error().code, ErrorCode::kCancelled);
}

}  // namespace
}  // namespace slipway::store::kube
