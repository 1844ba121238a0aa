#include "http/multi.h"

namespace slipway::http {

namespace {

constexpr long kMaxIdleConnections = 128;
constexpr std::size_t kMaxKept = 128;  // handles
constexpr long kMaxConnections = 1024;

template <class Value>
void set_multi_option(CURLM* multi, CURLMoption option, Value value) {
  SLIPWAY_ASSERT(curl_multi_setopt(multi, option, value) == CURLM_OK);
}

}  // namespace

struct Multi::Socket {
  Socket(Loop& loop, curl_socket_t number) : readiness(loop, number) {}
  Readiness readiness;
  bool wants_read = false;
  bool wants_write = false;
  bool read_armed = false;
  bool write_armed = false;
};

Multi::Multi(Loop& loop) : loop_(loop), multi_(curl_multi_init()) {
  SLIPWAY_ASSERT(multi_ != nullptr);
  set_multi_option(multi_, CURLMOPT_SOCKETFUNCTION, &Multi::on_socket);
  set_multi_option(multi_, CURLMOPT_SOCKETDATA, this);
  set_multi_option(multi_, CURLMOPT_TIMERFUNCTION, &Multi::on_timer);
  set_multi_option(multi_, CURLMOPT_TIMERDATA, this);
  set_multi_option(multi_, CURLMOPT_MAXCONNECTS, kMaxIdleConnections);
  set_multi_option(multi_, CURLMOPT_MAX_TOTAL_CONNECTIONS, kMaxConnections);
}

Multi::~Multi() {
  SLIPWAY_ASSERT(running_.empty());
  curl_multi_cleanup(multi_);
}

Easy Multi::take_easy() {
  Easy easy;
  if (kept_.empty()) {
    easy.reset(curl_easy_init());
  } else {
    easy = std::move(kept_.back());
    kept_.pop_back();
  }
  SLIPWAY_ASSERT(easy != nullptr);
  return easy;
}

void Multi::keep(Easy easy) {
  if (kept_.size() >= kMaxKept) return;
  curl_easy_reset(easy.get());
  kept_.push_back(std::move(easy));
}

void Multi::add(Transfer& transfer) {
  running_.insert(&transfer);
  SLIPWAY_ASSERT(curl_multi_add_handle(multi_, transfer.easy()) == CURLM_OK);
}

void Multi::remove(Transfer& transfer) {
  if (running_.erase(&transfer) > 0) curl_multi_remove_handle(multi_, transfer.easy());
}

int Multi::on_socket(CURL*, curl_socket_t socket, int what, void* self, void*) {
  static_cast<Multi*>(self)->follow(socket, what);
  return 0;
}

int Multi::on_timer(CURLM*, long milliseconds, void* self) {
  auto& multi = *static_cast<Multi*>(self);
  multi.timer_.reset();
  if (milliseconds >= 0) {
    multi.timer_ = multi.loop_.clock().call_after(std::chrono::milliseconds(milliseconds),
                                                  [&multi] { multi.act(CURL_SOCKET_TIMEOUT, 0); });
  }
  return 0;
}

void Multi::follow(curl_socket_t socket, int what) {
  if (what == CURL_POLL_REMOVE) {
    sockets_.erase(socket);
    return;
  }
  auto& entry = sockets_[socket];
  if (!entry) entry = std::make_unique<Socket>(loop_, socket);
  entry->wants_read = (what & CURL_POLL_IN) != 0;
  entry->wants_write = (what & CURL_POLL_OUT) != 0;
  arm(socket);
}

// A wait that libcurl has lost interest in stays armed: when it comes, nothing is told.
void Multi::arm(curl_socket_t number) {
  auto it = sockets_.find(number);
  if (it == sockets_.end()) return;
  Socket& socket = *it->second;
  if (socket.wants_read && !std::exchange(socket.read_armed, true)) {
    socket.readiness.when_readable([this, number, &socket] {
      socket.read_armed = false;
      if (socket.wants_read) act(number, CURL_CSELECT_IN);
    });
  }
  if (socket.wants_write && !std::exchange(socket.write_armed, true)) {
    socket.readiness.when_writable([this, number, &socket] {
      socket.write_armed = false;
      if (socket.wants_write) act(number, CURL_CSELECT_OUT);
    });
  }
}

void Multi::act(curl_socket_t socket, int events) {
  int running = 0;
  curl_multi_socket_action(multi_, socket, events, &running);
  collect_finished();
  arm(socket);
}

void Multi::collect_finished() {
  int waiting = 0;
  while (CURLMsg* message = curl_multi_info_read(multi_, &waiting)) {
    if (message->msg != CURLMSG_DONE) continue;
    // The message goes with its handle.
    CURLcode code = message->data.result;
    Transfer* transfer = Transfer::of(message->easy_handle);
    remove(*transfer);
    transfer->finish(code);
  }
}

}  // namespace slipway::http
