#pragma once

#include <memory>

#include "http/client.h"
#include "runtime/node/prober.h"

namespace slipway::runtime {

inline constexpr std::size_t kMaxProbeBody = 10 * 1024;  // read of an answer; more is let go

// Asks over the network and, for commands, through the host.
class NetworkProbes final : public ProbeClient {
 public:
  NetworkProbes(Loop& loop, PodHost& host) : loop_(loop), host_(host) {}

  Task<ProbeAnswer> ask(std::string uid, std::string container, std::string pod_ip, ProbeSpec spec,
                        std::stop_token stop) override;

 private:
  // Not by the Pod, whose program may not even listen yet.
  bool is_answered_from_outside(const std::string& uid, const std::string& pod_ip,
                                std::uint16_t port) const;
  Task<ProbeAnswer> run(std::string uid, std::string container, ProbeSpec spec);
  Task<ProbeAnswer> get(std::string host, ProbeSpec spec, std::stop_token stop);
  Task<ProbeAnswer> connect(std::string host, ProbeSpec spec);
  http::Client& client(bool tls);

  Loop& loop_;
  PodHost& host_;
  std::unique_ptr<http::Client> plain_;     // made for the first probe that asks
  std::unique_ptr<http::Client> trusting_;  // certificates of Pods are nobody's business here
};

}  // namespace slipway::runtime
