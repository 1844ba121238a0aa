#pragma once

#include <curl/curl.h>

#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "async/loop.h"
#include "async/readiness.h"
#include "http/transfer.h"

namespace slipway::http {

// libcurl's multi handle on the loop: all transfers of a client and the connections they share.
class Multi {
 public:
  explicit Multi(Loop& loop);
  ~Multi();  // asserts that nothing runs
  Multi(const Multi&) = delete;

  void add(Transfer& transfer);
  // Ends a transfer early; nothing when it is done.
  void remove(Transfer& transfer);

  // A handle for a transfer, and back when that has left: making one anew costs more than many a
  // request.
  Easy take_easy();
  void keep(Easy easy);

  Loop& loop() { return loop_; }

 private:
  struct Socket;

  static int on_socket(CURL*, curl_socket_t socket, int what, void* self, void*);
  static int on_timer(CURLM*, long milliseconds, void* self);
  void follow(curl_socket_t socket, int what);
  void arm(curl_socket_t socket);
  void act(curl_socket_t socket, int events);
  void collect_finished();

  Loop& loop_;
  CURLM* multi_;
  std::unordered_map<curl_socket_t, std::unique_ptr<Socket>> sockets_;
  std::unordered_set<Transfer*> running_;
  std::vector<Easy> kept_;
  std::unique_ptr<Clock::Timer> timer_;
};

}  // namespace slipway::http
