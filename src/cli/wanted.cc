#include "cli/wanted.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>

#include "http/message.h"

namespace slipway::cli {

namespace {

bool has_slash(std::string_view word) { return word.find('/') != std::string_view::npos; }

// TYPE NAME…
Result<> check_names(const std::vector<std::string>& words) {
  for (const auto& word : words | std::views::drop(1))
    if (has_slash(word))
      return fail(ErrorCode::kInvalid,
                  fmt::format("\"{}\" is no name; write the name alone after its type", word));
  return {};
}

// TYPE/NAME…
Result<> check_pairs(const std::vector<std::string>& words) {
  for (const auto& word : words) {
    const auto slash = word.find('/');
    if (slash == std::string::npos || slash == 0 || slash + 1 == word.size())
      return fail(ErrorCode::kInvalid,
                  fmt::format("\"{}\" is not TYPE/NAME, like the words before it", word));
    if (has_slash(word.substr(slash + 1)))
      return fail(
          ErrorCode::kInvalid,
          fmt::format("\"{}\" is not TYPE/NAME; write the name alone after the slash", word));
  }
  return {};
}

Result<> check_words(const std::vector<std::string>& words) {
  if (words.empty())
    return fail(ErrorCode::kInvalid,
                "say what: a type (rollouts), or a type and a name (rollout web)");
  if (std::ranges::any_of(words, &std::string::empty))
    return fail(ErrorCode::kInvalid,
                "a resource name may not be empty; is a variable of your script unset?");
  return has_slash(words.front()) ? check_pairs(words) : check_names(words);
}

std::string contradiction(const Choice& choice) {
  const auto& words = choice.words;
  const bool pairs = has_slash(words.front());
  const std::size_t names = pairs ? words.size() : words.size() - 1;
  const bool selected = !choice.selector.empty() || !choice.field_selector.empty();
  if (names > 0 && selected) return "name cannot be provided when a selector is specified";
  if (names > 0 && choice.all) return "name cannot be provided when --all is given";
  if (choice.all && selected) return "--all and a selector contradict each other; give one of them";
  if (names > 0 && choice.all_namespaces)
    return "a resource cannot be retrieved by name across all namespaces";
  if (choice.must_choose && names == 0 && !selected && !choice.all)
    return "say which: names, a label selector with -l, or --all";
  if (choice.watch && names > 1)
    return fmt::format(
        "watch is only supported on individual resources and resource collections - {} resources "
        "were found",
        names);
  if (choice.watch && words.front().find(',') != std::string::npos)
    return "you may only specify a single resource type with --watch";
  return {};
}

}  // namespace

Result<> check_choice(const Choice& choice) {
  SLIPWAY_TRY(check_words(choice.words));
  if (const std::string problem = contradiction(choice); !problem.empty())
    return fail(ErrorCode::kInvalid, problem);
  return {};
}

ServedKind argo_kind(std::string singular, std::string kind, std::string short_name) {
  return {.group = "argoproj.io",
          .version = "v1alpha1",
          .plural = singular + "s",
          .singular = std::move(singular),
          .kind = std::move(kind),
          .short_names = {std::move(short_name)}};
}

Result<std::string> parse_name(const ServedKind& kind, const std::string& word) {
  const auto slash = word.rfind('/');
  if (slash == std::string::npos) return word;
  const std::string name = word.substr(slash + 1);
  if (!name.empty() && find_served({kind}, word.substr(0, slash)) != nullptr) return name;
  return fail(ErrorCode::kInvalid, fmt::format("\"{}\" is no {}; write the name alone, or {}/NAME",
                                               word, kind.kind, kind.singular));
}

Task<Result<std::vector<Wanted>>> find_wanted(Session& session, std::vector<std::string> words) {
  std::vector<Wanted> wanted;
  if (!has_slash(words.front())) {
    auto kinds = co_await session.find_kinds(words.front());
    if (!kinds) co_return std::unexpected(kinds.error());
    for (auto& kind : *kinds) wanted.push_back({std::move(kind), {words.begin() + 1, words.end()}});
    co_return wanted;
  }
  for (const auto& word : words) {
    const auto slash = word.find('/');
    auto kind = co_await session.find_kind(word.substr(0, slash));
    if (!kind) co_return std::unexpected(kind.error());
    wanted.push_back({std::move(*kind), {word.substr(slash + 1)}});
  }
  co_return wanted;
}

Task<Result<std::vector<Target>>> find_targets(Session& session, std::vector<std::string> words,
                                               std::string selector) {
  auto wanted = co_await find_wanted(session, std::move(words));
  if (!wanted) co_return std::unexpected(wanted.error());
  std::vector<Target> targets;
  for (const auto& one : *wanted) {
    for (const auto& name : one.names) targets.push_back({one.kind, session.ns(), name});
    if (!one.names.empty()) continue;
    std::string path = one.kind.path(session.ns());
    if (!selector.empty()) path += "?" + http::format_query({{"labelSelector", selector}});
    auto list = co_await session.send({.target = std::move(path)});
    if (!list) co_return std::unexpected(list.error());
    for (const auto& item : list->at("items").get_array())
      targets.push_back(
          {one.kind, session.ns(), std::string(json::string_at(item, {"metadata", "name"}))});
  }
  co_return targets;
}

}  // namespace slipway::cli
