#pragma once

#include <openssl/ssl.h>

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/error.h"

namespace slipway::http {

// What one non-blocking step of reading or writing came to.
struct Io {
  enum class State { kDone, kWantRead, kWantWrite, kEnd, kFailed };
  State state = State::kFailed;
  std::size_t bytes = 0;  // with kDone
};

// The certificate and rules of a TLS server: TLS 1.2 and 1.3, HTTP/1.1 by ALPN.
class TlsContext {
 public:
  // Errors: kInvalid when the certificate or the key cannot be read, or they are no pair.
  static Result<std::unique_ptr<TlsContext>> make(const std::string& certificate_pem,
                                                  const std::string& key_pem);
  // Gives sessions that begin from now on another certificate; both or, on an error as of make(),
  // nothing is changed.
  Result<> use(const std::string& certificate_pem, const std::string& key_pem);
  SSL_CTX* get() const { return context_.get(); }

 private:
  struct Free {
    void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
  };
  explicit TlsContext(SSL_CTX* context) : context_(context) {}
  std::unique_ptr<SSL_CTX, Free> context_;
};

// The server's side of one TLS connection on a non-blocking socket. Holds no buffers while idle.
class TlsSession {
 public:
  struct Socket {
    int number = -1;
    bool more_follows = false;
  };

  TlsSession(const TlsContext& context, int socket);
  TlsSession(const TlsSession&) = delete;  // OpenSSL knows where its socket is
  TlsSession& operator=(const TlsSession&) = delete;

  Io handshake();
  Io read(std::span<char> into);
  // After kWantRead or kWantWrite, the same bytes come again, at any address. With `more_follows`
  // the system may wait for it, and send larger packets.
  Io write(std::string_view bytes, bool more_follows);
  // Tells the client that this is the end; does not wait for its answer.
  void say_goodbye();

 private:
  struct Free {
    void operator()(SSL* session) const { SSL_free(session); }
  };
  Io outcome(int result);

  Socket socket_;
  std::unique_ptr<SSL, Free> session_;
  bool broken_ = false;
};

}  // namespace slipway::http
