#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <list>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "async/readiness.h"
#include "async/real_loop.h"
#include "metrics/connections.h"
#include "metrics/provider_spec.h"

// A source that writes down every request to the byte and answers what it was told to.
namespace slipway::metrics::testing {

using namespace std::chrono_literals;

class RecordingServer {
 public:
  explicit RecordingServer(Loop& loop) : loop_(loop) {
    socket_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(bind(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    EXPECT_EQ(listen(socket_, 16), 0);
    socklen_t size = sizeof address;
    getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size);
    host_ = "127.0.0.1:" + std::to_string(ntohs(address.sin_port));
    readiness_ = std::make_unique<Readiness>(loop_, socket_);
    accept_next();
  }
  ~RecordingServer() {
    readiness_.reset();
    for (Conversation& one : conversations_) {
      one.readiness.reset();
      close(one.socket);
    }
    close(socket_);
  }
  RecordingServer(const RecordingServer&) = delete;

  const std::string& host() const { return host_; }
  std::string url(const std::string& path = "") const { return "http://" + host_ + path; }

  // Answers are given in this order; the last one again and again. None: silence.
  void answer(int status, std::string body, std::string headers = "") {
    answers_.push_back("HTTP/1.1 " + std::to_string(status) + " Some Reason\r\n" + headers +
                       "Connection: close\r\nContent-Length: " + std::to_string(body.size()) +
                       "\r\n\r\n" + body);
  }
  void answer_raw(std::string bytes) { answers_.push_back(std::move(bytes)); }

  // As received, but for line ends (\n), our port (HOST) and the encodings libcurl offers.
  std::vector<std::string> requests;

 private:
  struct Conversation {
    int socket = -1;
    std::string received = {};
    std::string answer = {};
    std::unique_ptr<Readiness> readiness = {};
  };

  void accept_next() {
    readiness_->when_readable([this] {
      int client = accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
      if (client >= 0) {
        conversations_.push_back({.socket = client});
        Conversation& one = conversations_.back();
        one.readiness = std::make_unique<Readiness>(loop_, client);
        read(one);
      }
      accept_next();
    });
  }

  void read(Conversation& one) {
    one.readiness->when_readable([this, &one] {
      char block[65536];
      ssize_t got = recv(one.socket, block, sizeof block, 0);
      if (got <= 0) return;
      one.received.append(block, static_cast<std::size_t>(got));
      std::size_t head = one.received.find("\r\n\r\n");
      std::size_t length = 0;
      if (std::size_t at = one.received.find("Content-Length: "); at < head) {
        length = std::stoul(one.received.substr(at + 16));
      }
      if (head == std::string::npos || one.received.size() < head + 4 + length) return read(one);
      requests.push_back(shown(one.received));
      if (answers_.empty()) return;
      one.answer = answers_[std::min(next_++, answers_.size() - 1)];
      write(one);
    });
  }

  void write(Conversation& one) {
    ssize_t sent = send(one.socket, one.answer.data(), one.answer.size(), MSG_NOSIGNAL);
    if (sent > 0) one.answer.erase(0, static_cast<std::size_t>(sent));
    if (one.answer.empty() || (sent < 0 && errno != EAGAIN)) {
      shutdown(one.socket, SHUT_WR);
      return;
    }
    one.readiness->when_writable([this, &one] { write(one); });
  }

  std::string shown(std::string text) const {
    auto replace = [&text](const std::string& from, const std::string& to) {
      for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
        text.replace(at, from.size(), to);
    };
    replace("\r\n", "\n");
    replace(host_, "HOST");
    if (std::size_t at = text.find("Accept-Encoding: "); at != std::string::npos)
      text.erase(at, text.find('\n', at) + 1 - at);
    return text;
  }

  Loop& loop_;
  int socket_ = -1;
  std::string host_;
  std::unique_ptr<Readiness> readiness_;
  std::list<Conversation> conversations_;
  std::vector<std::string> answers_;
  std::size_t next_ = 0;
};

// "GET /path HTTP/1.1" with what our client always sends, then `headers` and `body`.
inline std::string request_text(const std::string& line, const std::string& headers,
                                const std::string& body = "", bool accepts_anything = true) {
  std::string length =
      line.starts_with("GET") ? "" : "Content-Length: " + std::to_string(body.size()) + "\n";
  return line + " HTTP/1.1\nHost: HOST\nUser-Agent: slipway\n" +
         (accepts_anything ? "Accept: */*\n" : "") + headers + length + "\n" + body;
}

inline Time at_seconds(std::int64_t seconds) { return Time(std::chrono::seconds(seconds)); }

class ProviderTest : public ::testing::Test {
 protected:
  Result<Answer> ask(ProviderSpec spec, Query query) {
    auto provider = make_provider(std::move(spec), connections_);
    if (!provider) return std::unexpected(provider.error());
    return run_to_end(*loop_, (*provider)->query(std::move(query)));
  }
  std::string online(ProviderSpec spec) {
    auto provider = make_provider(std::move(spec), connections_);
    if (!provider) return provider.error().text();
    auto result = run_to_end(*loop_, (*provider)->is_online());
    return result ? "online" : result.error().text();
  }
  // What making the provider says.
  std::string refusal(ProviderSpec spec) {
    auto provider = make_provider(std::move(spec), connections_);
    return provider ? "made" : provider.error().text();
  }

  std::unique_ptr<Loop> loop_ = make_loop();
  std::map<std::string, std::string> environment_;
  Connections connections_{*loop_, [this](const std::string& name) { return environment_[name]; }};
  RecordingServer server_{*loop_};
};

// "label=value 10@1700000000 11@1700000060; …"
inline std::string text_of(const Result<Answer>& answer) {
  if (!answer) return std::string(to_string(answer.error().code)) + ": " + answer.error().message;
  std::string text;
  for (const Series& series : answer->series) {
    if (!text.empty()) text += "; ";
    std::string part;
    for (const auto& [name, value] : series.labels) part += name + "=" + value + " ";
    for (const Point& point : series.points) {
      std::string number;
      json::append_number(number, point.value);
      part += number + "@" +
              std::to_string(
                  std::chrono::floor<std::chrono::seconds>(point.time).time_since_epoch().count()) +
              " ";
    }
    if (!part.empty()) part.pop_back();
    text += part;
  }
  return text.empty() ? "nothing" : text;
}

}  // namespace slipway::metrics::testing
