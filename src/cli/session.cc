#include "cli/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "async/real_loop.h"
#include "base/file.h"
#include "cli/data_dir.h"

namespace slipway::cli {

namespace kube = store::kube;

namespace {

constexpr std::string_view kAggregated =
    "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json";

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

Result<kube::Access> find_access(const ServerFlags& flags) {
  if (!flags.kubeconfig.empty()) return kube::load_kubeconfig(flags.kubeconfig, flags.context);
  if (const char* paths = std::getenv("KUBECONFIG"); paths && *paths)
    return kube::load_kubeconfigs(kube::split_kubeconfig_paths(paths), flags.context);
  const std::string path = default_data_dir() + "/kubeconfig";
  if (!file::exists(path))
    return fail(ErrorCode::kNotFound, fmt::format("no server to talk to: {} is not there; start "
                                                  "one with `slipway serve`, or name one with "
                                                  "--kubeconfig or $KUBECONFIG",
                                                  path));
  return kube::load_kubeconfig(path, flags.context);
}

std::vector<std::string> strings(const json::Value* list) {
  std::vector<std::string> found;
  if (list && list->is_array())
    for (const auto& word : list->get_array())
      if (word.is_string()) found.emplace_back(word.get_string());
  return found;
}

// The kinds of an APIGroupDiscoveryList; the first version of a group is the one it prefers.
void read_discovery(const json::Value& document, std::vector<ServedKind>& kinds) {
  const json::Value* groups = json::at(document, {"items"});
  if (!groups || !groups->is_array()) return;
  for (const auto& group : groups->get_array()) {
    const json::Value* versions = json::at(group, {"versions"});
    if (!versions || !versions->is_array()) continue;
    for (const auto& version : versions->get_array()) {
      const json::Value* resources = json::at(version, {"resources"});
      if (!resources || !resources->is_array()) continue;
      for (const auto& resource : resources->get_array())
        kinds.push_back({.group = std::string(json::string_at(group, {"metadata", "name"})),
                         .version = std::string(json::string_at(version, {"version"})),
                         .plural = std::string(json::string_at(resource, {"resource"})),
                         .singular = std::string(json::string_at(resource, {"singularResource"})),
                         .kind = std::string(json::string_at(resource, {"responseKind", "kind"})),
                         .short_names = strings(json::at(resource, {"shortNames"})),
                         .categories = strings(json::at(resource, {"categories"})),
                         .namespaced = json::string_at(resource, {"scope"}) == "Namespaced"});
    }
  }
}

bool answers_to(const ServedKind& kind, const std::string& word) {
  const auto dot = word.find('.');
  const std::string name = word.substr(0, dot);
  if (dot != std::string::npos) {
    const std::string rest = word.substr(dot + 1);
    if (rest != kind.group && rest != kind.version + "." + kind.group) return false;
  }
  return name == kind.plural || name == kind.singular || name == lower(kind.kind) ||
         std::ranges::find(kind.short_names, name) != kind.short_names.end();
}

std::vector<std::string> split(std::string_view text, char at) {
  std::vector<std::string> parts;
  while (true) {
    const auto end = text.find(at);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

}  // namespace

std::string ServedKind::object_name(std::string_view name) const {
  const std::string word = singular.empty() ? lower(kind) : singular;
  return fmt::format("{}{}{}/{}", word, group.empty() ? "" : ".", group, name);
}

std::string ServedKind::path(std::string_view ns, std::string_view name) const {
  std::string path =
      group.empty() ? fmt::format("/api/{}", version) : fmt::format("/apis/{}/{}", group, version);
  if (namespaced && !ns.empty()) path += fmt::format("/namespaces/{}", http::percent_encode(ns));
  path += "/" + plural;
  if (!name.empty()) path += "/" + http::percent_encode(name);
  return path;
}

Result<std::unique_ptr<Session>> Session::open(const ServerFlags& flags) {
  auto access = find_access(flags);
  if (!access) return std::unexpected(access.error());
  std::unique_ptr<Session> session(new Session());
  session->ns_ = !flags.ns.empty() ? flags.ns : access->ns.empty() ? "default" : access->ns;
  session->loop_ = make_loop();
  session->pool_ = make_thread_pool(1);
  session->connection_ = kube::connect(*session->loop_, *session->pool_, std::move(*access));
  return session;
}

Session::~Session() = default;

Task<Result<json::Value>> Session::send(kube::Call call) {
  if (!call.headers.has("Accept")) call.headers.set("Accept", "application/json");
  auto response = co_await connection_->send(std::move(call));
  if (!response) co_return std::unexpected(response.error());
  if (response->status >= 400) co_return std::unexpected(kube::error_of(*response));
  co_return json::read(response->body, {.max_bytes = response->body.size()});
}

Task<Result<>> Session::load_kinds() {
  if (!kinds_.empty()) co_return Result<>{};
  for (const char* path : {"/api", "/apis"}) {
    kube::Call call{.target = path};
    call.headers.set("Accept", std::string(kAggregated));
    auto document = co_await send(std::move(call));
    if (!document) co_return std::unexpected(document.error());
    read_discovery(*document, kinds_);
  }
  if (kinds_.empty())
    co_return fail(ErrorCode::kUnavailable,
                   "the server does not tell what it serves (aggregated discovery is missing)");
  co_return Result<>{};
}

Task<Result<ServedKind>> Session::find_kind(std::string word) {
  SLIPWAY_CO_TRY(co_await load_kinds());
  const std::string wanted = lower(word);
  for (const auto& kind : kinds_)
    if (answers_to(kind, wanted)) co_return kind;
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
  for (const auto& word : split(words, ',')) {
    const auto before = found.size();
    for (const auto& kind : kinds_)
      if (std::ranges::find(kind.categories, lower(word)) != kind.categories.end())
        found.push_back(kind);
    if (found.size() > before) continue;
    auto kind = co_await find_kind(word);
    if (!kind) co_return std::unexpected(kind.error());
    found.push_back(std::move(*kind));
  }
  co_return found;
}

}  // namespace slipway::cli
