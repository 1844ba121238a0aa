#include "server/media.h"

#include <algorithm>
#include <charconv>

#include "base/text.h"

namespace slipway::server {
namespace {

using text::lower;
using text::trim;

// Cuts off and returns what is before `separator`.
std::string_view take(std::string_view& text, char separator) {
  auto end = text.find(separator);
  auto piece = text.substr(0, end);
  text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  return trim(piece);
}

std::optional<Accepted> accept_one(const MediaType& media) {
  Accepted accepted;
  if (media.type == "application/yaml") {
    accepted.yaml = true;
  } else if (media.type != "application/json" && media.type != "application/*" &&
             media.type != "*/*") {
    return std::nullopt;
  }
  auto as = media.parameter("as");
  if (as.empty()) return accepted;
  auto version = media.parameter("v");
  if (media.parameter("g") != "meta.k8s.io" || (version != "v1" && version != "v1beta1"))
    return std::nullopt;
  accepted.meta_version = version;
  if (as == "Table") {
    accepted.form = Accepted::Form::kTable;
  } else if (as == "PartialObjectMetadata" || as == "PartialObjectMetadataList") {
    accepted.form = Accepted::Form::kMetadata;
  } else {
    return std::nullopt;
  }
  return accepted;
}

}  // namespace

std::string_view MediaType::parameter(std::string_view name) const {
  for (const auto& [key, value] : parameters)
    if (key == name) return value;
  return {};
}

MediaType parse_media_type(std::string_view header) {
  MediaType media;
  media.type = lower(take(header, ';'));
  while (!header.empty()) {
    auto parameter = take(header, ';');
    auto key = lower(take(parameter, '='));
    auto value = trim(parameter);
    if (value.size() >= 2 && value.front() == '"' && value.back() == '"')
      value = value.substr(1, value.size() - 2);
    if (key == "q") {
      double quality = 0;
      auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), quality);
      if (error == std::errc() && quality >= 0 && quality <= 1) media.quality = quality;
    } else if (!key.empty()) {
      media.parameters.emplace_back(std::move(key), value);
    }
  }
  return media;
}

std::vector<MediaType> parse_accept(std::string_view header) {
  std::vector<MediaType> clauses;
  while (!header.empty() && clauses.size() < kMaxAcceptClauses) {
    auto clause = take(header, ',');
    if (clause.empty()) continue;
    auto media = parse_media_type(clause);
    auto place =
        std::ranges::upper_bound(clauses, media.quality, std::greater(), &MediaType::quality);
    clauses.insert(place, std::move(media));
  }
  return clauses;
}

std::optional<Accepted> negotiate(std::string_view accept) {
  if (trim(accept).empty()) return Accepted{};
  for (const auto& media : parse_accept(accept)) {
    if (media.quality == 0) continue;
    if (auto accepted = accept_one(media)) return accepted;
  }
  return std::nullopt;
}

}  // namespace slipway::server
