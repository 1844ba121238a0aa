#include "scenario/player/expectation.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "api/kinds/argo_names.h"
#include "api/object.h"
#include "scenario/player/kinds.h"
#include "store/decode.h"

namespace slipway::scenario {

namespace {

using How = Comparison::How;

constexpr std::string_view kMissing = "none";

struct Sign {
  std::string_view text;
  How how;
};
constexpr Sign kSigns[] = {{"!=", How::kDifferent},
                           {">=", How::kAtLeast},
                           {"<=", How::kAtMost},
                           {"=", How::kEqual},
                           {"~", How::kContains}};

// Short names of what scripts look at most.
struct ShortName {
  const api::Gvr* kind;  // null: any
  std::string_view name;
  std::string_view path;
};
const ShortName kShortNames[] = {{nullptr, "phase", "status.phase"},
                                 {nullptr, "message", "status.message"},
                                 {&kRollouts, "step", "status.currentStepIndex"},
                                 {&kRollouts, "weight", "status.canary.weights.canary.weight"},
                                 {&kRollouts, "abort", "status.abort"},
                                 {&kPods, "image", "spec.containers.0.image"},
                                 {&kReplicaSets, "image", "spec.template.spec.containers.0.image"},
                                 {nullptr, "replicas", "spec.replicas"}};

Result<Comparison> parse_comparison(const std::string& word) {
  std::size_t first = std::string::npos;
  const Sign* sign = nullptr;
  for (const Sign& one : kSigns)
    if (const auto found = word.find(one.text); found < first) {
      first = found;
      sign = &one;
    }
  if (!sign || first == 0)
    return fail(ErrorCode::kInvalid,
                fmt::format("\"{}\" compares nothing; write phase=Healthy", word));
  return Comparison{word.substr(0, first), sign->how, word.substr(first + sign->text.size())};
}

std::optional<double> number_of(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

bool holds(const Comparison& wanted, const std::string& found) {
  switch (wanted.how) {
    case How::kEqual:
      return found == wanted.value;
    case How::kDifferent:
      return found != wanted.value;
    case How::kContains:
      return found.contains(wanted.value);
    case How::kAtLeast:
    case How::kAtMost:
      break;
  }
  const auto is = number_of(found), limit = number_of(wanted.value);
  if (!is || !limit) return false;
  return wanted.how == How::kAtLeast ? *is >= *limit : *is <= *limit;
}

// Dots between keys, numbers for places in lists; a key with dots in brackets: labels[a.b/c].
std::string value_at(const json::Value& object, std::string_view path) {
  const json::Value* at = &object;
  while (!path.empty() && at) {
    std::size_t end = path.find_first_of(".[");
    std::string_view key = path.substr(0, end);
    std::string_view rest = end == std::string_view::npos ? "" : path.substr(end + 1);
    if (end != std::string_view::npos && path[end] == '[' && key.empty()) {
      const auto close = path.find(']');
      key = path.substr(1, close - 1);
      rest = close + 1 < path.size() ? path.substr(close + 2) : "";
    } else if (end != std::string_view::npos && path[end] == '[') {
      rest = path.substr(end);
    }
    if (at->is_array()) {
      const auto place = number_of(key);
      const auto& list = at->get_array();
      at = place && *place < static_cast<double>(list.size())
               ? &list[static_cast<std::size_t>(*place)]
               : nullptr;
    } else {
      at = at->is_object() ? at->get_object().if_contains(key) : nullptr;
    }
    path = rest;
  }
  if (!at || at->is_null()) return std::string(kMissing);
  return at->is_string() ? std::string(at->get_string()) : json::write(*at);
}

std::string tag_of(const json::Value& set) {
  const std::string image = value_at(set, "spec.template.spec.containers.0.image");
  return image.substr(image.find(':') + 1);
}

// v1:3/3,v2:1/0 — wanted and available, by revision; sets that are down are left out.
std::string sizes_of(const std::vector<json::Value>& sets) {
  std::string text;
  for (const json::Value& set : sets) {
    const std::string wanted = value_at(set, "spec.replicas");
    std::string available = value_at(set, "status.availableReplicas");
    if (available == kMissing) available = "0";
    const std::string current = value_at(set, "status.replicas");
    if (wanted == "0" && available == "0" && (current == "0" || current == kMissing)) continue;
    text += fmt::format("{}{}:{}/{}", text.empty() ? "" : ",", tag_of(set), wanted, available);
  }
  return text.empty() ? std::string(kMissing) : text;
}

std::string stable_of(const json::Value& rollout, const std::vector<json::Value>& sets) {
  const std::string hash = value_at(rollout, "status.stableRS");
  for (const json::Value& set : sets)
    if (value_at(set, fmt::format("metadata.labels[{}]", api::argo::kHashLabel)) == hash)
      return tag_of(set);
  return std::string(kMissing);
}

bool is_ready(const json::Value& pod) {
  const json::Value* conditions = json::at(pod, {"status", "conditions"});
  if (!conditions || !conditions->is_array()) return false;
  return std::ranges::any_of(conditions->get_array(), [](const json::Value& one) {
    return json::string_at(one, {"type"}) == "Ready" && json::string_at(one, {"status"}) == "True";
  });
}

std::string field_of(const api::Gvr& kind, const json::Value& object,
                     const std::vector<json::Value>& sets, std::string_view field) {
  if (field == "sets") return sizes_of(sets);
  if (field == "stable") return stable_of(object, sets);
  if (field == "ready" && kind == kPods) return is_ready(object) ? "true" : "false";
  for (const auto& [of, name, path] : kShortNames)
    if ((!of || *of == kind) && name == field) return value_at(object, path);
  return value_at(object, field);
}

std::string describe(const api::Gvr& kind, const json::Value& object,
                     const std::vector<json::Value>& sets) {
  std::string text =
      fmt::format("phase {} ({}), step {}", value_at(object, "status.phase"),
                  value_at(object, "status.message"), value_at(object, "status.currentStepIndex"));
  if (kind == kRollouts || kind == kExperiments) text += ", sets " + sizes_of(sets);
  return text;
}

Task<Result<std::vector<json::Value>>> list(Stage& stage, api::Gvr kind) {
  auto page = co_await stage.store().list(kind, {.ns = stage.ns()});
  if (!page) co_return std::unexpected(std::move(page).error());
  std::vector<json::Value> objects;
  for (const auto& item : page->items) {
    auto object = store::decode(item);
    if (!object) co_return std::unexpected(std::move(object).error());
    objects.emplace_back(std::move(*object));
  }
  co_return objects;
}

Task<Result<std::string>> check_object(Stage& stage, const Expectation& wanted) {
  auto item = co_await stage.store().get(wanted.kind, {stage.ns(), wanted.name});
  if (!item && item.error().code == ErrorCode::kNotFound)
    co_return wanted.gone ? std::string() : fmt::format("expected {}: there is none", wanted.text);
  if (!item) co_return std::unexpected(std::move(item).error());
  if (wanted.gone) co_return fmt::format("expected {}: it is there", wanted.text);
  auto document = store::decode(*item);
  if (!document) co_return std::unexpected(std::move(document).error());
  const json::Value object = std::move(*document);
  auto sets = co_await owned_sets(stage, object);
  if (!sets) co_return std::unexpected(std::move(sets).error());
  for (const Comparison& one : wanted.fields)
    if (const std::string is = field_of(wanted.kind, object, *sets, one.field); !holds(one, is))
      co_return fmt::format("expected {}: {} is {}; {}", wanted.text, one.field, is,
                            describe(wanted.kind, object, *sets));
  co_return std::string();
}

Task<Result<std::string>> check_count(Stage& stage, const Expectation& wanted) {
  auto objects = co_await list(stage, wanted.kind);
  if (!objects) co_return std::unexpected(std::move(objects).error());
  const auto count = std::ranges::count_if(*objects, [&](const json::Value& object) {
    return std::ranges::all_of(wanted.fields, [&](const Comparison& one) {
      return holds(one, field_of(wanted.kind, object, {}, one.field));
    });
  });
  if (holds(*wanted.count, std::to_string(count))) co_return std::string();
  std::string names;
  for (const json::Value& object : *objects) names += " " + value_at(object, "metadata.name");
  co_return fmt::format("expected {}: there are {}, of{}", wanted.text, count, names);
}

Task<Result<std::string>> check_events(Stage& stage, const Expectation& wanted) {
  auto events = co_await list(stage, kEvents);
  if (!events) co_return std::unexpected(std::move(events).error());
  int count = 0;
  for (const json::Value& event : *events) {
    if (json::string_at(event, {"reason"}) != wanted.name) continue;
    const auto times = number_of(value_at(event, "count"));
    count += times ? std::max(1, static_cast<int>(*times)) : 1;
  }
  Comparison compared = *wanted.count;
  // Never told twice, though perhaps not at all.
  if (stage.loses_events() && compared.how == How::kEqual) compared.how = How::kAtMost;
  if (stage.loses_events() && compared.how == How::kAtLeast) co_return std::string();
  if (holds(compared, std::to_string(count))) co_return std::string();
  co_return fmt::format("expected {}: told {} times", wanted.text, count);
}

}  // namespace

Result<Expectation> parse_expectation(const std::vector<std::string>& words) {
  Expectation wanted;
  for (const std::string& word : words) wanted.text += (wanted.text.empty() ? "" : " ") + word;
  std::size_t first = 1;
  const auto slash = words[0].find('/');
  if (words[0] == "event") {
    wanted.kind = kEvents;
    wanted.name = words[1];
    first = 2;
  } else {
    const api::Gvr* kind = find_kind(words[0].substr(0, slash));
    if (!kind) return fail(ErrorCode::kInvalid, words[0] + " is no kind");
    wanted.kind = *kind;
    if (slash != std::string::npos) wanted.name = words[0].substr(slash + 1);
  }
  for (std::size_t i = first; i < words.size(); ++i) {
    if (words[i] == "gone") {
      wanted.gone = true;
      continue;
    }
    auto one = parse_comparison(words[i]);
    if (!one) return std::unexpected(std::move(one).error());
    if (one->field == "count")
      wanted.count = std::move(*one);
    else
      wanted.fields.push_back(std::move(*one));
  }
  const bool counts = wanted.name.empty() || wanted.kind == kEvents;
  if (counts != wanted.count.has_value())
    return fail(ErrorCode::kInvalid, wanted.text + ": count=N goes with kinds and events");
  if (!counts && !wanted.gone && wanted.fields.empty())
    return fail(ErrorCode::kInvalid, wanted.text + " expects nothing");
  return wanted;
}

Task<Result<std::string>> check(Stage& stage, Expectation wanted) {
  if (wanted.kind == kEvents) co_return co_await check_events(stage, wanted);
  if (wanted.count) co_return co_await check_count(stage, wanted);
  co_return co_await check_object(stage, wanted);
}

Task<Result<std::vector<json::Value>>> owned_sets(Stage& stage, json::Value owner) {
  auto all = co_await list(stage, kReplicaSets);
  if (!all) co_return all;
  const std::string uid(api::uid_of(owner.get_object()));
  std::erase_if(*all, [&](const json::Value& set) {
    const auto controller = api::controller_of(set.get_object());
    return !controller || controller->uid != uid;
  });
  std::ranges::sort(*all, {}, [](const json::Value& set) {
    const auto revision = number_of(api::annotation_of(set.get_object(), api::argo::kRevision));
    return std::pair(revision.value_or(0), std::string(api::name_of(set.get_object())));
  });
  co_return all;
}

const json::Value* find_revision(const std::vector<json::Value>& sets, int revision) {
  if (revision == 0) return sets.size() < 2 ? nullptr : &sets[sets.size() - 2];
  for (const json::Value& set : sets)
    if (api::annotation_of(set.get_object(), api::argo::kRevision) == std::to_string(revision))
      return &set;
  return nullptr;
}

}  // namespace slipway::scenario
