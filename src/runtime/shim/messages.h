#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/json.h"
#include "base/time.h"
#include "runtime/shim/client.h"

// What goes over control.sock: one JSON document a line, a request and its answer. After `watch`
// the answers do not end: the state, at each change.
namespace slipway::runtime {

inline constexpr const char* kControlSocket = "control.sock";
inline constexpr std::size_t kMaxMessage = 1024 * 1024;

struct Request {
  enum class Kind { kStop, kKill, kExec, kWatch, kStarted, kReplace };
  Kind kind = Kind::kWatch;
  std::string container = {};
  std::vector<std::string> argv = {};
  Duration time = {};  // the grace, or the timeout
  std::string message = {};
  std::int32_t run = 0;  // of the container that has started: its restart_count
};

std::string write_request(const Request& request);
Result<Request> parse_request(std::string_view line);

// An answer is a value or an error.
std::string write_answer(const Result<json::Value>& answer);
Result<json::Value> parse_answer(std::string_view line);

json::Value to_json(const ExecAnswer& answer);
Result<ExecAnswer> parse_exec_answer(const json::Value& value);

}  // namespace slipway::runtime
