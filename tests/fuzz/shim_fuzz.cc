#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "runtime/shim/decide.h"
#include "runtime/shim/inside/bind_filter.h"
#include "runtime/shim/inside/log_file.h"
#include "runtime/shim/messages.h"
#include "runtime/shim/process_list.h"

namespace {

using namespace slipway;

// What reads well is written and read back the same, and can be decided on.
void try_documents(std::string_view text) {
  (void)runtime::parse_request(text);
  (void)runtime::parse_answer(text);
  (void)runtime::parse_stat(text);
  const auto value = json::read(text);
  if (!value) return;
  if (const auto plan = runtime::parse_plan(*value)) {
    const auto written = runtime::to_json(*plan);
    const auto again = runtime::parse_plan(written);
    SLIPWAY_ASSERT(again && runtime::to_json(*again) == written);
    auto state = runtime::initial_state(*plan);
    const auto step = runtime::decide_next(*plan, state, Time{});
    SLIPWAY_ASSERT(step.ended || !step.start.empty());
  }
  if (const auto state = runtime::parse_state(*value)) {
    const auto again = runtime::parse_state(runtime::to_json(*state));
    SLIPWAY_ASSERT(again && *again == *state);
  }
}

// However a stream is cut up, the lines are the same.
void try_lines(std::string_view text) {
  runtime::LogLines whole("stdout");
  runtime::LogLines parts("stdout");
  std::string one = whole.add(text, Time{});
  std::string two;
  const std::size_t size = text.empty() ? 1 : static_cast<unsigned char>(text[0]) + 1U;
  for (std::string_view rest = text; !rest.empty(); rest.remove_prefix(std::min(size, rest.size())))
    two += parts.add(rest.substr(0, size), Time{});
  one += whole.finish(Time{});
  two += parts.finish(Time{});
  SLIPWAY_ASSERT(one == two);
}

void try_bind(std::string_view bytes) {
  runtime::BindAddress asked;
  asked.length = static_cast<socklen_t>(std::min(bytes.size(), sizeof asked.bytes));
  std::memcpy(&asked.bytes, bytes.data(), asked.length);
  const auto answer = runtime::decide_bind(asked, bytes.size() % 2 == 1, in_addr{0x0100407F});
  SLIPWAY_ASSERT(answer.first.bytes.ss_family == asked.bytes.ss_family);
}

}  // namespace

// Everything the shim reads from others: documents, its container's output and binds.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try_documents(text);
  try_lines(text);
  if (size > 0) try_bind(text);
  return 0;
}
