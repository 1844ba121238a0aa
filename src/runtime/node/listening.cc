#include "runtime/node/listening.h"

#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <optional>

#include "runtime/process/descriptor.h"

namespace slipway::runtime {

namespace {

struct Question {
  nlmsghdr header = {};
  inet_diag_req_v2 socket = {};
};

Question ask_for(std::uint32_t address, std::uint16_t port) {
  Question question;
  question.header.nlmsg_len = sizeof question;
  question.header.nlmsg_type = SOCK_DIAG_BY_FAMILY;
  question.header.nlmsg_flags = NLM_F_REQUEST;
  question.socket.sdiag_family = AF_INET;
  question.socket.sdiag_protocol = IPPROTO_TCP;
  question.socket.id.idiag_sport = htons(port);
  question.socket.id.idiag_src[0] = htonl(address);
  std::ranges::fill(question.socket.id.idiag_cookie, INET_DIAG_NOCOOKIE);
  return question;
}

// The socket that would get a connection there.
std::optional<inet_diag_msg> find_listener(std::uint32_t address, std::uint16_t port) {
  const Descriptor line(
      ::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_SOCK_DIAG));
  if (!line) return std::nullopt;
  const Question question = ask_for(address, port);
  if (::send(line.get(), &question, sizeof question, 0) != sizeof question) return std::nullopt;
  // The kernel has answered when send returns.
  constexpr std::size_t kRoom = 4096;
  alignas(nlmsghdr) unsigned char room[kRoom] = {};
  const ssize_t got = ::recv(line.get(), room, sizeof room, 0);
  nlmsghdr header{};
  inet_diag_msg found{};
  if (got < static_cast<ssize_t>(NLMSG_HDRLEN + sizeof found)) return std::nullopt;
  std::memcpy(&header, room, sizeof header);
  if (header.nlmsg_type != SOCK_DIAG_BY_FAMILY) return std::nullopt;
  std::memcpy(&found, room + NLMSG_HDRLEN, sizeof found);
  return found;
}

}  // namespace

bool is_reached_by_wildcard(std::uint32_t address, std::uint16_t port) {
  const auto listener = find_listener(address, port);
  return listener &&
         std::ranges::all_of(listener->id.idiag_src, [](auto part) { return part == 0; });
}

}  // namespace slipway::runtime
