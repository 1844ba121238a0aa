#include "store/kube/credentials.h"

#include <fmt/format.h>

#include "base/base64.h"
#include "base/file.h"
#include "base/log.h"

namespace slipway::store::kube {

namespace {

constexpr std::size_t kMaxTokenBytes = 64 * 1024;

std::string bearer(std::string_view token) {
  return token.empty() ? std::string() : fmt::format("Bearer {}", token);
}

std::string static_authorization(const Access& access) {
  if (!access.token.empty()) return bearer(access.token);
  if (access.username.empty() && access.password.empty()) return {};
  return "Basic " + base64_encode(access.username + ":" + access.password);
}

}  // namespace

Credentials::Credentials(Loop& loop, Pool& pool, Access access)
    : loop_(loop), pool_(pool), access_(std::move(access)), turn_(loop, 1) {
  current_.authorization = static_authorization(access_);
  current_.client = http::make_client(loop_, access_.tls);
}

bool Credentials::fresh() const {
  if (access_.token_file.empty() && !access_.exec) return true;
  if (!renewed_) return false;
  const Duration age = loop_.clock().uptime() - *renewed_;
  if (access_.exec) {
    if (failure_) return age < kExecPause;
    return !refused_ && (!expires_ || loop_.clock().now() < *expires_);
  }
  return !refused_ && age < kTokenFileAge;
}

Task<Result<Credentials::Current>> Credentials::get(std::stop_token stop) {
  if (!fresh()) {
    std::optional<Limit::Permit> permit = co_await turn_.enter(stop);
    if (!permit) co_return fail(ErrorCode::kCancelled, "stopped");
    if (!fresh()) SLIPWAY_CO_TRY(co_await renew());
  }
  if (failure_) co_return fail(*failure_);
  co_return current_;
}

bool Credentials::refuse(std::uint64_t generation) {
  if (access_.token_file.empty() && !access_.exec) return false;
  const Duration now = loop_.clock().uptime();
  if (access_.exec && renewed_after_refusal_ && now - *renewed_after_refusal_ < kExecPause) {
    return generation != current_.generation;
  }
  if (generation == current_.generation) refused_ = true;
  return true;
}

Task<Result<>> Credentials::renew() {
  Result<> renewed = access_.exec ? co_await run_plugin() : co_await read_token_file();
  if (refused_) renewed_after_refusal_ = renewed_;
  refused_ = false;
  co_return renewed;
}

Task<Result<>> Credentials::read_token_file() {
  // A copy: nothing of this object is touched on the pool.
  Result<std::string> token = co_await blocking(
      loop_, pool_, [path = access_.token_file] { return file::read(path, kMaxTokenBytes); });
  if (token) {
    while (!token->empty() && (token->back() == '\n' || token->back() == '\r' ||
                               token->back() == ' ' || token->back() == '\t')) {
      token->pop_back();
    }
    if (token->empty() || http::printable_line(*token) != *token) {
      token = fail(ErrorCode::kInvalid, fmt::format("{}: holds no token", access_.token_file));
    }
  }
  if (!token) {
    // An old token may still be good: rotation replaces the file, and may be half way.
    if (current_.authorization.empty()) {
      co_return fail(ErrorCode::kUnauthorized, std::move(token).error().message);
    }
    log::warning("kube", "token file: {}", token.error().message);
    renewed_ = loop_.clock().uptime();
    co_return Result<>();
  }
  current_.authorization = bearer(*token);
  ++current_.generation;
  renewed_ = loop_.clock().uptime();
  co_return Result<>();
}

Task<Result<>> Credentials::run_plugin() {
  Result<ExecCredential> credential =
      co_await blocking(loop_, pool_, [access = access_] { return run_exec_plugin(access); });
  renewed_ = loop_.clock().uptime();
  failure_.reset();
  if (!credential) {
    failure_ = credential.error();
    co_return std::unexpected(std::move(credential).error());
  }
  use(std::move(*credential));
  co_return Result<>();
}

void Credentials::use(ExecCredential credential) {
  expires_ = credential.expires;
  current_.authorization = bearer(credential.token);
  ++current_.generation;
  if (credential.certificate_pem == access_.tls.certificate_pem &&
      credential.key_pem == access_.tls.key_pem) {
    return;
  }
  if (credential.certificate_pem.empty()) return;
  access_.tls.certificate_pem = std::move(credential.certificate_pem);
  access_.tls.key_pem = std::move(credential.key_pem);
  current_.client = http::make_client(loop_, access_.tls);
}

}  // namespace slipway::store::kube
