#include "runtime/shim/inside/bind_filter.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "base/file.h"
#include "runtime/shim/control_dial.h"
#include "runtime/shim/inside/commands.h"
#include "runtime/shim/shim_testing.h"

namespace slipway::runtime {

namespace {

using std::chrono::seconds;
using testing::HasSubstr;

BindAddress v4(const char* host, std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  ::inet_pton(AF_INET, host, &address.sin_addr);
  BindAddress result{.length = sizeof address};
  std::memcpy(&result.bytes, &address, sizeof address);
  return result;
}

BindAddress v6(const char* host, std::uint16_t port) {
  sockaddr_in6 address{};
  address.sin6_family = AF_INET6;
  address.sin6_port = htons(port);
  ::inet_pton(AF_INET6, host, &address.sin6_addr);
  BindAddress result{.length = sizeof address};
  std::memcpy(&result.bytes, &address, sizeof address);
  return result;
}

std::string text_of(const BindAddress& address) {
  char host[INET6_ADDRSTRLEN] = "";
  if (address.bytes.ss_family == AF_INET) {
    sockaddr_in inet{};
    std::memcpy(&inet, &address.bytes, sizeof inet);
    ::inet_ntop(AF_INET, &inet.sin_addr, host, sizeof host);
    return fmt::format("{}:{}", host, ntohs(inet.sin_port));
  }
  sockaddr_in6 inet{};
  std::memcpy(&inet, &address.bytes, sizeof inet);
  ::inet_ntop(AF_INET6, &inet.sin6_addr, host, sizeof host);
  return fmt::format("[{}]:{}", host, ntohs(inet.sin6_port));
}

TEST(DecideBind, WildcardsWithAPortGoToThePod) {
  in_addr pod{};
  ::inet_pton(AF_INET, "127.64.0.5", &pod);
  struct Case {
    BindAddress asked;
    bool ipv6_only;
    const char* first;
    const char* otherwise;
  };
  for (const auto& [asked, ipv6_only, first, otherwise] : std::vector<Case>{
           {v4("0.0.0.0", 80), false, "127.64.0.5:80", ""},
           {v4("0.0.0.0", 0), false, "0.0.0.0:0", ""},
           {v4("127.0.0.1", 80), false, "127.0.0.1:80", ""},
           {v4("10.0.0.1", 80), false, "10.0.0.1:80", ""},
           {v6("::", 80), false, "[::ffff:127.64.0.5]:80", ""},
           {v6("::", 0), false, "[::]:0", ""},
           {v6("::ffff:0.0.0.0", 80), false, "[::ffff:127.64.0.5]:80", ""},
           {v6("::ffff:127.0.0.1", 80), false, "[::ffff:127.0.0.1]:80", ""},
           {v6("::1", 80), false, "[::1]:80", ""},
           {v6("::", 80), true, "[::1]:80", "[::1]:0"},
       }) {
    const BindAnswer answer = decide_bind(asked, ipv6_only, pod);
    EXPECT_EQ(text_of(answer.first), first);
    EXPECT_EQ(answer.else_ ? text_of(*answer.else_) : "", otherwise) << first;
  }
}

TEST(DecideBind, WhatIsCutShortStaysAsAsked) {
  BindAddress asked = v4("0.0.0.0", 80);
  asked.length = 4;
  EXPECT_EQ(text_of(decide_bind(asked, false, in_addr{1}).first), "0.0.0.0:80");
}

// A port that nobody uses now, on no address.
std::uint16_t free_port() {
  const Descriptor socket(::socket(AF_INET, SOCK_STREAM, 0));
  BindAddress address = v4("0.0.0.0", 0);
  ::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address.bytes), address.length);
  ::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&address.bytes), &address.length);
  sockaddr_in inet{};
  std::memcpy(&inet, &address.bytes, sizeof inet);
  return ntohs(inet.sin_port);
}

int status_of(const std::string& host, std::uint16_t port) {
  return http_status({.http_host = host, .http_port = port}, "", seconds(1));
}

// Two addresses of tests, apart from those a server on this machine gives.
constexpr const char* kOne = "127.99.7.1";
constexpr const char* kTwo = "127.99.7.2";

