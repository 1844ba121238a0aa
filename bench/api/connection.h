#pragma once

#include <string>
#include <string_view>
#include <vector>

using ssl_st_handle = struct ssl_st*;
using ssl_ctx_handle = struct ssl_ctx_st*;

namespace bench {

struct Target {
  std::string host;
  int port = 0;
  std::string token;
};

// One blocking keep-alive TLS connection that speaks just enough HTTP/1.1. The certificate is not
// checked: this is a stopwatch, not a client.
class Connection {
 public:
  explicit Connection(const Target& target);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // Sends a request and reads the whole answer. Ends the program when the connection breaks.
  int exchange(std::string_view method, std::string_view path, std::string_view body,
               std::string& answer);
  // Sends a watch and reads its head.
  void open_watch(std::string_view path);
  // The next line of the watch.
  std::string read_line();

 private:
  void send(std::string_view method, std::string_view path, std::string_view body);
  int read_head();
  void fill();
  std::string take_line();
  void take(std::size_t bytes, std::string& into);
  void read_chunked(std::string& into);

  Target target_;
  int socket_ = -1;
  ssl_ctx_handle context_ = nullptr;
  ssl_st_handle tls_ = nullptr;
  static constexpr int kBuffer = 65536;
  std::vector<char> buffer_ = std::vector<char>(kBuffer);  // [used_, filled_) is to be taken
  int used_ = 0;
  int filled_ = 0;
  std::string chunk_;  // of a watch
  long content_length_ = -1;
  bool chunked_ = false;
};

}  // namespace bench
