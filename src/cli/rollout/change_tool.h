#pragma once

#include <string_view>

#include "cli/rollout/tool.h"

namespace slipway::cli {

// The verbs that write: promote, abort, retry, pause, undo, restart, set, terminate.
bool changes_something(std::string_view verb);
// Checks what the verb is given, and leaves of rollout/NAME the name. kInvalid says how to write
// it.
Result<> understand_words(RolloutOptions& options);

// Carries out one of them, and says what was done.
class ChangeTool {
 public:
  ChangeTool(Session& session, const RolloutOptions& options, Format format, Duration delay)
      : session_(session), options_(options), format_(format), delay_(delay) {}

  Task<int> run();

 private:
  Task<int> terminate();
  Task<int> undo();
  Task<int> set_image();
  Task<int> promote();
  Task<Result<>> read(std::string name);
  Task<int> carry_out(Change change);
  Task<Result<json::Value>> write(Change change);
  Task<int> write_template(TemplateHome home, TemplateChange change);
  Task<Result<TemplateHome>> find_template();
  Task<Result<json::Value>> patch(std::string target, std::string body, std::string_view type);
  int say(const json::Value& document, std::string_view done);

  Session& session_;
  const RolloutOptions& options_;
  Format format_;
  Duration delay_;
  ServedKind kind_ = {};
  ServedKind home_kind_ = {};  // of the object with the Pod template
  ShownRollout rollout_ = {};
};

}  // namespace slipway::cli
