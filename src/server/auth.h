#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "http/message.h"
#include "server/route.h"

// Who asks, and what they may do.
namespace slipway::server {

enum class Role { kAdmin, kView };
struct User {
  Role role = Role::kView;
  std::string name = {};
  std::vector<std::string> groups;
};

// Two bearer tokens; an empty one lets nobody in. Tokens are compared in a time that does not
// depend on their content.
class Tokens {
 public:
  Tokens(std::string admin, std::string view) : admin_(std::move(admin)), view_(std::move(view)) {}
  std::optional<User> find(const http::Headers& headers) const;

 private:
  std::string admin_;
  std::string view_;
};

// What is to be done to what. `path` for requests that name no resource.
struct Access {
  std::string verb = {};
  std::string group = {};
  std::string resource = {};
  std::string subresource = {};
  std::string ns = {};
  std::string name = {};
  std::string path = {};
};
Access access_of(const Route& route);

// admin may do everything. view may read everything but Secrets, and ask what it may do.
bool may(Role role, const Access& access);
// 403 in Kubernetes' words.
Error forbidden(const User& user, const Access& access);

// There are two roles and no way from one to another: a request that asks to be treated as somebody
// else's is refused (403), never carried out as the caller's own.
Result<> refuse_impersonation(const http::Headers& headers, const User& user);

// Health is open to everybody.
bool needs_no_token(std::string_view path);

// Whether the Host header names one of `hosts` (any port), or is the very address the request came
// to (`local`), as a kubelet asks a Pod. A browser led here by a foreign name sends that name.
bool host_is_ours(std::string_view host, const std::vector<std::string>& hosts,
                  std::string_view local);

}  // namespace slipway::server