class Binds : public testing::Test {
 protected:
  // Two Pods that run the same, side by side.
  void run(const ContainerPlan& container) {
    for (auto* pod : {&one_, &two_}) {
      pod->plan.containers = {container};
      pod->plan.restart_policy = RestartPolicy::kNever;
    }
    one_.plan.pod_ip = kOne;
    two_.plan.pod_ip = kTwo;
    one_.start();
    two_.start();
  }
  void expect_both_answer(std::uint16_t port) {
    EXPECT_TRUE(one_.until_true([&] { return status_of(kOne, port) == 200; }, seconds(20)))
        << one_.log() << one_.state().bind_problem;
    EXPECT_TRUE(two_.until_true([&] { return status_of(kTwo, port) == 200; }, seconds(20)))
        << two_.log() << two_.state().bind_problem;
    EXPECT_EQ(status_of("127.0.0.1", port), 0);
    EXPECT_EQ(one_.state().bind_problem, "");
  }

  std::uint16_t port_ = free_port();
  TestPod one_{{}};
  TestPod two_{{}};
};

TEST_F(Binds, TwoPodsShareAPort) {
  run(program("web", {"python3", "-m", "http.server", std::to_string(port_)}));
  expect_both_answer(port_);
}

TEST_F(Binds, TwoPodsShareAPortWithoutRights) {
  one_.drop_rights();
  two_.drop_rights();
  run(program("web", {"python3", "-c",
                      fmt::format("import http.server as h\n"
                                  "h.HTTPServer(('0.0.0.0', {}), h.SimpleHTTPRequestHandler)"
                                  ".serve_forever()",
                                  port_)}));
  expect_both_answer(port_);
}

TEST_F(Binds, DualStackToo) {
  run(program("web", {"python3", "-m", "http.server", "--bind", "::", std::to_string(port_)}));
  expect_both_answer(port_);
}

TEST_F(Binds, LoopbackStaysAsAsked) {
  one_.plan.containers = {program(
      "web", {"python3", "-m", "http.server", "--bind", "127.0.0.1", std::to_string(port_)})};
  one_.plan.pod_ip = kOne;
  one_.start();
  EXPECT_TRUE(one_.until_true([&] { return status_of("127.0.0.1", port_) == 200; }, seconds(20)));
  EXPECT_EQ(status_of(kOne, port_), 0);
}

// Answers 200 to one connection after the other, and prints what it is bound to.
constexpr const char* kStaticServer = R"(
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char** argv) {
  int s = socket(AF_INET, SOCK_STREAM, 0), c;
  struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(atoi(argv[argc - 1]))};
  socklen_t n = sizeof a;
  if (bind(s, (struct sockaddr*)&a, n) || listen(s, 9)) return 1;
  getsockname(s, (struct sockaddr*)&a, &n);
  puts(inet_ntoa(a.sin_addr));
  fflush(stdout);
  for (char b[4096]; (c = accept(s, 0, 0)) >= 0; close(c)) {
    read(c, b, sizeof b);
    dprintf(c, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
  }
}
)";

TEST_F(Binds, StaticProgramsToo) {
  const ScratchFolder scratch;
  const std::string source = scratch.path() + "/server.c";
  ASSERT_TRUE(file::write(source, kStaticServer, 0600));
  const std::string built = scratch.path() + "/server";
  const std::string build = fmt::format("clang-19 -w -static -o {} {}", built, source);
  ASSERT_EQ(std::system(build.c_str()), 0);
  run(program("web", {built, std::to_string(port_)}));
  expect_both_answer(port_);
  EXPECT_EQ(one_.log(), "127.99.7.1\n");
}

