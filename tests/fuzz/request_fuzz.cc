// Any request, with any body, to the API server on a store of its own: it must answer with a status
// that HTTP knows and a body that is JSON where it says so, and a watch must end.
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "async/sim_loop.h"
#include "base/json.h"
#include "base/random.h"
#include "server/api_server.h"
#include "store/embedded.h"

namespace {

using namespace slipway;

constexpr int kMaxPieces = 20;  // of one watch
constexpr int kRequestsBetweenNew =
    200;  // one store serves this many inputs, so that requests meet

struct World {
  std::unique_ptr<SimLoop> loop = make_sim_loop();
  std::unique_ptr<Random> random = seeded_random(1);
  std::unique_ptr<api::Registry> registry = api::Registry::make();
  std::unique_ptr<store::EmbeddedStore> store = store::make_memory_store(*loop, *registry, *random);
  server::Metrics metrics;
  std::unique_ptr<http::Handler> handler =
      server::make_api_server(*loop, *registry, *store, {.admin_token = "t"}, metrics);
  int asked = 0;
};

std::string_view take_line(std::string_view& text) {
  auto end = text.find('\n');
  auto line = text.substr(0, end);
  text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  return line;
}

// METHOD TARGET, header lines, an empty line, the body.
bool read_request(std::string_view text, http::Request& request) {
  auto first = take_line(text);
  auto space = first.find(' ');
  if (space == std::string_view::npos) return false;
  request.method = first.substr(0, space);
  auto target = http::parse_target(first.substr(space + 1));
  if (!target) return false;
  request.target = std::move(*target);
  request.headers.set("Host", "localhost");
  request.headers.set("Authorization", "Bearer t");
  for (auto line = take_line(text); !line.empty(); line = take_line(text)) {
    auto colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    auto value = line.substr(colon + 1);
    while (value.starts_with(' ')) value.remove_prefix(1);
    request.headers.set(std::string(line.substr(0, colon)), std::string(value));
  }
  request.body = text;
  return true;
}

void check(World& world, http::Response response) {
  SLIPWAY_ASSERT(response.status >= 200 && response.status < 600);
  if (response.stream) {
    for (int i = 0; i < kMaxPieces; ++i) {
      auto piece = run_to_end(*world.loop, response.stream->next({}));
      if (!piece || piece->empty()) break;
    }
    return;
  }
  if (response.headers.get("Content-Type") != "application/json") return;
  std::string body = std::move(response.body);
  for (const auto& part : response.parts) body += *part;
  SLIPWAY_ASSERT(json::read(body, {.max_bytes = 256 * 1024 * 1024}).has_value());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static std::unique_ptr<World> world;
  if (!world || ++world->asked > kRequestsBetweenNew) world = std::make_unique<World>();
  http::Request request;
  if (!read_request({reinterpret_cast<const char*>(data), size}, request)) return 0;
  if (world->handler->refuse(request)) return 0;
  check(*world, run_to_end(*world->loop, world->handler->handle(std::move(request))));
  return 0;
}
