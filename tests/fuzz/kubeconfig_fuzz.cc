#include <cstddef>
#include <cstdint>
#include <string_view>

#include "store/kube/exec_credential.h"
#include "store/kube/kubeconfig.h"
#include "store/kube/kubeconfig_entries.h"

// Whatever the bytes: an answer or an error. File references are not followed: the paths would be
// the fuzzer's.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace slipway::store::kube;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  auto config = parse_kubeconfig(text, "");
  if (config) {
    for (auto* entries : {&config->clusters, &config->users}) {
      for (auto& [name, entry] : *entries) {
        for (std::string_view field : {"certificate-authority", "client-certificate", "client-key"})
          entry.fields.erase(field);
      }
    }
    auto merged = *config;
    merge_kubeconfig(merged, *config);
    (void)access_of(merged, "");
    for (const auto& [name, context] : merged.contexts) {
      auto access = access_of(merged, name);
      if (access && access->exec) (void)exec_program(*access);
    }
  }
  (void)parse_exec_credential(text,
                              {.api_version = "client.authentication.k8s.io/v1", .command = "x"});
  return 0;
}
