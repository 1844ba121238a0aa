#pragma once

#include <cstdio>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "analysis/table.h"
#include "api/kinds/argo_analysis.h"

namespace slipway::cli {

// Runs as text: of several each under its name, with when the next look is due. Pure.
struct BoardOptions {
  std::optional<Time> now = {};  // none: no look is to come
  bool colour = false;
  bool names = false;       // a line with name and phase over each, also over one alone
  std::size_t columns = 0;  // room there is; 0: as much as it takes
};
using Runs = std::map<std::string, api::argo::AnalysisRun>;  // by namespace/name
std::string board_of(const Runs& runs, const BoardOptions& options);

// The width of a terminal; 0 for what is none.
std::size_t columns_of(std::FILE* terminal);

// The first `columns` characters of a line; escape sequences count nothing and are kept.
std::string clipped(std::string_view line, std::size_t columns);

// A part of a terminal that is drawn again and again in the same place.
//
// Lines are clipped to its width and height, so that none is wrapped and the place is found again.
class LiveScreen {
 public:
  explicit LiveScreen(std::FILE* terminal) : terminal_(terminal) {}

  void show(std::string_view text);
  std::size_t columns() const { return columns_of(terminal_); }
  // Takes away what is shown.
  void clear();

 private:
  std::FILE* terminal_;
  std::size_t lines_ = 0;
  std::size_t drawn_columns_ = 0;
  std::string shown_ = {};
};

}  // namespace slipway::cli
