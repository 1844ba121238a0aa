#include <fmt/format.h>

#include "cli/get.h"

namespace slipway::cli {

Task<Result<std::vector<Wanted>>> find_wanted(Session& session, std::vector<std::string> words) {
  std::vector<Wanted> wanted;
  if (words.empty())
    co_return fail(ErrorCode::kInvalid,
                   "say what: a type (rollouts), or a type and a name (rollout web)");
  if (words.front().find('/') == std::string::npos) {
    auto kinds = co_await session.find_kinds(words.front());
    if (!kinds) co_return std::unexpected(kinds.error());
    for (auto& kind : *kinds) wanted.push_back({std::move(kind), {words.begin() + 1, words.end()}});
    co_return wanted;
  }
  for (const auto& word : words) {
    const auto slash = word.find('/');
    if (slash == std::string::npos || slash + 1 == word.size())
      co_return fail(ErrorCode::kInvalid,
                     fmt::format("\"{}\" is not TYPE/NAME, like the words before it", word));
    auto kind = co_await session.find_kind(word.substr(0, slash));
    if (!kind) co_return std::unexpected(kind.error());
    wanted.push_back({std::move(*kind), {word.substr(slash + 1)}});
  }
  co_return wanted;
}

}  // namespace slipway::cli
