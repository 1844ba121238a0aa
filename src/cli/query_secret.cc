#include "cli/query_secret.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/base64.h"
#include "base/file.h"
#include "base/text.h"
#include "base/yaml.h"

namespace slipway::cli {

namespace {

constexpr std::size_t kMaxSecretFile = 1024 * 1024;

constexpr std::string_view kForms =
    "write a Secret, a mapping of key to text, or lines of key=value";

// Numbers and booleans are credentials as they are written: passwords may look like either.
Result<std::string> text_of(const json::Value& value, std::string_view key) {
  if (value.is_string()) return std::string(value.get_string());
  if (value.is_bool() || value.is_number()) return json::write(value);
  return fail(ErrorCode::kInvalid, "is no text; write it in quotes", std::string(key));
}

Result<> add_all(metrics::Credentials& credentials, const json::Object& object) {
  for (const auto& member : object) {
    auto text = text_of(member.value(), member.key());
    if (!text) return std::unexpected(std::move(text).error());
    credentials.insert_or_assign(std::string(member.key()), std::move(*text));
  }
  return {};
}

Result<> add_encoded(metrics::Credentials& credentials, const json::Object& data) {
  for (const auto& member : data) {
    const std::string where = fmt::format("data.{}", std::string_view(member.key()));
    if (!member.value().is_string())
      return fail(ErrorCode::kInvalid, "is no text; `data` holds base64", where);
    auto bytes = base64_decode(member.value().get_string());
    // The decoder's own message would show a byte of the secret.
    if (!bytes)
      return fail(ErrorCode::kInvalid, "is no base64; plain text belongs into stringData", where);
    credentials.insert_or_assign(std::string(member.key()), std::move(*bytes));
  }
  return {};
}

Result<metrics::Credentials> from_secret(const json::Value& secret) {
  metrics::Credentials credentials;
  if (const auto* data = json::at(secret, {"data"}); data && data->is_object())
    SLIPWAY_TRY(add_encoded(credentials, data->get_object()));
  if (const auto* plain = json::at(secret, {"stringData"}); plain && plain->is_object())
    SLIPWAY_TRY(add_all(credentials, plain->get_object()));
  return credentials;
}

std::string unquoted(std::string_view text) {
  const bool quoted = text.size() > 1 && text.front() == text.back() &&
                      (text.front() == '"' || text.front() == '\'');
  return std::string(quoted ? text.substr(1, text.size() - 2) : text);
}

Result<metrics::Credentials> from_lines(std::string_view text) {
  metrics::Credentials credentials;
  int number = 0;
  for (const auto& raw : text::split(text, '\n')) {
    ++number;
    std::string_view line = text::trim(raw);
    if (line.empty() || line.front() == '#') continue;
    constexpr std::string_view kExport = "export ";
    if (line.starts_with(kExport)) line = text::trim(line.substr(kExport.size()));
    const auto equals = line.find('=');
    if (equals == 0 || equals == std::string_view::npos)
      return fail(ErrorCode::kInvalid, fmt::format("is no key=value; {}", kForms),
                  fmt::format("line {}", number));
    credentials.insert_or_assign(std::string(text::trim(line.substr(0, equals))),
                                 unquoted(text::trim(line.substr(equals + 1))));
  }
  return credentials;
}

// A line of key=value is a YAML text, too; only a mapping is taken for YAML.
bool looks_like_lines(std::string_view text) {
  for (const auto& raw : text::split(text, '\n')) {
    const std::string_view line = text::trim(raw);
    if (line.empty() || line.front() == '#') continue;
    const auto equals = line.find('=');
    return line.front() != '{' && equals != std::string_view::npos && equals < line.find(':');
  }
  return false;
}

Result<metrics::Credentials> parse(std::string_view text) {
  if (looks_like_lines(text)) return from_lines(text);
  auto documents = yaml::read(text);
  // The parser's message may quote what it stumbled over.
  if (!documents)
    return fail(ErrorCode::kInvalid, fmt::format("is not readable as YAML or JSON; {}", kForms));
  if (documents->size() != 1 || !documents->front().value.is_object())
    return fail(ErrorCode::kInvalid, fmt::format("is no mapping; {}", kForms));
  const json::Value& value = documents->front().value;
  if (json::string_at(value, {"kind"}) == "Secret") return from_secret(value);
  metrics::Credentials credentials;
  SLIPWAY_TRY(add_all(credentials, value.get_object()));
  return credentials;
}

}  // namespace

Result<metrics::Credentials> read_credentials(std::string_view text) {
  auto credentials = parse(text);
  if (credentials && credentials->empty())
    return fail(ErrorCode::kInvalid, fmt::format("holds no credentials; {}", kForms));
  return credentials;
}

Result<metrics::Credentials> read_credentials_file(const std::string& path) {
  auto text = file::read(path, kMaxSecretFile);
  if (!text) return std::unexpected(std::move(text).error());
  auto credentials = read_credentials(*text);
  if (!credentials) {
    auto error = std::move(credentials).error();
    error.where = error.where.empty() ? path : fmt::format("{}: {}", path, error.where);
    return std::unexpected(std::move(error));
  }
  return credentials;
}

}  // namespace slipway::cli
