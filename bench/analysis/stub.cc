// stub: answers Prometheus' instant queries on a loopback port, and remembers when each run asked.
//
// A query is `bench_NUMBER`; the number says which run it is. Prints its port, then serves until
// killed:
//
//   POST /api/v1/query     one sample, 0.98
//   POST /reset            forgets what it has seen
//   GET /gaps              {"queries", "runs", "p50", "p99", "max", "connections"}: seconds between
//                          one run's queries, over all runs
#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace bench {
namespace {

constexpr std::size_t kMaxRuns = 1'000'000;
constexpr std::size_t kMaxGaps = 20'000'000;
constexpr std::size_t kMaxRequest = 64 * 1024;
constexpr std::string_view kHeadEnd = "\r\n\r\n";

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// When each run asked.
class Gaps {
 public:
  void ask(std::size_t run) {
    ++queries_;
    if (run >= kMaxRuns) return;
    if (run >= last_.size()) last_.resize(run + 1, 0);
    const double now = seconds_now();
    if (last_[run] > 0 && gaps_.size() < kMaxGaps) gaps_.push_back(now - last_[run]);
    last_[run] = now;
  }

  void reset() { *this = Gaps(); }

  std::string report(std::size_t connections) {
    std::ranges::sort(gaps_);
    const auto runs = std::ranges::count_if(last_, [](double at) { return at > 0; });
    return fmt::format(
        R"({{"queries":{},"runs":{},"p50":{:.4f},"p99":{:.4f},"max":{:.4f},"connections":{}}})",
        queries_, runs, at(0.5), at(0.99), at(1), connections);
  }

 private:
  double at(double share) const {
    if (gaps_.empty()) return 0;
    const auto index = static_cast<std::size_t>(share * static_cast<double>(gaps_.size()));
    return gaps_[std::min(index, gaps_.size() - 1)];
  }

  std::size_t queries_ = 0;
  std::vector<double> last_;
  std::vector<double> gaps_;
};

std::size_t number_after(std::string_view text, std::string_view word, std::size_t otherwise) {
  const auto found = text.find(word);
  if (found == std::string_view::npos) return otherwise;
  std::size_t number = otherwise;
  const char* begin = text.data() + found + word.size();
  std::from_chars(begin, text.data() + text.size(), number);
  return number;
}

// The length of the first whole request in the text; 0 when there is none yet.
std::size_t request_length(std::string_view text) {
  const auto head = text.find(kHeadEnd);
  if (head == std::string_view::npos) return 0;
  const std::size_t body = number_after(text.substr(0, head), "Content-Length: ", 0);
  const std::size_t length = head + kHeadEnd.size() + body;
  return text.size() >= length ? length : 0;
}

std::string answer_to(std::string_view request, Gaps& gaps, std::size_t connections) {
  std::string body = "{}";
  if (request.starts_with("GET /gaps"))
    body = gaps.report(connections);
  else if (request.starts_with("POST /reset"))
    gaps.reset();
  else {
    const std::size_t run = number_after(request, "query=bench_", kMaxRuns);
    gaps.ask(run);
    body = fmt::format(
        R"({{"status":"success","data":{{"resultType":"vector","result":[{{"metric":{{"run":"{}"}},)"
        R"("value":[1700000000.5,"0.98"]}}]}}}})",
        run);
  }
  return fmt::format(
      "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{}",
      body.size(), body);
}

class Stub {
 public:
  int listen() {
    rlimit files = {};
    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
    listener_ = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* generic = reinterpret_cast<sockaddr*>(&address);
    if (bind(listener_, generic, size) != 0 || ::listen(listener_, SOMAXCONN) != 0) return -1;
    getsockname(listener_, generic, &size);
    watch(listener_);
    return ntohs(address.sin_port);
  }

  [[noreturn]] void run() {
    std::vector<epoll_event> events(1024);
    for (;;) {
      const int count = epoll_wait(epoll_, events.data(), static_cast<int>(events.size()), -1);
      for (int i = 0; i < count; ++i) {
        const int socket = events[static_cast<std::size_t>(i)].data.fd;
        socket == listener_ ? take() : read_from(socket);
      }
    }
  }

 private:
  void watch(int socket) {
    epoll_event event = {};
    event.events = EPOLLIN;
    event.data.fd = socket;
    epoll_ctl(epoll_, EPOLL_CTL_ADD, socket, &event);
  }

  void take() {
    const int socket = accept(listener_, nullptr, nullptr);
    if (socket < 0) return;
    const int on = 1;
    setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    connections_[socket];
    watch(socket);
  }

  void read_from(int socket) {
    char buffer[16 * 1024];
    const ssize_t got = recv(socket, buffer, sizeof buffer, 0);
    std::string& text = connections_[socket];
    if (got <= 0 || text.size() > kMaxRequest) {
      connections_.erase(socket);
      close(socket);
      return;
    }
    text.append(buffer, static_cast<std::size_t>(got));
    while (const std::size_t length = request_length(text)) {
      const std::string answer =
          answer_to(std::string_view(text).substr(0, length), gaps_, connections_.size());
      // Small answers to a client that reads: they fit into the socket's buffer.
      if (send(socket, answer.data(), answer.size(), MSG_NOSIGNAL) < 0) std::perror("send");
      text.erase(0, length);
    }
  }

  int epoll_ = epoll_create1(0);
  int listener_ = -1;
  std::map<int, std::string> connections_;  // what has come of the next request
  Gaps gaps_;
};

}  // namespace
}  // namespace bench

int main() {
  bench::Stub stub;
  const int port = stub.listen();
  if (port < 0) {
    std::perror("stub");
    return 3;
  }
  std::printf("%d\n", port);
  std::fflush(stdout);
  stub.run();
}
