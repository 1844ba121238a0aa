#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/time.h"

// Rollouts and Experiments with all that belongs to them, as text for people. Pure.
namespace slipway::cli {

// Lines of a tree, those beyond are counted and left out.
inline constexpr std::size_t kMaxTreeLines = 2000;

enum class Tone { kPlain, kGood, kBad, kWaiting };

// How an object is, in a word, with the sign that is seen first.
struct Mark {
  std::string sign = {};  // ✔ ✖ ◌ ◷ ॥ ⚠ ? •
  std::string word = {};
  Tone tone = Tone::kPlain;
};

struct TreeNode {
  std::string sign = {};  // of its kind: ⟳ # ⧉ □ Σ α ⊞
  std::string name = {};
  std::string kind = {};
  Mark mark = {};
  std::string age = {};
  std::string info = {};
  std::vector<TreeNode> children = {};
};

struct TreeOptions {
  bool colour = false;
  std::size_t columns = 0;  // room there is: KIND, which the signs tell too, gives way; 0: enough
};

// NAME KIND STATUS AGE INFO, two spaces apart, each level drawn under its parent. Names, words of
// marks and infos are cleaned of control characters.
std::string render_tree(const TreeNode& root, const TreeOptions& options = {});

// `Name:            web` lines: keys padded, a key that is empty goes on with the line before. With
// `columns` what is longer goes on in the next line, at a blank.
using HeaderLines = std::vector<std::pair<std::string, std::string>>;
std::string render_header(const HeaderLines& lines, std::size_t columns = 0);

std::string shown(const Mark& mark, bool colour);
// 7d, 5m; <unknown> without a time.
std::string age_since(std::string_view time, Time now);

}  // namespace slipway::cli
