#include "server/pod_logs.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <vector>

#include "api/rules/validate.h"
#include "server/present.h"
#include "server/status.h"

namespace slipway::server {
namespace {

// Reads parameters of the query into options, and collects what is wrong with them.
class Parameters {
 public:
  explicit Parameters(const Call& call) : call_(call) {}

  Result<std::optional<std::int64_t>> integer(std::string_view name, std::int64_t least) {
    const auto text = call_.parameter(name);
    if (text.empty()) return std::optional<std::int64_t>();
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size())
      return fail(ErrorCode::kBadRequest,
                  fmt::format("strconv.ParseInt: parsing \"{}\": invalid syntax", text));
    if (number < least)
      findings_.invalid(
          std::string(name), number,
          least == 0 ? "must be greater than or equal to 0" : "must be greater than 0");
    return std::optional<std::int64_t>(number);
  }
  bool flag(std::string_view name) const { return server::flag(call_.request.target, name); }
  std::string text(std::string_view name) const { return std::string(call_.parameter(name)); }
  api::Findings& findings() { return findings_; }

 private:
  const Call& call_;
  api::Findings findings_;
};

Result<> read_since(Parameters& parameters, Time now, LogOptions& options) {
  const auto seconds = parameters.integer("sinceSeconds", 1);
  if (!seconds) return std::unexpected(seconds.error());
  if (*seconds) options.since = now - std::chrono::seconds(**seconds);
  const std::string text = parameters.text("sinceTime");
  if (text.empty()) return {};
  const auto time = parse_time(text);
  if (!time)
    return fail(ErrorCode::kBadRequest,
                fmt::format("sinceTime: \"{}\" is not a time; write 2026-01-02T15:04:05Z", text));
  if (*seconds)
    parameters.findings().forbidden(
        "", "at most one of `sinceTime` or `sinceSeconds` may be specified");
  options.since = *time;
  return {};
}

Result<LogOptions> log_options(const Call& call, Time now) {
  Parameters parameters(call);
  LogOptions options{.container = parameters.text("container"),
                     .follow = parameters.flag("follow"),
                     .previous = parameters.flag("previous"),
                     .timestamps = parameters.flag("timestamps")};
  SLIPWAY_TRY(read_since(parameters, now, options));
  const auto tail = parameters.integer("tailLines", 0);
  if (!tail) return std::unexpected(tail.error());
  options.tail_lines = *tail;
  const auto bytes = parameters.integer("limitBytes", 1);
  if (!bytes) return std::unexpected(bytes.error());
  options.limit_bytes = *bytes;
  const std::string stream = parameters.text("stream");
  if (stream == "Stdout" || stream == "Stderr") {
    options.stream = stream == "Stdout" ? "stdout" : "stderr";
  } else if (!stream.empty() && stream != "All") {
    parameters.findings().not_supported("stream", json::Value(stream), {"All", "Stderr", "Stdout"});
  }
  if (!parameters.findings().empty())
    return fail(parameters.findings().error({"", "v1", "PodLogOptions"}, ""));
  return options;
}

std::vector<std::string> names_in(const json::Value& pod, std::string_view list) {
  std::vector<std::string> names;
  const json::Value* containers = json::at(pod, {"spec", list});
  if (containers && containers->is_array())
    for (const json::Value& container : containers->get_array())
      names.emplace_back(json::string_at(container, {"name"}));
  return names;
}

// The container that is meant; its only one, when none is named.
Result<std::string> choose_container(const json::Value& pod, const std::string& asked) {
  const auto containers = names_in(pod, "containers");
  const auto inits = names_in(pod, "initContainers");
  const std::string_view name = json::string_at(pod, {"metadata", "name"});
  if (asked.empty() && containers.size() == 1) return containers.front();
  if (asked.empty()) {
    std::string message =
        fmt::format("a container name must be specified for pod {}, choose one of: [{}]", name,
                    fmt::join(containers, " "));
    if (!inits.empty())
      message += fmt::format(" or one of the init containers: [{}]", fmt::join(inits, " "));
    return fail(ErrorCode::kBadRequest, std::move(message));
  }
  for (const auto* names : {&containers, &inits})
    if (std::ranges::find(*names, asked) != names->end()) return asked;
  return fail(ErrorCode::kBadRequest,
              fmt::format("container {} is not valid for pod {}", asked, name));
}

// Keeps a place among the open logs for as long as it lasts.
class LogBody final : public http::Stream {
 public:
  LogBody(std::unique_ptr<http::Stream> log, Limit::Permit permit)
      : log_(std::move(log)), permit_(std::move(permit)) {}
  Task<Result<std::string>> next(std::stop_token stop) override {
    auto piece = co_await log_->next(stop);
    // The container goes on: who reads must not take this for its end.
    if (piece && piece->empty() && stop.stop_requested())
      co_return fail(ErrorCode::kCancelled, "the server stops");
    co_return piece;
  }

 private:
  std::unique_ptr<http::Stream> log_;
  Limit::Permit permit_;
};

}  // namespace

Task<http::Response> get_log(const Services& services, PodLogs* logs, Limit& limit, Call call) {
  auto options = log_options(call, services.loop.clock().now());
  if (!options) co_return failure(options.error());
  auto item = co_await services.store.get(call.gvr(), call.key());
  if (!item) co_return failure(item.error());
  auto pod = decode_item(*item);
  if (!pod) co_return failure(pod.error());
  auto container = choose_container(*pod, options->container);
  if (!container) co_return failure(container.error());
  options->container = std::move(*container);
  if (!logs)
    co_return failure({.code = ErrorCode::kNotFound, .message = "this server keeps no logs"});
  auto permit = limit.try_enter();
  if (!permit)
    co_return failure({.code = ErrorCode::kTooManyRequests,
                       .message = "too many logs are being read, please try again later"});
  auto log = co_await logs->open(std::string(json::string_at(*pod, {"metadata", "uid"})),
                                 call.route.name, std::move(*options));
  if (!log) co_return failure(log.error());
  http::Response response{.stream = std::make_unique<LogBody>(std::move(*log), std::move(*permit))};
  response.headers.set("Content-Type", "text/plain");
  co_return response;
}

}  // namespace slipway::server
