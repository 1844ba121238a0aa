#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// The indexes of an Indexed Job as its status writes them: "1,3-5,7".
namespace slipway::api {

// What is wrong with a list, all below `completions` and growing; empty when it is fine.
std::string index_list_problem(std::string_view indexes, std::int64_t completions);

struct IndexInterval {
  std::int64_t first = 0;
  std::int64_t last = 0;
};
// The parts of a list, all below `completions`. What cannot be read is passed over.
std::vector<IndexInterval> read_index_list(std::string_view indexes, std::int64_t completions);

// The first index that is in both lists. Parts that cannot be read are passed over: they are
// reported by index_list_problem.
std::optional<std::int64_t> shared_index(std::string_view one, std::string_view other,
                                         std::int64_t completions);

}  // namespace slipway::api
