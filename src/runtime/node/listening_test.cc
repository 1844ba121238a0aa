#include "runtime/node/listening.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cstring>

#include "runtime/process/descriptor.h"

namespace slipway::runtime {
namespace {

constexpr std::uint32_t kAddress = 0x7F630901;  // 127.99.9.1

// Listens at a port that the kernel chose.
struct Listener {
  explicit Listener(const char* address, int family = AF_INET)
      : socket(::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_storage bytes{};
    socklen_t length = sizeof(sockaddr_in);
    if (family == AF_INET) {
      sockaddr_in inet{};
      inet.sin_family = AF_INET;
      ::inet_pton(AF_INET, address, &inet.sin_addr);
      std::memcpy(&bytes, &inet, sizeof inet);
    } else {
      sockaddr_in6 inet{};
      inet.sin6_family = AF_INET6;
      ::inet_pton(AF_INET6, address, &inet.sin6_addr);
      std::memcpy(&bytes, &inet, sizeof inet);
      length = sizeof inet;
    }
    auto* at = reinterpret_cast<sockaddr*>(&bytes);
    EXPECT_EQ(::bind(socket.get(), at, length), 0) << address;
    EXPECT_EQ(::listen(socket.get(), 1), 0);
    ::getsockname(socket.get(), at, &length);
    sockaddr_in inet{};
    std::memcpy(&inet, &bytes, sizeof inet);
    port = ntohs(inet.sin_port);
  }
  Descriptor socket;
  std::uint16_t port = 0;
};

TEST(Listening, AWildcardReachesEveryAddress) {
  const Listener all("0.0.0.0");
  EXPECT_TRUE(is_reached_by_wildcard(kAddress, all.port));
  const Listener both("::", AF_INET6);
  EXPECT_TRUE(is_reached_by_wildcard(kAddress, both.port));
}

TEST(Listening, WhatIsBoundToTheAddressIsNone) {
  const Listener own("127.99.9.1");
  EXPECT_FALSE(is_reached_by_wildcard(kAddress, own.port));
  const Listener mapped("::ffff:127.99.9.1", AF_INET6);
  EXPECT_FALSE(is_reached_by_wildcard(kAddress, mapped.port));
}

TEST(Listening, NobodyIsNone) {
  const Listener other("127.99.9.2");
  EXPECT_FALSE(is_reached_by_wildcard(kAddress, other.port));
}

}  // namespace
}  // namespace slipway::runtime
