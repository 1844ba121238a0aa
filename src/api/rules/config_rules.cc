#include <fmt/format.h>

#include "api/rules/kind_rules.h"
#include "base/base64.h"

// ConfigMaps and Secrets.
namespace slipway::api {

namespace {

constexpr std::size_t kMaxDataBytes = 1024 * 1024;
constexpr std::string_view kLocked = "field is immutable when `immutable` is set";

std::size_t decoded_size(std::string_view base64_text) {
  std::size_t size = base64_text.size() / 4 * 3;
  while (size > 0 && base64_text.ends_with('=')) {
    base64_text.remove_suffix(1);
    --size;
  }
  return size;
}

// stringData is for writing only: it becomes data.
void default_secret(json::Object& secret) {
  default_text(secret, "type", "Opaque");
  const json::Object* plain = existing_object(secret, "stringData");
  json::Object* data =
      plain != nullptr && !plain->empty() ? member_object(secret, "data") : nullptr;
  if (data != nullptr) {
    plain = existing_object(secret, "stringData");  // `data` may have moved it
    for (const auto& [key, text] : *plain)
      if (text.is_string()) (*data)[key] = base64_encode(text.get_string());
  }
  json::erase(secret, "stringData");
}

void check_keys(const Place& data, Findings& findings) {
  for (const std::string_view key : data.keys())
    if (std::string problem = config_key_problem(key); !problem.empty())
      findings.invalid(data.key(key).path(), json::Value(key), std::move(problem));
}

void check_locked(const json::Object& object, const json::Object* old,
                  std::initializer_list<std::string_view> fields, Findings& findings) {
  if (old == nullptr || !Place::of(*old, "immutable").truth()) return;
  if (!Place::of(object, "immutable").truth())
    findings.forbidden("immutable", std::string(kLocked));
  for (const std::string_view field : fields) {
    const Place now = Place::of(object, field);
    const Place before = Place::of(*old, field);
    const bool both_empty = now.size() == 0 && before.size() == 0;
    if (!both_empty && !json::same(now.value(), before.value()))
      findings.forbidden(std::string(field), std::string(kLocked));
  }
}

void check_config_map(const json::Object& object, const json::Object* old, Findings& findings) {
  check_locked(object, old, {"data", "binaryData"}, findings);
  const Place data = Place::of(object, "data");
  const Place binary = Place::of(object, "binaryData");
  check_keys(data, findings);
  check_keys(binary, findings);
  std::size_t bytes = 0;
  for (const std::string_view key : data.keys()) {
    bytes += data.key(key).text().size();
    if (binary.key(key).present())
      findings.invalid(data.key(key).path(), json::Value(key),
                       "duplicate of key present in binaryData");
  }
  for (const std::string_view key : binary.keys()) bytes += decoded_size(binary.key(key).text());
  if (bytes > kMaxDataBytes) findings.too_long("", kMaxDataBytes);
}

void check_secret_type(const json::Object& secret, Findings& findings) {
  const std::string_view type = Place::of(secret, "type").text();
  const Place data = Place::of(secret, "data");
  const auto require = [&](std::string_view key) {
    if (!data.key(key).present()) findings.required(data.key(key).path());
  };
  constexpr std::string_view kAccount = "kubernetes.io/service-account.name";
  const Place account = Place::of(secret, "metadata")["annotations"].key(kAccount);
  if (type == "kubernetes.io/service-account-token" && account.empty())
    findings.required(account.path());
  if (type == "kubernetes.io/dockercfg") require(".dockercfg");
  if (type == "kubernetes.io/dockerconfigjson") require(".dockerconfigjson");
  if (type == "kubernetes.io/ssh-auth") require("ssh-privatekey");
  if (type == "kubernetes.io/tls") {
    require("tls.crt");
    require("tls.key");
  }
  if (type == "kubernetes.io/basic-auth" && !data.key("username").present() &&
      !data.key("password").present()) {
    require("username");
    require("password");
  }
}

void check_secret(const json::Object& secret, const json::Object* old, Findings& findings) {
  if (old != nullptr) check_immutable(Place::of(secret, "type"), Place::of(*old, "type"), findings);
  check_locked(secret, old, {"data"}, findings);
  const Place data = Place::of(secret, "data");
  check_keys(data, findings);
  std::size_t bytes = 0;
  for (const std::string_view key : data.keys()) bytes += decoded_size(data.key(key).text());
  if (bytes > kMaxDataBytes) findings.too_long("data", kMaxDataBytes);
  check_secret_type(secret, findings);
}

}  // namespace

KindRules config_map_rules() { return {.validate = check_config_map}; }
KindRules secret_rules() { return {.set_defaults = default_secret, .validate = check_secret}; }

}  // namespace slipway::api
