#include "cli/tree/tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "analysis/report/plain_text.h"
#include "base/text.h"

namespace slipway::cli {

namespace {

constexpr std::size_t kKeyWidth = 17;
constexpr std::size_t kColumns = 5;
constexpr std::size_t kKind = 1, kStatus = 2, kInfo = 4;
// INFO must not begin further to the right than this much before the edge.
constexpr std::size_t kLeastInfo = 24;
constexpr std::size_t kGap = 2;

std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string_view colour_of(Tone tone) {
  switch (tone) {
    case Tone::kGood:
      return "\x1b[32m";
    case Tone::kBad:
      return "\x1b[31m";
    case Tone::kWaiting:
      return "\x1b[33m";
    case Tone::kPlain:
      break;
  }
  return {};
}

struct Row {
  std::array<std::string, kColumns> cells = {};
  Tone tone = Tone::kPlain;
};

class Rows {
 public:
  void add(const TreeNode& node, const std::string& lead, const std::string& below) {
    if (rows.size() >= kMaxTreeLines) {
      ++left_out;
      return;
    }
    const std::string sign = node.sign.empty() ? "" : node.sign + " ";
    rows.push_back(
        {.cells = {lead + sign + analysis::report::one_line(node.name), node.kind,
                   shown(node.mark, false), node.age, analysis::report::one_line(node.info)},
         .tone = node.mark.tone});
    for (std::size_t i = 0; i < node.children.size(); ++i) {
      const bool last = i + 1 == node.children.size();
      add(node.children[i], below + (last ? "└──" : "├──"), below + (last ? "   " : "│  "));
    }
  }

  std::vector<Row> rows = {};
  std::size_t left_out = 0;
};

// Continued under where it begins; a word that is too long stays whole.
std::string wrapped(const std::string& value, std::size_t columns) {
  if (columns < kKeyWidth + kLeastInfo) return value;
  std::string text;
  std::size_t taken = 0;
  for (const std::string& word : text::split(value, ' ')) {
    const std::size_t width = width_of(word);
    if (taken > 0 && taken + 1 + width > columns - kKeyWidth) {
      text += "\n" + std::string(kKeyWidth, ' ');
      taken = 0;
    } else if (taken > 0) {
      text += ' ';
      ++taken;
    }
    text += word;
    taken += width;
  }
  return text;
}

}  // namespace

std::string shown(const Mark& mark, bool colour) {
  if (mark.word.empty()) return {};
  const std::string word = analysis::report::one_line(mark.word);
  const std::string text = mark.sign.empty() ? word : mark.sign + " " + word;
  const std::string_view begin = colour ? colour_of(mark.tone) : std::string_view();
  return begin.empty() ? text : fmt::format("{}{}\x1b[0m", begin, text);
}

std::string age_since(std::string_view time, Time now) {
  const auto then = parse_time(time);
  return then ? format_age(std::max(now - *then, Duration::zero())) : "<unknown>";
}

std::string render_tree(const TreeNode& root, const TreeOptions& options) {
  Rows all;
  all.rows.push_back({.cells = {"NAME", "KIND", "STATUS", "AGE", "INFO"}});
  all.add(root, "", "");
  std::array<std::size_t, kColumns> widths = {};
  for (const Row& row : all.rows)
    for (std::size_t i = 0; i < kColumns; ++i)
      widths[i] = std::max(widths[i], width_of(row.cells[i]));
  const std::size_t before_info =
      std::accumulate(widths.begin(), widths.begin() + kInfo, kInfo * kGap);
  const std::size_t info = std::min(widths[kInfo], kLeastInfo);
  const bool with_kind = options.columns == 0 || before_info + info <= options.columns;
  std::string text;
  for (const Row& row : all.rows) {
    std::string line, padding;
    for (std::size_t i = 0; i < kColumns; ++i) {
      if (i == kKind && !with_kind) continue;
      const std::string& cell = row.cells[i];
      const bool coloured = i == kStatus && options.colour && !colour_of(row.tone).empty();
      if (!cell.empty()) {
        line += padding;
        padding.clear();
        line += coloured ? fmt::format("{}{}\x1b[0m", colour_of(row.tone), cell) : cell;
      }
      padding += std::string(widths[i] - width_of(cell) + kGap, ' ');
    }
    text += line + "\n";
  }
  if (all.left_out > 0) text += fmt::format("… and {} more\n", all.left_out);
  return text;
}

std::string render_header(const HeaderLines& lines, std::size_t columns) {
  std::string text;
  for (const auto& [key, value] : lines) {
    std::string line = key.empty() ? std::string() : key + ":";
    if (!value.empty()) {
      line += std::string(line.size() < kKeyWidth ? kKeyWidth - line.size() : 1, ' ');
      line += wrapped(analysis::report::one_line(value), columns);
    }
    text += line + "\n";
  }
  return text;
}

}  // namespace slipway::cli
