#include "api/connection.h"

#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/ssl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <arpa/inet.h>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace bench {

namespace {

[[noreturn]] void die(std::string_view why) {
  std::fprintf(stderr, "load: %.*s\n", static_cast<int>(why.size()), why.data());
  std::exit(3);
}

}  // namespace

Connection::Connection(const Target& target) : target_(target) {
  socket_ = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(target.port));
  ::inet_pton(AF_INET, target.host.c_str(), &address.sin_addr);
  if (::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0)
    die("cannot connect");
  const int on = 1;
  ::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  context_ = SSL_CTX_new(TLS_client_method());
  // What the stopwatch itself costs is billed to the servers: some records a system call, not two
  // calls a record.
  SSL_CTX_set_read_ahead(context_, 1);
  SSL_CTX_set_default_read_buffer_len(context_, kBuffer);
  tls_ = SSL_new(context_);
  SSL_set_fd(tls_, socket_);
  if (SSL_connect(tls_) != 1) die("TLS handshake failed");
}

Connection::~Connection() {
  SSL_free(tls_);
  SSL_CTX_free(context_);
  ::close(socket_);
}

void Connection::send(std::string_view method, std::string_view path, std::string_view body) {
  const std::string request = fmt::format(
      "{} {} HTTP/1.1\r\nHost: {}:{}\r\nAuthorization: Bearer {}\r\nAccept: application/json\r\n"
      "Accept-Encoding: identity\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{}",
      method, path, target_.host, target_.port, target_.token, body.size(), body);
  if (SSL_write(tls_, request.data(), static_cast<int>(request.size())) <= 0) die("cannot send");
}

void Connection::fill() {
  if (used_ > 0) std::copy(buffer_.begin() + used_, buffer_.begin() + filled_, buffer_.begin());
  filled_ -= std::exchange(used_, 0);
  if (filled_ == kBuffer) die("a line does not end");
  const int got = SSL_read(tls_, buffer_.data() + filled_, kBuffer - filled_);
  if (got <= 0) die("the server closed the connection");
  filled_ += got;
}

std::string Connection::take_line() {
  while (true) {
    const std::string_view there(buffer_.data() + used_, static_cast<std::size_t>(filled_ - used_));
    if (auto end = there.find("\r\n"); end != std::string_view::npos) {
      used_ += static_cast<int>(end) + 2;
      return std::string(there.substr(0, end));
    }
    fill();
  }
}

void Connection::take(std::size_t bytes, std::string& into) {
  while (bytes > 0) {
    if (used_ == filled_) fill();
    const std::size_t now = std::min(bytes, static_cast<std::size_t>(filled_ - used_));
    into.append(buffer_.data() + used_, now);
    used_ += static_cast<int>(now);
    bytes -= now;
  }
}

int Connection::read_head() {
  const std::string first = take_line();
  content_length_ = 0;
  chunked_ = false;
  for (std::string line = take_line(); !line.empty(); line = take_line()) {
    for (char& c : line) c = static_cast<char>(std::tolower(c));
    if (line.starts_with("content-length:")) content_length_ = std::atol(line.c_str() + 15);
    if (line.starts_with("transfer-encoding: chunked")) chunked_ = true;
  }
  return first.size() > 12 ? std::atoi(first.c_str() + 9) : 0;
}

void Connection::read_chunked(std::string& into) {
  while (true) {
    const auto size = std::strtoul(take_line().c_str(), nullptr, 16);
    if (size == 0) {
      take_line();
      return;
    }
    take(size, into);
    take_line();
  }
}

int Connection::exchange(std::string_view method, std::string_view path, std::string_view body,
                         std::string& answer) {
  answer.clear();
  send(method, path, body);
  const int status = read_head();
  if (chunked_)
    read_chunked(answer);
  else
    take(static_cast<std::size_t>(content_length_), answer);
  return status;
}

void Connection::open_watch(std::string_view path) {
  send("GET", path, "");
  if (const int status = read_head(); status != 200 || !chunked_)
    die(fmt::format("watch answered {}", status));
}

std::string Connection::read_line() {
  while (true) {
    if (auto end = chunk_.find('\n'); end != std::string::npos) {
      std::string line = chunk_.substr(0, end);
      chunk_.erase(0, end + 1);
      return line;
    }
    const auto size = std::strtoul(take_line().c_str(), nullptr, 16);
    if (size == 0) die("the watch ended");
    take(size, chunk_);
    take_line();
  }
}

}  // namespace bench
