#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"

namespace slipway::runtime {

// What an image would run here, where images are not pulled: the entrypoint and default arguments
// that a container without `command` or `args` gets.
struct ImageCommand {
  std::vector<std::string> command = {};
  std::vector<std::string> args = {};
  std::vector<std::pair<std::string, std::string>> env = {};
  std::string working_dir = {};
};

// images.yaml: a map from patterns to commands. `*` stands for anything, `?` for one character; the
// first pattern that fits counts.
//
//   nginx:*: [python3, -m, http.server, "8080"]
//   "*/rollouts-demo:*":
//     command: [slipway, demo-app]
//     args: [--color, $(SLIPWAY_IMAGE_TAG)]
//     env: {PORT: "8080"}
//     workingDir: /srv/demo
class Images {
 public:
  static constexpr std::size_t kMaxPatterns = 1000;
  // Errors: kInvalid and kBadRequest, naming the pattern or line.
  static Result<Images> parse(std::string_view text);

  // An image is looked up as it is written, without "docker.io/" and "library/" in front, and with
  // ":latest" when it has no tag.
  const ImageCommand* find(std::string_view image) const;
  bool empty() const { return entries_.empty(); }

 private:
  struct Entry {
    std::string pattern;
    ImageCommand command;
  };
  std::vector<Entry> entries_;
};

// The part after the last colon that follows the last slash; "latest" when there is none.
std::string image_tag(std::string_view image);

}  // namespace slipway::runtime
