#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/demo/load.h"
#include "cli/demo/stage.h"
#include "cli/demo/story.h"
#include "cli/run_screen.h"

namespace slipway::cli {

// A version to be rolled out, and what is to become of it.
struct Release {
  std::string version;
  std::string about;
  Ending wanted;
};

// What happens on a stage: the first version comes up, clients come, the others are rolled out one
// after the other while somebody watches.
class Play {
 public:
  static constexpr Duration kFirstPatience = std::chrono::seconds(60);
  static constexpr Duration kReleasePatience = std::chrono::seconds(100);
  static constexpr Duration kReturnPatience = std::chrono::seconds(15);

  explicit Play(Stage& stage);

  // The versions so far are in told(), also when it ends with an error. One that does not end as it
  // was to is the last.
  Task<Result<>> perform(std::vector<Release> releases);
  const std::vector<Told>& told() const { return told_; }
  const std::string& url() const { return url_; }

 private:
  struct Seen {
    ShownRollout rollout;
    Grove grove;
  };
  Task<Result<Seen>> look();
  Task<Result<>> wait_for_first();
  Task<Result<>> find_gateway();
  Task<Result<>> release(Release release);
  Task<Result<>> set_image(std::string version);
  Task<Result<>> follow();  // of the last in told_
  Task<Result<>> wait_for_traffic(std::string version);
  void show(const Seen& seen);
  void say_once(std::string& last, std::string line);
  Duration now() { return loop_.clock().uptime(); }

  Stage& stage_;
  Session& session_;
  Loop& loop_;
  std::string url_ = {};
  std::string serving_ = "v1";  // the version that requests belong to
  std::optional<Load> load_;
  std::vector<Told> told_ = {};

  LiveScreen screen_;
  std::string last_state_ = {}, last_look_ = {};
  Duration began_ = {};  // of the release
  LoadCounts shown_counts_ = {};
  Duration shown_at_ = {};
  std::string traffic_ = {};
};

}  // namespace slipway::cli
