#pragma once

#include <memory>
#include <string>

#include "async/sim_loop.h"
#include "base/random.h"
#include "server/api_server.h"
#include "store/embedded.h"

namespace slipway::server {

// An API server on a memory store and a simulated loop, for tests: requests in, answers out, no
// sockets.
struct ServerFixture {
  struct Answer {
    int status = 0;
    http::Headers headers;
    std::string body;
    std::unique_ptr<http::Stream> stream;

    json::Value json() const {
      auto value = json::read(body, {.max_bytes = 64 * 1024 * 1024});
      return value ? *value : json::Value(nullptr);
    }
  };
  struct Ask {
    std::string method = "GET";
    std::string target;
    std::string body = {};
    std::string content_type = "application/json";
    std::string accept = {};
    std::string token = "admin-token";
    std::string host = "localhost:8080";
    std::string agent = "kubectl/v1.34.0 (linux/amd64)";
    std::string encoding = {};
  };

  Answer ask(Ask asked) {
    auto target = http::parse_target(asked.target);
    SLIPWAY_ASSERT(target.has_value());
    http::Request request{
        .method = asked.method, .target = *target, .headers = {}, .body = asked.body, .peer = {}};
    request.headers.set("Host", asked.host);
    if (!asked.token.empty()) request.headers.set("Authorization", "Bearer " + asked.token);
    if (!asked.accept.empty()) request.headers.set("Accept", asked.accept);
    if (!asked.body.empty()) request.headers.set("Content-Type", asked.content_type);
    request.headers.set("User-Agent", asked.agent);
    if (!asked.encoding.empty()) request.headers.set("Accept-Encoding", asked.encoding);
    auto response = run_to_end(*loop, handler->handle(std::move(request)));
    Answer answer{response.status, response.headers, std::move(response.body),
                  std::move(response.stream)};
    for (const auto& part : response.parts) answer.body += *part;
    return answer;
  }
  Answer get(std::string target) { return ask({.target = std::move(target)}); }
  Answer post(std::string target, std::string body) {
    return ask({.method = "POST", .target = std::move(target), .body = std::move(body)});
  }

  // The next lines of a watch; empty at its end.
  std::string next(Answer& watch) {
    auto piece = run_to_end(*loop, watch.stream->next({}));
    return piece ? *piece : "error: " + piece.error().text();
  }

  std::unique_ptr<SimLoop> loop = make_sim_loop();
  std::unique_ptr<Random> random = seeded_random(1);
  std::unique_ptr<api::Registry> registry = api::Registry::make();
  std::unique_ptr<store::EmbeddedStore> store = store::make_memory_store(*loop, *registry, *random);
  Metrics metrics;
  std::unique_ptr<http::Handler> handler =
      make_api_server(*loop, *registry, *store,
                      {.admin_token = "admin-token", .view_token = "view-token"}, metrics);
};

}  // namespace slipway::server
