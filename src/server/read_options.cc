#include "server/read_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "api/rules/validate.h"

namespace slipway::server {
namespace {

template <class Integer>
Result<std::optional<Integer>> integer_parameter(const Call& call, std::string_view name) {
  auto text = call.parameter(name);
  if (text.empty()) return std::optional<Integer>();
  Integer number{};
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size())
    return fail(ErrorCode::kBadRequest,
                fmt::format("strconv.ParseInt: parsing \"{}\": invalid syntax", text));
  return std::optional<Integer>(number);
}

Error list_options_error(const api::Findings& findings) {
  return findings.error({"meta.k8s.io", "v1", "ListOptions"}, "");
}

// The contradictions Kubernetes refuses.
void check_match(const ReadOptions& options, bool has_version, bool watching,
                 api::Findings& findings) {
  constexpr auto kField = "resourceVersionMatch";
  const auto& match = options.version_match;
  if (watching && options.send_initial_events && match != "NotOlderThan")
    findings.forbidden(kField,
                       "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan");
  if (!watching && options.send_initial_events)
    findings.forbidden("sendInitialEvents", "sendInitialEvents is forbidden for list");
  if (match.empty()) return;
  if (watching && !options.send_initial_events)
    findings.forbidden(
        kField, "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided");
  if (!watching && !has_version)
    findings.forbidden(kField,
                       "resourceVersionMatch is forbidden unless resourceVersion is provided");
  if (!options.continue_token.empty())
    findings.forbidden(kField, "resourceVersionMatch is forbidden when continue is provided");
  if (match != "NotOlderThan" && (watching || match != "Exact"))
    findings.not_supported(kField, json::Value(match),
                           watching ? std::vector<std::string>{"NotOlderThan"}
                                    : std::vector<std::string>{"Exact", "NotOlderThan", ""});
  if (!watching && match == "Exact" && options.version == store::Version{0})
    findings.forbidden(kField,
                       "resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\"");
}

std::string unknown_field_label(const api::Resource& resource, std::string_view path) {
  if (resource.native && resource.selectable_fields.empty())
    return fmt::format(
        "\"{}\" is not a known field selector: only \"metadata.name\", \"metadata.namespace\"",
        path);
  if (resource.native && resource.gvk.kind == "Job")
    return fmt::format("field label \"{}\" not supported for Job", path);
  return fmt::format("field label not supported: {}", path);
}

Result<> check_field_labels(const api::FieldSelector& selector, const api::Resource& resource) {
  for (const auto& requirement : selector.requirements) {
    const auto& path = requirement.path;
    if (path == "metadata.name" || path == "metadata.namespace") continue;
    if (std::ranges::find(resource.selectable_fields, path) != resource.selectable_fields.end())
      continue;
    return fail(ErrorCode::kBadRequest, unknown_field_label(resource, path));
  }
  return {};
}

Result<> read_selectors(const Call& call, ReadOptions& options) {
  auto labels = api::parse_label_selector(call.parameter("labelSelector"));
  if (!labels) return fail(ErrorCode::kBadRequest, labels.error().text());
  options.labels = std::move(*labels);
  auto fields = api::parse_field_selector(call.parameter("fieldSelector"));
  if (!fields) return fail(ErrorCode::kBadRequest, fields.error().text());
  options.fields = std::move(*fields);
  SLIPWAY_TRY(check_selector_terms(options.labels.requirements.size() +
                                   options.fields.requirements.size()));
  SLIPWAY_TRY(check_field_labels(options.fields, *call.resource));
  // The old /watch/ paths name one object; a watch of one object is a watch with this selector.
  if (!call.route.name.empty())
    options.fields.requirements.push_back({"metadata.name", true, call.route.name});
  return {};
}

}  // namespace

Result<> check_selector_terms(std::size_t count) {
  if (count <= kMaxSelectorTerms) return {};
  return fail(ErrorCode::kBadRequest,
              fmt::format("labelSelector and fieldSelector have {} terms together; send at most {}",
                          count, kMaxSelectorTerms));
}

Result<std::optional<store::Version>> version_parameter(const Call& call) {
  auto text = call.parameter("resourceVersion");
  if (text.empty()) return std::optional<store::Version>();
  store::Version version = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), version);
  if (error == std::errc() && end == text.data() + text.size())
    return std::optional<store::Version>(version);
  return fail(ErrorCode::kBadRequest,
              fmt::format("resourceVersion: Invalid value: \"{}\": strconv.ParseUint: parsing "
                          "\"{}\": invalid syntax",
                          text, text));
}

Result<ReadOptions> read_options(const Call& call) {
  ReadOptions options;
  bool watching = call.route.verb == Verb::kWatch;
  options.ns = call.ns();
  SLIPWAY_TRY(read_selectors(call, options));
  auto limit = integer_parameter<std::int64_t>(call, "limit");
  if (!limit) return std::unexpected(limit.error());
  options.limit = static_cast<std::size_t>(std::max<std::int64_t>(limit->value_or(0), 0));
  options.continue_token = call.parameter("continue");
  auto timeout = integer_parameter<std::int64_t>(call, "timeoutSeconds");
  if (!timeout) return std::unexpected(timeout.error());
  constexpr std::int64_t kLongest = 24 * 3600;
  if (*timeout && **timeout > 0)
    options.timeout = std::chrono::seconds(std::min(**timeout, kLongest));
  auto version = version_parameter(call);
  if (!version)
    return fail(ErrorCode::kBadRequest, "invalid resource version: " + version.error().text());
  options.version = *version;
  options.version_match = call.parameter("resourceVersionMatch");
  options.bookmarks = flag(call.request.target, "allowWatchBookmarks");
  if (call.request.target.find("sendInitialEvents"))
    options.send_initial_events = flag(call.request.target, "sendInitialEvents");
  api::Findings findings;
  check_match(options, version->has_value(), watching, findings);
  if (!findings.empty()) return fail(list_options_error(findings));
  if (!options.continue_token.empty() && options.version.value_or(0) != 0)
    return fail(ErrorCode::kBadRequest,
                "specifying resource version is not allowed when using continue");
  return options;
}

Error too_new(store::Version asked, store::Version current) {
  return {.code = ErrorCode::kTimeout,
          .message =
              fmt::format("Timeout: Too large resource version: {}, current: {}", asked, current),
          .causes = {{.reason = "ResourceVersionTooLarge",
                      .message = "Too large resource version",
                      .field = ""}}};
}

}  // namespace slipway::server
