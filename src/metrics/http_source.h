#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "http/client.h"
#include "metrics/connections.h"
#include "metrics/provider_spec.h"

namespace slipway::metrics {

// The time one call may take, over all its requests.
class Budget {
 public:
  Budget(Clock& clock, Duration timeout, std::stop_token stop = {})
      : clock_(&clock),
        until_(clock.uptime() + timeout),
        timeout_(timeout),
        stop_(std::move(stop)) {}
  Duration left() const { return until_ - clock_->uptime(); }
  Duration whole() const { return timeout_; }
  const std::stop_token& stop() const { return stop_; }

 private:
  Clock* clock_;
  Duration until_;
  Duration timeout_;
  std::stop_token stop_;
};

// One source reached over HTTP: who we are there, how its certificate is checked, and our limits.
class HttpSource {
 public:
  struct Call {
    std::string method = "GET";
    std::string url;
    http::Headers headers = {};
    std::string body = {};
    std::size_t max_body = 0;  // 0: kMaxAnswerBytes
  };

  // Errors: kInvalid for incomplete OAuth2 settings.
  static Result<HttpSource> make(const ProviderSpec& spec, Connections& connections);

  // Sends with the spec's headers and sign-in; those of the call win. Follows redirects, without
  // any header of ours once they lead to another host. Any other status is an answer.
  Task<Result<http::Response>> send(Call call, Budget budget) const;

  Connections& connections() const { return *connections_; }
  Clock& clock() const { return connections_->clock(); }

 private:
  HttpSource(Connections& connections, const ProviderSpec& spec);
  Task<Result<>> sign_in(http::ClientRequest& request, Budget budget) const;
  Task<Result<http::Response>> follow(http::ClientRequest request, Budget budget) const;

  Connections* connections_;
  std::shared_ptr<http::Client> client_;  // shared: see Connections::client
  ProviderSpec spec_;
};

// What an error status means for whoever asked.
ErrorCode code_of_status(int status);
// The failure for an answer whose status is an error; `message` is what is said of it.
std::unexpected<Error> status_failure(const http::Response& response, std::string message);
// "error response: Status 503 Service Unavailable: the body"
std::unexpected<Error> status_failure(const http::Response& response);

// The JSON of a body, NaN and Infinity accepted. Error: kInvalid, quoting how it begins.
Result<json::Value> read_answer(std::string_view body);

// The beginning of a body, on one line, fit for a message.
std::string excerpt(std::string_view body);

std::string basic_authorization(std::string_view user, std::string_view password);

}  // namespace slipway::metrics