TEST_F(Binds, APortInUseIsTheProgramsToHandle) {
  one_.plan.pod_ip = kOne;
  one_.plan.restart_policy = RestartPolicy::kNever;
  const std::string script = fmt::format(
      "import socket\na=socket.socket();a.bind(('',{0}));a.listen()\nb=socket.socket()\n"
      "try: b.bind(('',{0}))\nexcept OSError as e: print(e.errno)\n"
      "u=socket.socket(socket.AF_UNIX);u.bind('here')\n"
      "c=socket.socket();c.bind(('',0));print(c.getsockname()[0])\n"
      "try: a.bind(('',{1}))\nexcept OSError as e: print(e.errno)\n",
      port_, port_ + 1);
  one_.plan.containers = {program("web", {"python3", "-c", script})};
  one_.start();
  ASSERT_TRUE(one_.until([](const PodState& state) { return state.ended; }, seconds(20)));
  EXPECT_EQ(one_.log(), "98\n0.0.0.0\n22\n");
}

TEST_F(Binds, APortInUseIsSaid) {
  const Descriptor other(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const BindAddress everywhere = v4("0.0.0.0", port_);
  ASSERT_EQ(
      ::bind(other.get(), reinterpret_cast<const sockaddr*>(&everywhere.bytes), everywhere.length),
      0);
  ASSERT_EQ(::listen(other.get(), 1), 0);
  one_.plan.pod_ip = kOne;
  one_.plan.restart_policy = RestartPolicy::kNever;
  one_.plan.containers = {program("web", {"python3", "-m", "http.server", std::to_string(port_)})};
  one_.start();
  ASSERT_TRUE(one_.until([](const PodState& state) { return state.ended; }, seconds(20)));
  const std::string text = fmt::format(
      "port {} of {} is in use; end the process that listens there, or choose another port", port_,
      kOne);
  const PodState state = one_.state();
  EXPECT_EQ(state.port_problem, "container web: " + text);
  ASSERT_TRUE(state.containers[0].terminated());
  EXPECT_EQ(state.containers[0].terminated()->message, text);
}

TEST_F(Binds, WhatTheKernelRefusesIsSaid) {
  // A process whose binds are trapped already cannot have them trapped again: a shim in a Pod.
  std::error_code wrong;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", wrong).string();
  two_.plan.containers = {shell("inner", "sleep 1000")};
  two_.plan.pod_ip = kTwo;
  ASSERT_TRUE(write_plan(two_.folder(), two_.plan));
  one_.plan.containers = {
      shell("outer", self + " pod-shim " + two_.folder() + " > /dev/null; sleep 1000; true")};
  one_.plan.pod_ip = kOne;
  one_.start();
  // It can be found once it has both: its socket, and its first state.
  ASSERT_TRUE(one_.until_true([&] {
    return dial(two_.folder()) && std::filesystem::exists(two_.folder() + "/state.json");
  }));
  two_.become_another_server();
  ASSERT_TRUE(two_.until([](const PodState& state) {
    return !state.containers.empty() && state.containers[0].running();
  }));
  EXPECT_THAT(two_.state().bind_problem, HasSubstr("seccomp: Device or resource busy"));
  EXPECT_EQ(one_.state().bind_problem, "");
}

TEST_F(Binds, ThreadsThatAreInterruptedBindOnce) {
  one_.plan.pod_ip = kOne;
  one_.plan.restart_policy = RestartPolicy::kNever;
  const std::string script = fmt::format(
      "import socket,signal,threading\n"
      "signal.signal(signal.SIGALRM, lambda *_: None)\n"
      "signal.siginterrupt(signal.SIGALRM, False)\n"
      "signal.setitimer(signal.ITIMER_REAL, 0.0002, 0.0002)\n"
      "wrong=[]\n"
      "def many():\n"
      "  for i in range(200):\n"
      "    s=socket.socket(); s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)\n"
      "    try: s.bind(('',{}))\n"
      "    except OSError as e: wrong.append(e.errno)\n"
      "    s.close()\n"
      "t=[threading.Thread(target=many) for _ in range(4)]\n"
      "[x.start() for x in t]; many(); [x.join() for x in t]; print(wrong)\n",
      port_);
  one_.plan.containers = {program("web", {"python3", "-c", script})};
  one_.start();
  ASSERT_TRUE(one_.until([](const PodState& state) { return state.ended; }, seconds(60)));
  EXPECT_EQ(one_.log(), "[]\n");
}

}  // namespace

}  // namespace slipway::runtime
