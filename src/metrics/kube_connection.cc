#include "metrics/kube_connection.h"

#include <fmt/format.h>

namespace slipway::metrics {

Result<> check_namespace(const KubeConnection& kube, std::string_view ns, std::string_view asker) {
  if (!kube.is_shared() || ns == asker) return {};
  return fail(ErrorCode::kForbidden,
              fmt::format("the query asks about namespace {}; a run of namespace {} may ask about "
                          "its own namespace only",
                          ns, asker));
}

}  // namespace slipway::metrics
