#include "cli/serve_names.h"

#include "runtime/services/service_place.h"
#include "runtime/services/service_view.h"
#include "store/decode.h"

namespace slipway::cli {

namespace {

const store::Key kOwnService{"default", "kubernetes"};
constexpr int kOwnPort = 443;

}  // namespace

metrics::Connections::Places service_places(control::Manager& manager,
                                            std::function<std::string()> own_url) {
  return [&manager, own_url = std::move(own_url)](const std::string& host, int port,
                                                  const std::string& ns) -> std::string {
    const auto key = runtime::service_named(host, ns);
    if (!key) return {};
    if (const store::Item* item = manager.cache(runtime::kServices).get(*key)) {
      const auto service = store::decode(*item);
      return service ? runtime::place_of(*service, port) : std::string();
    }
    if (*key != kOwnService || port != kOwnPort) return {};
    const std::string url = own_url();
    return url.empty() ? url : url.substr(url.find("//") + 2);
  };
}

}  // namespace slipway::cli
