#include "store/kube/connection.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>

#include "base/file.h"
#include "base/scratch_testing.h"
#include "store/kube/fake_api_server.h"

namespace slipway::store::kube {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

class ConnectionTest : public testing::Test {
 protected:
  Result<http::Response> send(Access access, Call call) {
    connection_ = connect(server_.loop(), server_.pool(), std::move(access));
    return again(std::move(call));
  }
  Result<http::Response> again(Call call) {
    return server_.run(connection_->send(std::move(call)));
  }

  std::string file_with(const std::string& name, std::string_view text, unsigned mode = 0600) {
    std::string path = folder_ + "/" + name;
    EXPECT_TRUE(file::write(path, text, mode));
    return path;
  }
  // The Authorization headers the server saw.
  std::vector<std::string> authorizations() const {
    std::vector<std::string> all;
    for (const http::Request& request : server_.requests) {
      all.emplace_back(request.headers.get("Authorization"));
    }
    return all;
  }
  // A plugin that counts its runs in its tokens: t1, t2, …
  Access access_with_plugin(std::string_view expires) {
    std::string counter = folder_ + "/runs";
    Access access = server_.access();
    access.exec = ExecPlugin{
        .api_version = "client.authentication.k8s.io/v1",
        .command = file_with(
            "plugin",
            fmt::format(
                "#!/bin/sh\necho run >>{}\n"
                "echo '{{\"apiVersion\":\"client.authentication.k8s.io/v1\",'"
                "'\"kind\":\"ExecCredential\",\"status\":{{\"token\":\"t'$(wc -l <{})'\"{}}}}}'\n",
                counter, counter,
                expires.empty() ? std::string()
                                : fmt::format(",\"expirationTimestamp\":\"{}\"", expires)),
            0700)};
    return access;
  }

  FakeApiServer server_;
  const ScratchFolder scratch_;
  const std::string folder_ = scratch_.path();
  std::unique_ptr<Connection> connection_;
};

TEST_F(ConnectionTest, SaysWhoItIs) {
  server_.replies = {{}, {}, {}};
  Access token = server_.access();
  token.token = "secret";
  token.impersonate.add("Impersonate-User", "boss");
  ASSERT_TRUE(send(token, {.target = "/a?b=c"}));
  EXPECT_EQ(server_.requests[0].headers.get("User-Agent"), "slipway/0.1.0");
  EXPECT_EQ(server_.requests[0].headers.get("Accept"), "application/json");
  EXPECT_EQ(server_.requests[0].headers.get("Impersonate-User"), "boss");
  Access basic = server_.access();
  basic.username = "me";
  basic.password = "pw";
  ASSERT_TRUE(send(basic, {.target = "/"}));
  ASSERT_TRUE(send(server_.access(), {.target = "/"}));
  EXPECT_THAT(server_.asked, ElementsAre("GET /a?b=c", "GET /", "GET /"));
  EXPECT_THAT(authorizations(), ElementsAre("Bearer secret", "Basic bWU6cHc=", ""));
}

TEST_F(ConnectionTest, SendsNothingWhereANameIsNone) {
  server_.replies = {{}, {}};
  for (const char* path : {"/api/v1/pods/", "/api/v1/pods/?x=y", "/api/v1/pods//log", "/a/.",
                           "/a/..", "/api/v1/namespaces/../pods/a"}) {
    Result<http::Response> response = send(server_.access(), {.method = "DELETE", .target = path});
    ASSERT_FALSE(response) << path;
    EXPECT_EQ(response.error().code, ErrorCode::kBadRequest) << path;
  }
  EXPECT_THAT(server_.asked, SizeIs(0));
  for (const char* path : {"/", "/a/..b?x=/../"})
    EXPECT_TRUE(send(server_.access(), {.method = "DELETE", .target = path})) << path;
}

TEST_F(ConnectionTest, WaitsAsLongAs429Says) {
  http::Headers later;
  later.add("Retry-After", "1");
  server_.replies = {refusal_reply(429, "TooManyRequests", later), {.body = "done"}};
  const Duration before = server_.loop().clock().uptime();
  Result<http::Response> response = send(server_.access(), {.method = "POST", .target = "/"});
  ASSERT_TRUE(response) << response.error().text();
  EXPECT_EQ(response->body, "done");
  EXPECT_GE(server_.loop().clock().uptime() - before, 1s);
}

TEST_F(ConnectionTest, RepeatsAfter5xxOnlyWhatIsSafe) {
  server_.replies = {refusal_reply(500, "InternalError"), refusal_reply(503, "x"), {.body = "got"}};
  EXPECT_EQ(send(server_.access(), {.target = "/"})->body, "got");
  server_.replies = {refusal_reply(500, "InternalError"), {}};
  EXPECT_EQ(again({.method = "POST", .target = "/"})->status, 500);
  EXPECT_EQ(again({.method = "PATCH", .target = "/", .repeatable = true})->status, 200);
  EXPECT_THAT(server_.asked, SizeIs(5));
}

TEST_F(ConnectionTest, GivesUpInTheEnd) {
  for (int i = 0; i < 20; ++i) server_.replies.push_back(refusal_reply(503, "ServiceUnavailable"));
  EXPECT_EQ(send(server_.access(), {.target = "/"})->status, 503);
  EXPECT_THAT(server_.asked, SizeIs(6));
}

TEST_F(ConnectionTest, SaysThatNobodyListens) {
  Result<http::Response> response =
      send({.server = "http://127.0.0.1:1"}, {.method = "POST", .target = "/"});
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().code, ErrorCode::kUnavailable);
}

