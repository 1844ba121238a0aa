#include "cli/run_screen.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <optional>

#include "analysis/due.h"
#include "analysis/phase.h"
#include "analysis/report/plain_text.h"
#include "base/text.h"
#include "cli/output.h"

namespace slipway::cli {

namespace {

constexpr std::string_view kClearRest = "\x1b[K";  // of a line, so that none is seen empty
constexpr std::string_view kClearAll = "\x1b[H\x1b[2J";
constexpr std::string_view kReset = "\x1b[0m";

struct Size {
  std::size_t columns = 80;
  std::size_t rows = 24;
};

std::optional<Size> size_of(std::FILE* terminal) {
  winsize asked{};
  if (::ioctl(::fileno(terminal), TIOCGWINSZ, &asked) != 0 || asked.ws_col == 0 ||
      asked.ws_row == 0)
    return std::nullopt;
  return Size{.columns = asked.ws_col, .rows = asked.ws_row};
}

std::string next_of(const api::argo::AnalysisRun& run, std::optional<Time> now) {
  if (!now || (run.status && analysis::is_completed(run.status->phase))) return {};
  const auto next = analysis::next_look(run, *now);
  if (!next || *next <= *now) return "measuring";
  const auto left = std::chrono::ceil<std::chrono::seconds>(*next - *now);
  return fmt::format("next look in {}", format_duration(left));
}

}  // namespace

std::string board_of(const Runs& runs, const BoardOptions& options) {
  std::string text;
  const bool names = options.names || runs.size() > 1;
  for (const auto& [key, run] : runs) {
    const std::string phase = run.status && !run.status->phase.empty()
                                  ? run.status->phase
                                  : std::string(analysis::kPending);
    const std::string next = next_of(run, options.now);
    if (names) {
      if (!text.empty()) text += '\n';
      text +=
          fmt::format("{}  {}{}{}\n", analysis::report::one_line(key),
                      analysis::shown_phase(phase, options.colour), next.empty() ? "" : ", ", next);
    }
    text += align(analysis::table_of(run, {.colour = options.colour, .columns = options.columns}));
    if (!names && !next.empty()) text += next + "\n";
  }
  return text;
}

// One less: a line that fills the last column is wrapped by some.
std::size_t columns_of(std::FILE* terminal) {
  const auto size = size_of(terminal);
  return size ? size->columns - 1 : 0;
}

std::string clipped(std::string_view line, std::size_t columns) {
  std::string out;
  std::size_t taken = 0;
  bool coloured = false;
  for (std::size_t i = 0; i < line.size();) {
    if (line[i] == '\x1b') {
      const auto end = line.find('m', i);
      const auto length = end == std::string_view::npos ? line.size() - i : end - i + 1;
      out += line.substr(i, length);
      coloured = !line.substr(i, length).ends_with("[0m");
      i += length;
      continue;
    }
    const bool begins = (static_cast<unsigned char>(line[i]) & 0xC0) != 0x80;
    if (begins && taken++ == columns) break;
    out += line[i++];
  }
  if (coloured) out += kReset;
  return out;
}

void LiveScreen::show(std::string_view text) {
  if (text == shown_) return;
  const Size size = size_of(terminal_).value_or(Size());
  auto lines = text::split(text, '\n');
  if (!lines.empty() && lines.back().empty()) lines.pop_back();
  const std::size_t most = std::max<std::size_t>(size.rows, 2) - 1;
  if (lines.size() > most) {
    const std::size_t left = lines.size() - most + 1;
    lines.resize(most - 1);
    lines.push_back(fmt::format("… {} more lines", left));
  }
  std::string drawn = lines_ > 0 ? fmt::format("\x1b[{}A", lines_) : "";
  // Lines that were wrapped anew are not where they were.
  if (lines_ > 0 && size.columns != drawn_columns_) drawn = kClearAll;
  for (const auto& line : lines)
    drawn += fmt::format("{}{}\n", clipped(line, size.columns - 1), kClearRest);
  drawn += "\x1b[J";  // what was longer before
  write_to(terminal_, drawn);
  lines_ = lines.size();
  drawn_columns_ = size.columns;
  shown_ = text;
}

void LiveScreen::clear() {
  if (lines_ == 0) return;
  write_to(terminal_, fmt::format("\x1b[{}A\x1b[J", lines_));
  lines_ = 0;
  shown_.clear();
}

}  // namespace slipway::cli
