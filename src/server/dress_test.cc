#include "server/dress.h"

#include <gtest/gtest.h>

#include "async/sim_loop.h"
#include "base/json.h"
#include "base/yaml.h"

namespace slipway::server {
namespace {

http::Bytes bytes(std::string text) { return std::make_shared<const std::string>(std::move(text)); }

// As present_list makes it.
http::Response list_of(int items, std::size_t item_bytes) {
  http::Response response;
  response.headers.set("Content-Type", "application/json");
  response.parts.push_back(
      bytes(R"({"kind":"L","apiVersion":"v1","metadata":{"resourceVersion":"7"},"items":[)"));
  for (int i = 0; i < items; ++i) {
    if (i > 0) response.parts.push_back(bytes(","));
    response.parts.push_back(bytes(json::write(json::Object{
        {"metadata", json::Object{{"name", "n" + std::to_string(i)}}},
        {"data", json::Object{{"text", "two\nlines"}, {"long", std::string(item_bytes, 'x')}}},
        {"empty", json::Array()}})));
  }
  response.parts.push_back(bytes("]}\n"));
  return response;
}

std::string text_of(const http::Response& response) {
  std::string text = response.body;
  for (const auto& part : response.parts) text += *part;
  return text;
}

TEST(Dress, WritesAListItemByItemAsIfWhole) {
  auto loop = make_sim_loop();
  for (int items : {0, 1, 2, 50}) {
    const json::Value value = json::read(text_of(list_of(items, 100))).value();
    auto pretty = run_to_end(*loop, dress(*loop, list_of(items, 100), true, false));
    EXPECT_EQ(text_of(pretty), json::write(value, {.indent = 2}) + "\n");
    EXPECT_EQ(pretty.headers.get("Content-Type"), "application/json");
    auto yaml = run_to_end(*loop, dress(*loop, list_of(items, 100), false, true));
    EXPECT_EQ(text_of(yaml), yaml::write(value));
    EXPECT_EQ(yaml.headers.get("Content-Type"), "application/yaml");
  }
}

TEST(Dress, LetsOthersRunDuringALongList) {
  auto loop = make_sim_loop();
  bool others_ran = false, done = false;
  spawn(*loop, [](Loop& on, bool& ended) -> Task<> {
    co_await dress(on, list_of(500, 1024), false, true);
    ended = true;
  }(*loop, done));
  loop->post([&] {
    others_ran = true;
    EXPECT_FALSE(done);
  });
  run_to_end(*loop, sleep_for(*loop, std::chrono::seconds(1)));
  EXPECT_TRUE(others_ran);
  EXPECT_TRUE(done);
}

TEST(Dress, LeavesWhatIsTooLargeAsItIs) {
  auto loop = make_sim_loop();
  auto list = run_to_end(*loop, dress(*loop, list_of(20, 1024 * 1024), false, true));
  EXPECT_EQ(list.headers.get("Content-Type"), "application/json");
  EXPECT_EQ(text_of(list), text_of(list_of(20, 1024 * 1024)));
  http::Response table{.body = "{\"a\":\"" + std::string(5 * 1024 * 1024, 'x') + "\"}"};
  table.headers.set("Content-Type", "application/json");
  table = run_to_end(*loop, dress(*loop, std::move(table), true, false));
  EXPECT_TRUE(table.body.starts_with("{\"a\":\"x"));
}

}  // namespace
}  // namespace slipway::server
