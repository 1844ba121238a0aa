#include "cli/serving_certificate.h"

#include "base/log.h"
#include "http/set_certificate.h"

namespace slipway::cli {

ServingCertificate::ServingCertificate(Loop& loop, http::Server& server, DataDir dir,
                                       std::vector<std::string> hosts)
    : loop_(loop), server_(server), dir_(std::move(dir)), hosts_(std::move(hosts)) {
  timer_ = loop_.clock().call_after(kCheckEvery, [this] { check(); });
}

void ServingCertificate::check() {
  if (auto renewed = renew(); !renewed) {
    log::warning("serve", "the certificate could not be renewed: {}", renewed.error().text());
  } else if (*renewed) {
    log::info("serve", "the certificate was renewed");
  }
  timer_ = loop_.clock().call_after(kCheckEvery, [this] { check(); });
}

Result<bool> ServingCertificate::renew() {
  auto renewed = renew_certificate(dir_, hosts_, loop_.clock().now());
  if (!renewed || !*renewed) return renewed;
  SLIPWAY_TRY(http::set_certificate(
      server_, {.certificate_pem = dir_.certificate_pem, .key_pem = dir_.key_pem}));
  return true;
}

}  // namespace slipway::cli
