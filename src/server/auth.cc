#include "server/auth.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace slipway::server {
namespace {

// Looks at every byte of the given text, whatever differs and wherever.
bool same_secret(std::string_view given, std::string_view secret) {
  if (secret.empty()) return false;
  unsigned difference = given.size() == secret.size() ? 0 : 1;
  for (std::size_t i = 0; i < given.size(); ++i)
    difference |= static_cast<unsigned>(static_cast<unsigned char>(given[i]) ^
                                        static_cast<unsigned char>(secret[i % secret.size()]));
  return difference == 0;
}

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  return std::ranges::equal(
      a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

bool is_self_review(const Access& access) {
  return (access.group == "authorization.k8s.io" &&
          (access.resource == "selfsubjectaccessreviews" ||
           access.resource == "selfsubjectrulesreviews")) ||
         (access.group == "authentication.k8s.io" && access.resource == "selfsubjectreviews");
}

}  // namespace

std::optional<User> Tokens::find(const http::Headers& headers) const {
  constexpr std::string_view kScheme = "Bearer ";
  auto header = headers.get("Authorization");
  if (header.size() < kScheme.size() ||
      !equal_ignoring_case(header.substr(0, kScheme.size()), kScheme))
    return std::nullopt;
  auto token = header.substr(kScheme.size());
  bool admin = same_secret(token, admin_);
  bool view = same_secret(token, view_);
  if (admin) return User{Role::kAdmin, "admin", {"system:masters", "system:authenticated"}};
  if (view) return User{Role::kView, "view", {"system:authenticated"}};
  return std::nullopt;
}

Access access_of(const Route& route) {
  if (!route.is_resource) return {.verb = route.verb_text(), .path = route.path};
  return {.verb = route.verb_text(),
          .group = route.group,
          .resource = route.resource,
          .subresource = route.subresource,
          .ns = route.ns,
          .name = route.name};
}

bool may(Role role, const Access& access) {
  if (role == Role::kAdmin) return true;
  bool reads = access.verb == "get" || access.verb == "list" || access.verb == "watch" ||
               access.verb == "head";
  if (!access.path.empty()) return reads;
  if (is_self_review(access)) return access.verb == "create";
  bool of_secrets = access.group.empty() && access.resource == "secrets";
  // A wildcard asks for everything at once, Secrets included.
  return reads && !of_secrets && access.resource != "*";
}

Error forbidden(const User& user, const Access& access) {
  if (!access.path.empty())
    return {.code = ErrorCode::kForbidden,
            .message = fmt::format("forbidden: User \"{}\" cannot {} path \"{}\"", user.name,
                                   access.verb, access.path)};
  std::string what = access.resource;
  if (!access.group.empty()) what += "." + access.group;
  if (!access.name.empty()) what += fmt::format(" \"{}\"", access.name);
  std::string resource = access.resource;
  if (!access.subresource.empty()) resource += "/" + access.subresource;
  std::string scope = access.ns.empty() ? "at the cluster scope"
                                        : fmt::format("in the namespace \"{}\"", access.ns);
  return {.code = ErrorCode::kForbidden,
          .message = fmt::format(
              "{} is forbidden: User \"{}\" cannot {} resource \"{}\" in API group \"{}\" {}", what,
              user.name, access.verb, resource, access.group, scope)};
}

Result<> refuse_impersonation(const http::Headers& headers, const User& user) {
  for (const auto& [name, value] : headers.all()) {
    constexpr std::string_view kPrefix = "Impersonate-";
    if (name.size() < kPrefix.size() ||
        !http::same_name(std::string_view(name).substr(0, kPrefix.size()), kPrefix))
      continue;
    const bool group = http::same_name(name, "Impersonate-Group");
    return fail(forbidden(
        user, {.verb = "impersonate", .resource = group ? "groups" : "users", .name = value}));
  }
  return {};
}

bool needs_no_token(std::string_view path) {
  for (std::string_view open : {"/healthz", "/livez", "/readyz"}) {
    if (path == open || (path.starts_with(open) && path[open.size()] == '/')) return true;
  }
  return false;
}

bool host_is_ours(std::string_view host, const std::vector<std::string>& hosts,
                  std::string_view local) {
  if (host.starts_with('[')) {
    auto end = host.find(']');
    if (end == std::string_view::npos) return false;
    host = host.substr(1, end - 1);
  } else {
    host = host.substr(0, host.find(':'));
  }
  if (host.ends_with('.')) host.remove_suffix(1);
  if (!local.empty() && equal_ignoring_case(host, local)) return true;
  return std::ranges::any_of(
      hosts, [&](const std::string& ours) { return equal_ignoring_case(host, ours); });
}

}  // namespace slipway::server
