#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "async/blocking.h"
#include "async/readiness.h"
#include "runtime/traffic/admin_line.h"
#include "runtime/traffic/difference.h"
#include "runtime/traffic/process.h"
#include "runtime/traffic/stats.h"

namespace slipway::runtime::traffic {

// The one proxy, from the server's side. On the loop's thread, a real loop; one call at a time. The
// proxy outlives this, and the server.
class Proxy {
 public:
  // `folder` is its own, absolute. `died` is called when the proxy has ended by itself.
  Proxy(Loop& loop, Pool& pool, std::string folder, std::function<void()> died);

  // Takes over one that runs since an earlier life of the server; false when there is none. What it
  // carries is not known: load() before change().
  Task<bool> adopt();
  bool running() const { return process_.has_value(); }
  // There is something to read: it, or one before it that still has connections.
  bool counts() const { return current_ || !draining_.empty(); }

  // Starts it, or has it replaced without a connection lost. With findings nothing has changed.
  Task<Result<std::vector<Finding>>> load(Rendered rendered);

  // Carries commands out, in order. The servers that it has forgotten. An error: not all were, and
  // a load() is needed.
  Task<Result<std::set<std::pair<std::string, std::string>>>> change(std::vector<Command> commands);

  // What it has counted, and what those before it have that still have connections.
  Task<> read_counters(Ledger& ledger);

  // Ends it: what is under way is finished first, and counted as long as this is there.
  void end();

 private:
  // A process with a line to it, which is opened anew when it was lost. While the line is open the
  // process does not end, so that its last counters are read.
  struct Source {
    ProcessIdentity process = {};
    bool fresh = true;
    std::optional<AdminLine> line = {};
    std::map<std::string, Counters> last = {};  // by backend
  };
  struct Counted;
  static Result<Counted> count(Source& source, const std::string& folder);
  static Result<Counted> count_by(AdminLine& line, Source& source);
  void drain(std::shared_ptr<Source> source);
  void watch(const ProcessIdentity& process);
  void ended();

  static constexpr std::size_t kMaxDraining = 32;  // the oldest is given up

  Loop& loop_;
  Pool& pool_;
  std::string folder_;
  std::function<void()> died_;
  std::optional<ProcessIdentity> process_;
  Descriptor pidfd_;
  std::unique_ptr<Readiness> end_;
  // shared_ptr: what blocks holds one while this may go.
  std::shared_ptr<Source> current_;
  std::vector<std::shared_ptr<Source>> draining_;
};

}  // namespace slipway::runtime::traffic