TEST_F(ConnectionTest, StopsWaitingWhenStopped) {
  http::Headers later;
  later.add("Retry-After", "30");
  server_.replies = {refusal_reply(429, "TooManyRequests", later)};
  connection_ = connect(server_.loop(), server_.pool(), server_.access());
  std::stop_source stop;
  auto timer = server_.loop().clock().call_after(50ms, [&] { stop.request_stop(); });
  Result<http::Response> response =
      server_.run(connection_->send({.target = "/"}, stop.get_token()));
  EXPECT_EQ(response->status, 429);
  EXPECT_THAT(server_.asked, SizeIs(1));
}

TEST_F(ConnectionTest, ReadsTheTokenFileAgainWhenRefused) {
  server_.replies = {{}, refusal_reply(401, "Unauthorized"), {}};
  Access access = server_.access();
  access.token_file = file_with("token", "one\n");
  ASSERT_TRUE(send(access, {.target = "/"}));
  file_with("token", "two\n");
  EXPECT_EQ(again({.target = "/"})->status, 200);
  EXPECT_THAT(authorizations(), ElementsAre("Bearer one", "Bearer one", "Bearer two"));
}

TEST_F(ConnectionTest, RenewsOnceForACall) {
  server_.replies = {refusal_reply(401, "Unauthorized"), refusal_reply(401, "Unauthorized"), {}};
  Access access = server_.access();
  access.token_file = file_with("token", "one");
  EXPECT_EQ(send(access, {.target = "/"})->status, 401);
  EXPECT_THAT(server_.asked, SizeIs(2));
}

TEST_F(ConnectionTest, AsksNobodyTwiceWithAFixedToken) {
  server_.replies = {refusal_reply(401, "Unauthorized")};
  Access access = server_.access();
  access.token = "fixed";
  EXPECT_EQ(send(access, {.target = "/"})->status, 401);
  EXPECT_THAT(server_.asked, SizeIs(1));
}

TEST_F(ConnectionTest, KeepsTheOldTokenWhileTheFileIsMissing) {
  server_.replies = {{}, refusal_reply(401, "Unauthorized"), {}};
  Access access = server_.access();
  access.token_file = file_with("token", "one");
  ASSERT_TRUE(send(access, {.target = "/"}));
  std::filesystem::remove(access.token_file);
  EXPECT_EQ(again({.target = "/"})->status, 200);
  EXPECT_THAT(authorizations(), ElementsAre("Bearer one", "Bearer one", "Bearer one"));
}

TEST_F(ConnectionTest, HasNoCredentialsWithoutATokenFile) {
  Access access = server_.access();
  access.token_file = folder_ + "/missing";
  Result<http::Response> response = send(access, {.target = "/"});
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().code, ErrorCode::kUnauthorized);
  EXPECT_THAT(server_.asked, SizeIs(0));
}

TEST_F(ConnectionTest, RunsThePluginOnceWhileItsTokenHolds) {
  server_.replies = {{}, {}, refusal_reply(401, "Unauthorized"), {}};
  ASSERT_TRUE(send(access_with_plugin("2999-01-01T00:00:00Z"), {.target = "/"}));
  ASSERT_TRUE(again({.target = "/"}));
  EXPECT_EQ(again({.target = "/"})->status, 200);
  EXPECT_THAT(authorizations(), ElementsAre("Bearer t1", "Bearer t1", "Bearer t1", "Bearer t2"));
}

TEST_F(ConnectionTest, RunsThePluginAgainWhenItsTokenHasExpired) {
  server_.replies = {{}, {}};
  ASSERT_TRUE(send(access_with_plugin("2020-01-01T00:00:00Z"), {.target = "/"}));
  ASSERT_TRUE(again({.target = "/"}));
  EXPECT_THAT(authorizations(), ElementsAre("Bearer t1", "Bearer t2"));
}

TEST_F(ConnectionTest, DoesNotRunThePluginForEveryRefusal) {
  for (int i = 0; i < 8; ++i) server_.replies.push_back(refusal_reply(401, "Unauthorized"));
  EXPECT_EQ(send(access_with_plugin(""), {.target = "/"})->status, 401);
  EXPECT_EQ(again({.target = "/"})->status, 401);
  EXPECT_EQ(again({.target = "/"})->status, 401);
  EXPECT_THAT(authorizations(), ElementsAre("Bearer t1", "Bearer t2", "Bearer t2", "Bearer t2"));
}

TEST_F(ConnectionTest, TellsThatThePluginFailed) {
  Access access = server_.access();
  access.exec = ExecPlugin{.api_version = "client.authentication.k8s.io/v1",
                           .command = folder_ + "/missing-plugin"};
  Result<http::Response> response = send(access, {.target = "/"});
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().code, ErrorCode::kUnauthorized);
  EXPECT_THAT(response.error().message, HasSubstr("missing-plugin"));
}

TEST_F(ConnectionTest, OpensStreams) {
  server_.replies = {refusal_reply(429, "TooManyRequests"),
                     watch_reply({"one", "two"}, Reply::End::kEnds)};
  connection_ = connect(server_.loop(), server_.pool(), server_.access());
  auto stream = server_.run(connection_->open({.target = "/"}));
  ASSERT_TRUE(stream) << stream.error().text();
  EXPECT_EQ((*stream)->status(), 200);
  std::string all;
  while (true) {
    Result<std::string> piece = server_.run((*stream)->next(5s, {}));
    ASSERT_TRUE(piece) << piece.error().text();
    if (piece->empty()) break;
    all += *piece;
  }
  EXPECT_EQ(all, "onetwo");
}

}  // namespace
}  // namespace slipway::store::kube
