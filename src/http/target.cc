#include <fmt/format.h>

#include <algorithm>

#include "http/message.h"

namespace slipway::http {

namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::unexpected<Error> bad_target(std::string_view why) {
  return fail(ErrorCode::kBadRequest, fmt::format("the request target {}", why));
}

Result<std::string> percent_decode(std::string_view text, bool plus_is_space) {
  std::string decoded;
  decoded.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '+' && plus_is_space) {
      decoded += ' ';
    } else if (text[i] != '%') {
      decoded += text[i];
    } else {
      int high = i + 1 < text.size() ? hex_digit(text[i + 1]) : -1;
      int low = i + 2 < text.size() ? hex_digit(text[i + 2]) : -1;
      if (high < 0 || low < 0) {
        return bad_target(
            fmt::format("holds {}, which is no percent-encoded byte", text.substr(i, 3)));
      }
      decoded += static_cast<char>(high * 16 + low);
      i += 2;
    }
  }
  return decoded;
}

// Proxies send the whole URL; the path begins after the authority.
Result<std::string_view> strip_authority(std::string_view raw) {
  if (raw.starts_with('/')) return raw;
  for (std::string_view scheme : {"http://", "https://"}) {
    if (!raw.starts_with(scheme)) continue;
    std::size_t end = raw.find_first_of("/?", scheme.size());
    if (end == std::string_view::npos) return std::string_view("/");
    if (raw[end] == '/') return raw.substr(end);
  }
  return bad_target("does not begin with /");
}

Result<void> parse_query(std::string_view text, Target& target) {
  while (!text.empty()) {
    std::size_t end = std::min(text.find('&'), text.size());
    std::string_view pair = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (pair.empty()) continue;
    if (target.query.size() == kMaxQueryParameters) {
      return bad_target(fmt::format("has more than {} parameters", kMaxQueryParameters));
    }
    std::size_t equals = std::min(pair.find('='), pair.size());
    auto name = percent_decode(pair.substr(0, equals), true);
    if (!name) return fail(std::move(name).error());
    auto value = percent_decode(pair.substr(std::min(equals + 1, pair.size())), true);
    if (!value) return fail(std::move(value).error());
    target.query.emplace_back(std::move(*name), std::move(*value));
  }
  return {};
}

bool is_unreserved(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '.' || c == '_' || c == '~';
}

}  // namespace

const std::string* Target::find(std::string_view name) const {
  auto it = std::find_if(query.begin(), query.end(),
                         [name](const auto& parameter) { return parameter.first == name; });
  return it == query.end() ? nullptr : &it->second;
}

Result<Target> parse_target(std::string_view raw) {
  if (std::any_of(raw.begin(), raw.end(),
                  [](char c) { return static_cast<unsigned char>(c) <= 0x20 || c == 0x7f; })) {
    return bad_target("holds a space or a control character");
  }
  auto rest = strip_authority(raw.substr(0, raw.find('#')));
  if (!rest) return fail(std::move(rest).error());
  std::size_t question = std::min(rest->find('?'), rest->size());
  auto path = percent_decode(rest->substr(0, question), false);
  if (!path) return fail(std::move(path).error());
  if (path->find('\0') != std::string::npos) return bad_target("holds a zero byte");
  Target target{.path = std::move(*path), .query = {}};
  SLIPWAY_TRY(parse_query(rest->substr(std::min(question + 1, rest->size())), target));
  return target;
}

std::string percent_encode(std::string_view text) {
  std::string encoded;
  encoded.reserve(text.size());
  for (char c : text) {
    if (is_unreserved(c)) {
      encoded += c;
    } else {
      fmt::format_to(std::back_inserter(encoded), "%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return encoded;
}

std::string format_query(const std::vector<std::pair<std::string, std::string>>& query) {
  std::string text;
  for (const auto& [name, value] : query) {
    if (!text.empty()) text += '&';
    text += percent_encode(name) + '=' + percent_encode(value);
  }
  return text;
}

}  // namespace slipway::http
