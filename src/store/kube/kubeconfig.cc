#include "store/kube/kubeconfig.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <filesystem>

#include "base/file.h"
#include "store/kube/kubeconfig_entries.h"

namespace slipway::store::kube {

namespace {

constexpr std::string_view kExecGroup = "client.authentication.k8s.io/";
constexpr std::string_view kExecExtension = "client.authentication.k8s.io/exec";

std::string entry_path(std::string_view list, std::string_view name, std::string_view element) {
  return fmt::format("{}[{}].{}", list, name, element);
}

// What the cluster's entry keeps for exec plugins, as JSON; empty when there is nothing.
std::string exec_extension(EntryReader& cluster) {
  const json::Array* extensions = cluster.array("extensions");
  if (!extensions) return {};
  for (const json::Value& extension : *extensions) {
    if (json::string_at(extension, {"name"}) != kExecExtension) continue;
    const json::Value* config = json::at(extension, {"extension"});
    return config ? json::write(*config) : std::string();
  }
  return {};
}

// kubectl takes "host:port" too, and speaks TLS there when the entry says anything about TLS.
std::string server_url(std::string server, bool says_tls) {
  if (server.find("://") == std::string::npos)
    server = (says_tls ? "https://" : "http://") + server;
  while (server.ends_with('/')) server.pop_back();
  return server;
}

Result<> read_cluster(const KubeconfigEntry& entry, std::string_view name, Access& access) {
  EntryReader cluster(entry, entry_path("clusters", name, "cluster"));
  access.tls.ca_pem = cluster.bytes_or_file("certificate-authority");
  access.tls.server_name = cluster.text("tls-server-name");
  access.tls.verify = !cluster.flag("insecure-skip-tls-verify");
  bool says_tls = !access.tls.ca_pem.empty() || !access.tls.verify;
  access.server = server_url(cluster.text("server"), says_tls);
  if (!access.server.starts_with("https://") && !access.server.starts_with("http://")) {
    cluster.refuse("server", fmt::format("\"{}\" is no http or https address", access.server));
  }
  if (!cluster.has("server")) cluster.refuse("server", "missing; write https://host:port");
  if (!access.tls.verify && !access.tls.ca_pem.empty()) {
    cluster.refuse("insecure-skip-tls-verify",
                   "a certificate authority is given too; leave one of them out");
  }
  if (cluster.has("proxy-url")) {
    cluster.refuse("proxy-url", "not supported; set HTTPS_PROXY in the environment instead");
  }
  if (access.exec) access.exec->cluster_config = exec_extension(cluster);
  return cluster.result();
}

void read_exec_env(EntryReader& exec, std::map<std::string, std::string>& env) {
  const json::Array* list = exec.array("env");
  if (!list) return;
  for (const json::Value& variable : *list) {
    std::string name(json::string_at(variable, {"name"}));
    std::string value(json::string_at(variable, {"value"}));
    if (name.empty() || name.find('=') != std::string::npos ||
        (name + value).find('\0') != std::string::npos) {
      return exec.refuse("env", "each variable needs a name without = and a text as its value");
    }
    env[std::move(name)] = std::move(value);
  }
}

Result<ExecPlugin> read_exec(const json::Object& fields, const std::string& folder,
                             const std::string& path) {
  KubeconfigEntry entry{.fields = fields, .folder = folder};
  EntryReader exec(entry, path);
  ExecPlugin plugin{.api_version = exec.text("apiVersion"), .command = exec.text("command")};
  plugin.args = exec.texts("args");
  plugin.install_hint = exec.text("installHint");
  plugin.provide_cluster_info = exec.flag("provideClusterInfo");
  read_exec_env(exec, plugin.env);
  if (plugin.command.empty()) exec.refuse("command", "missing");
  if (plugin.command.find('/') != std::string::npos) plugin.command = exec.resolve(plugin.command);
  if (plugin.api_version != std::string(kExecGroup) + "v1" &&
      plugin.api_version != std::string(kExecGroup) + "v1beta1") {
    exec.refuse("apiVersion", fmt::format("\"{}\" is not known; write {}v1 or {}v1beta1",
                                          plugin.api_version, kExecGroup, kExecGroup));
  }
  for (const std::string& arg : plugin.args) {
    if (arg.find('\0') != std::string::npos) exec.refuse("args", "must not hold a zero byte");
  }
  if (exec.text("interactiveMode") == "Always") {
    exec.refuse("interactiveMode", "Always needs a terminal, which a server does not have");
  }
  SLIPWAY_TRY(exec.result());
  return plugin;
}

void add_impersonation(EntryReader& user, http::Headers& headers) {
  if (std::string name = user.text("as"); !name.empty()) headers.add("Impersonate-User", name);
  if (std::string uid = user.text("as-uid"); !uid.empty()) headers.add("Impersonate-Uid", uid);
  for (std::string& group : user.texts("as-groups")) {
    headers.add("Impersonate-Group", std::move(group));
  }
  const json::Object* extra = user.object("as-user-extra");
  if (!headers.has("Impersonate-User") && (!headers.all().empty() || extra)) {
    return user.refuse("as", "missing, but as-uid, as-groups or as-user-extra is given");
  }
  if (!extra) return;
  for (const auto& [key, values] : *extra) {
    if (!values.is_array()) return user.refuse("as-user-extra", "must map keys to lists of texts");
    for (const json::Value& value : values.get_array()) {
      if (!value.is_string())
        return user.refuse("as-user-extra", "must map keys to lists of texts");
      headers.add("Impersonate-Extra-" + http::percent_encode(key),
                  std::string(value.get_string()));
    }
  }
}

void check_methods(EntryReader& user, const Access& access) {
  int methods = 0;
  if (!access.token.empty() || !access.token_file.empty()) ++methods;
  if (!access.username.empty() || !access.password.empty()) ++methods;
  if (access.exec) ++methods;
  if (methods > 1) {
    user.refuse("token", "more than one of token, username and password, and exec; keep one");
  }
  if (access.tls.certificate_pem.empty() != access.tls.key_pem.empty()) {
    user.refuse("client-certificate",
                "client-certificate and client-key, or their -data, go together");
  }
  if (user.has("auth-provider")) {
    user.refuse("auth-provider", "no longer supported; use an exec plugin");
  }
}

// Text that goes into a header: a line end in it would let it write headers of its own.
void check_header_text(EntryReader& user, std::string_view name, const std::string& text) {
  if (http::printable_line(text) != text) user.refuse(name, "must not hold control characters");
}

Result<> read_user(const KubeconfigEntry& entry, std::string_view name, Access& access) {
  const std::string path = entry_path("users", name, "user");
  EntryReader user(entry, path);
  access.tls.certificate_pem = user.bytes_or_file("client-certificate");
  access.tls.key_pem = user.bytes_or_file("client-key");
  access.token = user.text("token");
  if (user.has("tokenFile")) access.token_file = user.resolve(user.text("tokenFile"));
  access.username = user.text("username");
  access.password = user.text("password");
  check_header_text(user, "token", access.token);
  if (const json::Object* exec = user.object("exec")) {
    Result<ExecPlugin> plugin = read_exec(*exec, entry.folder, path + ".exec");
    if (!plugin) return std::unexpected(std::move(plugin).error());
    access.exec = std::move(*plugin);
  }
  add_impersonation(user, access.impersonate);
  for (const auto& [header, value] : access.impersonate.all()) {
    check_header_text(user, "as", value);
  }
  check_methods(user, access);
  return user.result();
}

}  // namespace

namespace {

constexpr std::size_t kMaxNamedContexts = 10;

// "; there are a, b": what could be meant.
std::string known_contexts(const Kubeconfig& config) {
  if (config.contexts.empty()) return "; the file has none";
  std::string text;
  std::size_t named = 0;
  for (const auto& [name, entry] : config.contexts) {
    if (named++ == kMaxNamedContexts) return text + ", …";
    text += fmt::format("{}{}", text.empty() ? "; there are: " : ", ", name);
  }
  return text;
}

}  // namespace

Result<Access> access_of(const Kubeconfig& config, std::string_view wanted) {
  std::string name(wanted.empty() ? std::string_view(config.current_context) : wanted);
  if (name.empty()) {
    return fail(ErrorCode::kNotFound,
                "no context is current; name one with --context" + known_contexts(config),
                "current-context");
  }
  auto found = config.contexts.find(name);
  if (found == config.contexts.end()) {
    return fail(ErrorCode::kNotFound,
                fmt::format("there is no context \"{}\"{}", name, known_contexts(config)),
                "contexts");
  }
  EntryReader context(found->second, entry_path("contexts", name, "context"));
  const std::string cluster = context.text("cluster");
  const std::string user = context.text("user");
  Access access;
  if (std::string ns = context.text("namespace"); !ns.empty()) access.ns = std::move(ns);
  SLIPWAY_TRY(context.result());

  auto cluster_entry = config.clusters.find(cluster);
  if (cluster_entry == config.clusters.end()) {
    return fail(ErrorCode::kNotFound, fmt::format("there is no cluster \"{}\"", cluster),
                context.path_of("cluster"));
  }
  if (!user.empty()) {
    auto user_entry = config.users.find(user);
    if (user_entry == config.users.end()) {
      return fail(ErrorCode::kNotFound, fmt::format("there is no user \"{}\"", user),
                  context.path_of("user"));
    }
    SLIPWAY_TRY(read_user(user_entry->second, user, access));
  }
  SLIPWAY_TRY(read_cluster(cluster_entry->second, cluster, access));
  return access;
}

Result<Access> read_kubeconfig(std::string_view text, std::string_view context,
                               const std::string& folder) {
  Result<Kubeconfig> config = parse_kubeconfig(text, folder);
  if (!config) return std::unexpected(std::move(config).error());
  return access_of(*config, context);
}

Result<Access> load_kubeconfig(const std::string& path, std::string_view context) {
  return load_kubeconfigs({path}, context);
}

Result<Access> load_kubeconfigs(const std::vector<std::string>& paths, std::string_view context) {
  Kubeconfig merged;
  std::optional<Error> missing;
  bool any = false;
  for (const std::string& path : paths) {
    Result<std::string> text = file::read(path, kMaxKubeconfigBytes);
    if (!text && text.error().code == ErrorCode::kNotFound) {
      if (!missing) missing = std::move(text).error();
      continue;
    }
    if (!text) return std::unexpected(std::move(text).error());
    Result<Kubeconfig> config =
        parse_kubeconfig(*text, std::filesystem::path(path).parent_path().string());
    if (!config) {
      Error error = std::move(config).error();
      error.message = fmt::format("{}: {}", path, error.text());
      error.where = {};
      return fail(std::move(error));
    }
    merge_kubeconfig(merged, std::move(*config));
    any = true;
  }
  if (!any && missing) return fail(std::move(*missing));
  if (!any) return fail(ErrorCode::kNotFound, "no kubeconfig is named");
  Result<Access> access = access_of(merged, context);
  if (access) return access;
  Error error = std::move(access).error();
  error.message = fmt::format("{}: {}", fmt::join(paths, ":"), error.text());
  error.where = {};
  return fail(std::move(error));
}

std::vector<std::string> split_kubeconfig_paths(std::string_view paths) {
  std::vector<std::string> parts;
  while (!paths.empty()) {
    std::size_t colon = std::min(paths.find(':'), paths.size());
    if (colon > 0) parts.emplace_back(paths.substr(0, colon));
    paths.remove_prefix(std::min(colon + 1, paths.size()));
  }
  return parts;
}

Result<Access> in_cluster_access(std::string_view folder) {
  const char* host = std::getenv("KUBERNETES_SERVICE_HOST");
  const char* port = std::getenv("KUBERNETES_SERVICE_PORT");
  if (!host || !*host || !port || !*port) {
    return fail(ErrorCode::kNotFound,
                "not inside a cluster: KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are "
                "not set");
  }
  const std::string account(folder);
  Access access;
  const bool v6 = std::string_view(host).find(':') != std::string_view::npos;
  access.server = fmt::format("https://{}{}{}:{}", v6 ? "[" : "", host, v6 ? "]" : "", port);
  access.token_file = account + "/token";
  if (Result<std::string> token = file::read(access.token_file, kMaxKubeconfigBytes); !token) {
    return fail(ErrorCode::kNotFound, std::move(token).error().message);
  }
  Result<std::string> ca = file::read(account + "/ca.crt", kMaxKubeconfigBytes);
  if (!ca) return fail(ErrorCode::kNotFound, std::move(ca).error().message);
  access.tls.ca_pem = std::move(*ca);
  if (Result<std::string> ns = file::read(account + "/namespace", kMaxKubeconfigBytes);
      ns && !ns->empty()) {
    while (ns->ends_with('\n')) ns->pop_back();
    access.ns = std::move(*ns);
  }
  return access;
}

}  // namespace slipway::store::kube
