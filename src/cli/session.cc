#include "cli/session.h"

#include <fmt/format.h>

#include <cstdlib>

#include "async/real_loop.h"
#include "base/file.h"
#include "base/text.h"
#include "cli/data_dir.h"

namespace slipway::cli {

namespace kube = store::kube;

namespace {

constexpr std::string_view kAggregated =
    "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json";

struct Found {
  kube::Access access;
  std::string source;
};

Result<Found> from(Result<kube::Access> access, std::string source) {
  if (!access) return std::unexpected(access.error());
  return Found{std::move(*access), std::move(source)};
}

// By the user, for this command or for all.
bool is_named(const ServerFlags& flags) {
  const char* paths = std::getenv("KUBECONFIG");
  return !flags.kubeconfig.empty() || !flags.context.empty() || (paths && *paths);
}

Result<Found> find_access(const ServerFlags& flags) {
  if (!flags.kubeconfig.empty())
    return from(kube::load_kubeconfig(flags.kubeconfig, flags.context), flags.kubeconfig);
  if (const char* paths = std::getenv("KUBECONFIG"); paths && *paths)
    return from(kube::load_kubeconfigs(kube::split_kubeconfig_paths(paths), flags.context), paths);
  const auto folder = default_data_dir();
  if (!folder)
    return fail(ErrorCode::kNotFound,
                folder.error().message + "; name a server with --kubeconfig or $KUBECONFIG");
  const std::string path = *folder + "/kubeconfig";
  if (!file::exists(path))
    return fail(ErrorCode::kNotFound, fmt::format("no server to talk to: {} is not there; start "
                                                  "one with `slipway serve`, or name one with "
                                                  "--kubeconfig or $KUBECONFIG",
                                                  path));
  return from(kube::load_kubeconfig(path, flags.context), path);
}

// A slash of a name stands encoded in the path. Not every server says what is wrong with it.
Result<> check_slashes(std::string_view target) {
  for (std::string name : text::split(target.substr(0, target.find('?')), '/')) {
    const auto slash = name.find("%2F");
    if (slash == std::string::npos) continue;
    name.replace(slash, 3, "/");
    return fail(ErrorCode::kBadRequest,
                fmt::format("\"{}\" is no name; write the name alone", name));
  }
  return {};
}

}  // namespace

Error with_advice(Error error, const Contact& contact) {
  if (error.code == ErrorCode::kUnavailable)
    error.message += fmt::format(
        "\n  is the server of {} running? start one with `slipway serve`, or name another with "
        "--kubeconfig",
        contact.source);
  if (error.code == ErrorCode::kUnauthorized)
    error.message += fmt::format(
        ": {} does not know the credentials in {}\n  a server started with `slipway serve --data "
        "DIR` takes those of DIR/kubeconfig: name it with --kubeconfig or $KUBECONFIG",
        contact.server, contact.source);
  return error;
}

Error unanswered(Error error, const Contact& contact) {
  // Nobody answered in time: as good as nobody there.
  if (error.code == ErrorCode::kTimeout) error.code = ErrorCode::kUnavailable;
  if (error.code != ErrorCode::kInvalid) return with_advice(std::move(error), contact);
  error.code = ErrorCode::kUnavailable;
  error.message += fmt::format(
      "\n  {} says how to reach {}: its certificate-authority(-data) has to be the authority that "
      "signed the server's certificate",
      contact.source, contact.server);
  return error;
}

Result<std::unique_ptr<Session>> Session::open(const ServerFlags& flags, Loop* loop) {
  auto found = find_access(flags);
  if (!found) return std::unexpected(found.error());
  kube::Access& access = found->access;
  std::unique_ptr<Session> session(new Session());
  session->ns_ = !flags.ns.empty() ? flags.ns : access.ns.empty() ? "default" : access.ns;
  session->contact_ = {.server = access.server, .source = found->source};
  if (!loop) session->own_loop_ = make_loop();
  session->loop_ = loop ? loop : session->own_loop_.get();
  session->pool_ = make_thread_pool(1);
  session->connection_ = kube::connect(*session->loop_, *session->pool_, std::move(access));
  return session;
}

bool Session::is_any_named(const ServerFlags& flags) {
  const auto found = find_access(flags);
  return found || found.error().code != ErrorCode::kNotFound || is_named(flags);
}

Session::~Session() = default;

Task<Result<json::Value>> Session::send(kube::Call call, std::stop_token stop) {
  SLIPWAY_CO_TRY(check_slashes(call.target));
  if (!call.headers.has("Accept")) call.headers.set("Accept", "application/json");
  auto response = co_await connection_->send(std::move(call), std::move(stop));
  if (!response) co_return std::unexpected(unanswered(response.error(), contact_));
  if (response->status >= 400) {
    Error error = kube::error_of(*response);
    // A server that answers that it cannot is running.
    if (error.code != ErrorCode::kUnavailable) error = with_advice(std::move(error), contact_);
    co_return std::unexpected(std::move(error));
  }
  co_return json::read(response->body, {.max_bytes = response->body.size()});
}

Task<Result<std::unique_ptr<http::ResponseStream>>> Session::open_stream(kube::Call call) {
  SLIPWAY_CO_TRY(check_slashes(call.target));
  auto stream = co_await connection_->open(std::move(call));
  if (!stream) co_return std::unexpected(unanswered(stream.error(), contact_));
  co_return stream;
}

Error Session::stream_ended() const {
  return with_advice({.code = ErrorCode::kUnavailable, .message = "the server ended the stream"},
                     contact_);
}

Task<Result<>> Session::load_kinds() {
  if (!kinds_.empty()) co_return Result<>{};
  for (const char* path : {"/api", "/apis"}) {
    kube::Call call{.target = path};
    call.headers.set("Accept", std::string(kAggregated));
    auto document = co_await send(std::move(call));
    if (!document) co_return std::unexpected(document.error());
    for (auto& kind : read_discovery(*document)) kinds_.push_back(std::move(kind));
  }
  if (kinds_.empty())
    co_return fail(ErrorCode::kUnavailable,
                   "the server does not tell what it serves (aggregated discovery is missing)");
  co_return Result<>{};
}

Task<Result<ServedKind>> Session::find_kind(std::string word) {
  SLIPWAY_CO_TRY(co_await load_kinds());
  if (const ServedKind* kind = find_served(kinds_, word)) co_return *kind;
  co_return fail(ErrorCode::kNotFound,
                 fmt::format("the server doesn't have a resource type \"{}\"", word));
}

Task<Result<ServedKind>> Session::find_kind(std::string api_version, std::string kind) {
  SLIPWAY_CO_TRY(co_await load_kinds());
  for (const auto& served : kinds_)
    if (served.kind == kind && served.api_version() == api_version) co_return served;
  co_return fail(ErrorCode::kNotFound,
                 fmt::format("no kind \"{}\" in version \"{}\" on this server; apply its "
                             "CustomResourceDefinition first",
                             kind, api_version));
}

Task<Result<std::vector<ServedKind>>> Session::find_kinds(std::string words) {
  SLIPWAY_CO_TRY(co_await load_kinds());
  std::vector<ServedKind> found;
  for (const auto& word : text::split(words, ',')) {
    const auto members = find_category(kinds_, word);
    found.insert(found.end(), members.begin(), members.end());
    if (!members.empty()) continue;
    auto kind = co_await find_kind(word);
    if (!kind) co_return std::unexpected(kind.error());
    found.push_back(std::move(*kind));
  }
  co_return found;
}

}  // namespace slipway::cli
