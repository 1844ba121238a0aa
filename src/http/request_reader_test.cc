#include "http/request_reader.h"

#include <gtest/gtest.h>

namespace slipway::http {
namespace {

using State = RequestReader::State;

// Feeds in steps of `step` bytes and gives back what was left over.
std::string feed(RequestReader& reader, std::string_view bytes, std::size_t step) {
  std::string waiting;
  while (reader.state() == State::kHead || reader.state() == State::kBody) {
    std::size_t taken = reader.feed(waiting);
    waiting.erase(0, taken);
    if (taken > 0) continue;
    if (bytes.empty()) break;
    waiting.append(bytes.substr(0, step));
    bytes.remove_prefix(std::min(step, bytes.size()));
  }
  return waiting + std::string(bytes);
}

TEST(RequestReader, GivesTheSameForAnyCutting) {
  const std::string bytes =
      "\r\nPOST /a%20b?c=d HTTP/1.1\r\nHost: x\r\nX: one\r\n two\r\nTransfer-Encoding: "
      "chunked\r\n\r\n"
      "4\r\nbody\r\n10;a=\"b\"\r\n0123456789abcdef\r\n0\r\nT: u\r\n\r\nGET /next";
  for (std::size_t step = 1; step <= bytes.size(); ++step) {
    RequestReader reader({});
    EXPECT_EQ(feed(reader, bytes, step), "GET /next") << step;
    ASSERT_EQ(reader.state(), State::kDone) << step << reader.failure().message;
    const Request& request = reader.request();
    EXPECT_EQ(request.method, "POST");
    EXPECT_EQ(request.target.path, "/a b");
    EXPECT_EQ(request.body, "body0123456789abcdef");
    EXPECT_EQ(request.headers.all().size(), 3u);
    EXPECT_EQ(request.headers.get("X"), "one two");
    EXPECT_TRUE(reader.keep_alive());
  }
}

TEST(RequestReader, StopsAtTheEndOfTheHead) {
  RequestReader reader({});
  std::string bytes = "PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabcdef";
  std::size_t taken = reader.feed(bytes);
  EXPECT_EQ(reader.state(), State::kBody);
  EXPECT_EQ(reader.request().method, "PUT");
  EXPECT_EQ(reader.request().body, "");
  EXPECT_EQ(bytes.substr(taken), "abcdef");
  taken += reader.feed(std::string_view(bytes).substr(taken));
  EXPECT_EQ(reader.state(), State::kDone);
  EXPECT_EQ(reader.request().body, "abc");
  EXPECT_EQ(bytes.substr(taken), "def");
}

TEST(RequestReader, TakesABodyUpToTheLimit) {
  for (std::size_t size : {9u, 10u, 11u}) {
    for (bool chunked : {false, true}) {
      RequestReader reader({.head = 1000, .body = 10});
      std::string head = "PUT / HTTP/1.1\r\nHost: x\r\n";
      std::string text(size, 'x');
      std::string bytes =
          chunked ? head + "Transfer-Encoding: chunked\r\n\r\n5\r\nxxxxx\r\n" +
                        std::to_string(size - 5) + "\r\n" + text.substr(5) + "\r\n0\r\n\r\n"
                  : head + "Content-Length: " + std::to_string(size) + "\r\n\r\n" + text;
      feed(reader, bytes, 7);
      if (size <= 10) {
        EXPECT_EQ(reader.state(), State::kDone);
        EXPECT_EQ(reader.request().body, text);
      } else {
        EXPECT_EQ(reader.state(), State::kFailed);
        EXPECT_EQ(reader.failure().status, 413);
      }
    }
  }
}

TEST(RequestReader, LimitsTheHeadHoweverItIsCut) {
  std::string bytes = "GET / HTTP/1.1\r\nHost: x\r\n";
  while (bytes.size() < 900) bytes += "Name: value\r\n";
  std::string longer = bytes + "A: " + std::string(100, 'a') + "\r\n\r\n";
  bytes += "\r\n";
  for (std::size_t step : {1u, 3u, 100u, 5000u}) {
    RequestReader fits({.head = 1000});
    feed(fits, bytes, step);
    EXPECT_EQ(fits.state(), State::kDone) << step;
    RequestReader tight({.head = 1000});
    feed(tight, longer, step);
    EXPECT_EQ(tight.state(), State::kFailed) << step;
    EXPECT_EQ(tight.failure().status, 431) << step;
  }
}

}  // namespace
}  // namespace slipway::http
