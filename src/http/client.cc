#include "http/client.h"

#include "http/multi.h"

namespace slipway::http {

namespace {

using Wake = Signal::Wake;

// What the requests of a client share. Shared: a stream may outlive the client it came from.
struct Core {
  Core(Loop& loop, Tls settings) : tls(std::move(settings)), multi(loop) {}
  Tls tls;
  Multi multi;
};

// A transfer that leaves the multi handle before it goes, whichever way its coroutine ends.
class Running {
 public:
  Running(std::shared_ptr<Core> core, ClientRequest request, Transfer::Kind kind)
      : core_(std::move(core)),
        transfer_(std::make_unique<Transfer>(core_->multi.loop(), core_->multi.take_easy(),
                                             std::move(request), core_->tls, kind)) {}
  Running(Running&&) = default;
  ~Running() {
    if (!transfer_) return;
    core_->multi.remove(*transfer_);
    core_->multi.keep(transfer_->give_back());
  }

  Result<void> start() {
    SLIPWAY_TRY(transfer_->prepare());
    core_->multi.add(*transfer_);
    return {};
  }
  Transfer* operator->() const { return transfer_.get(); }

 private:
  std::shared_ptr<Core> core_;
  std::unique_ptr<Transfer> transfer_;
};

class CurlStream final : public ResponseStream {
 public:
  explicit CurlStream(Running transfer) : transfer_(std::move(transfer)) {}

  int status() const override { return transfer_->response().status; }
  const Headers& headers() const override { return transfer_->response().headers; }

  Task<Result<std::string>> next(Duration idle, std::stop_token stop) override {
    while (transfer_->response().body.empty() && !transfer_->done()) {
      Wake wake = co_await transfer_->changed().wait(idle, stop);
      if (wake == Wake::kStopped) co_return transfer_->failure(ErrorCode::kCancelled, "stopped");
      if (wake == Wake::kTimeout) {
        co_return transfer_->failure(ErrorCode::kTimeout,
                                     "nothing has come for " + format_duration(idle));
      }
    }
    std::string piece = transfer_->take_body();
    if (piece.empty()) SLIPWAY_CO_TRY(transfer_->result());
    co_return piece;
  }

 private:
  Running transfer_;
};

class CurlClient final : public Client {
 public:
  CurlClient(Loop& loop, Tls tls) : core_(std::make_shared<Core>(loop, std::move(tls))) {}

  Task<Result<Response>> send(ClientRequest request, std::stop_token stop) override {
    Running transfer(core_, std::move(request), Transfer::Kind::kWhole);
    SLIPWAY_CO_TRY(transfer.start());
    while (!transfer->done()) {
      if (co_await transfer->changed().wait(stop) == Wake::kStopped) {
        co_return transfer->failure(ErrorCode::kCancelled, "stopped");
      }
    }
    SLIPWAY_CO_TRY(transfer->result());
    co_return std::move(transfer->response());
  }

  Task<Result<std::unique_ptr<ResponseStream>>> open(ClientRequest request,
                                                     std::stop_token stop) override {
    Clock& clock = core_->multi.loop().clock();
    Duration until = clock.uptime() + request.timeout;
    Duration timeout = request.timeout;
    Running transfer(core_, std::move(request), Transfer::Kind::kStream);
    SLIPWAY_CO_TRY(transfer.start());
    while (!transfer->done() && !transfer->head_arrived()) {
      Wake wake = co_await transfer->changed().wait(until - clock.uptime(), stop);
      if (wake == Wake::kStopped) co_return transfer->failure(ErrorCode::kCancelled, "stopped");
      if (wake == Wake::kTimeout) {
        co_return transfer->failure(ErrorCode::kTimeout,
                                    "no answer within " + format_duration(timeout));
      }
    }
    if (!transfer->head_arrived()) SLIPWAY_CO_TRY(transfer->result());
    co_return std::make_unique<CurlStream>(std::move(transfer));
  }

 private:
  std::shared_ptr<Core> core_;
};

}  // namespace

std::unique_ptr<Client> make_client(Loop& loop, Tls tls) {
  static const CURLcode initialised = curl_global_init(CURL_GLOBAL_DEFAULT);
  SLIPWAY_ASSERT(initialised == CURLE_OK);
  return std::make_unique<CurlClient>(loop, std::move(tls));
}

}  // namespace slipway::http
