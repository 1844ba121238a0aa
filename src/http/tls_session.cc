#include "http/tls_session.h"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <limits>

namespace slipway::http {

namespace {

// A BIO of our own because OpenSSL's writes without MSG_NOSIGNAL: a client that has gone would end
// the program with SIGPIPE.
TlsSession::Socket& socket_of(BIO* bio) {
  return *static_cast<TlsSession::Socket*>(BIO_get_data(bio));
}

bool would_block() { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR; }

int socket_write(BIO* bio, const char* data, int size) {
  BIO_clear_retry_flags(bio);
  const auto& [socket, more_follows] = socket_of(bio);
  ssize_t sent = send(socket, data, static_cast<std::size_t>(size),
                      MSG_NOSIGNAL | (more_follows ? MSG_MORE : 0));
  if (sent < 0 && would_block()) BIO_set_retry_write(bio);
  return static_cast<int>(sent);
}

int socket_read(BIO* bio, char* data, int size) {
  BIO_clear_retry_flags(bio);
  ssize_t got = recv(socket_of(bio).number, data, static_cast<std::size_t>(size), 0);
  if (got < 0 && would_block()) BIO_set_retry_read(bio);
  return static_cast<int>(got);
}

long socket_control(BIO*, int command, long, void*) { return command == BIO_CTRL_FLUSH ? 1 : 0; }

BIO_METHOD* make_socket_method() {
  BIO_METHOD* method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "socket");
  SLIPWAY_ASSERT(method != nullptr);
  BIO_meth_set_write(method, socket_write);
  BIO_meth_set_read(method, socket_read);
  BIO_meth_set_ctrl(method, socket_control);
  return method;
}

BIO* make_socket_bio(TlsSession::Socket& socket) {
  static const BIO_METHOD* method = make_socket_method();
  BIO* bio = BIO_new(method);
  SLIPWAY_ASSERT(bio != nullptr);
  BIO_set_data(bio, &socket);
  BIO_set_init(bio, 1);
  return bio;
}

// Of what the client offers, HTTP/1.1; without it, no protocol is named and HTTP/1.1 is spoken.
int choose_protocol(SSL*, const unsigned char** chosen, unsigned char* size,
                    const unsigned char* offered, unsigned int offered_size, void*) {
  static constexpr unsigned char kProtocols[] = "\x08http/1.1";
  unsigned char* found = nullptr;
  if (SSL_select_next_proto(&found, size, kProtocols, sizeof(kProtocols) - 1, offered,
                            offered_size) != OPENSSL_NPN_NEGOTIATED) {
    return SSL_TLSEXT_ERR_NOACK;
  }
  *chosen = found;
  return SSL_TLSEXT_ERR_OK;
}

struct FreeBio {
  void operator()(BIO* bio) const { BIO_free(bio); }
};
struct FreeX509 {
  void operator()(X509* certificate) const { X509_free(certificate); }
};
struct FreeKey {
  void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
};
using Pem = std::unique_ptr<BIO, FreeBio>;

Pem open_pem(const std::string& text) {
  return Pem(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}

std::unexpected<Error> unusable(const char* what) {
  unsigned long code = ERR_get_error();
  ERR_clear_error();
  const char* reason = code != 0 ? ERR_reason_error_string(code) : nullptr;
  return fail(ErrorCode::kInvalid,
              std::string("the TLS ") + what + ": " + (reason ? reason : "not a PEM text"));
}

struct FreeChain {
  void operator()(STACK_OF(X509) * chain) const { sk_X509_pop_free(chain, X509_free); }
};

}  // namespace

Result<std::unique_ptr<TlsContext>> TlsContext::make(const std::string& certificate_pem,
                                                     const std::string& key_pem) {
  std::unique_ptr<TlsContext> made(new TlsContext(SSL_CTX_new(TLS_server_method())));
  SSL_CTX* context = made->get();
  SLIPWAY_ASSERT(context != nullptr);
  SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
  SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_CIPHER_SERVER_PREFERENCE);
  SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE |
                                SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  // The cheapest of the strong ones first, as Go's servers have them.
  int known = SSL_CTX_set_ciphersuites(
      context, "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256");
  SLIPWAY_ASSERT(known == 1);
  static constexpr unsigned char kSessionContext[] = "slipway";
  SSL_CTX_set_session_id_context(context, kSessionContext, sizeof(kSessionContext) - 1);
  SSL_CTX_set_alpn_select_cb(context, choose_protocol, nullptr);

  SLIPWAY_TRY(made->use(certificate_pem, key_pem));
  return made;
}

Result<> TlsContext::use(const std::string& certificate_pem, const std::string& key_pem) {
  ERR_clear_error();
  Pem text = open_pem(certificate_pem);
  std::unique_ptr<X509, FreeX509> first(PEM_read_bio_X509(text.get(), nullptr, nullptr, nullptr));
  if (!first) return unusable("certificate");
  std::unique_ptr<STACK_OF(X509), FreeChain> chain(sk_X509_new_null());
  while (X509* next = PEM_read_bio_X509(text.get(), nullptr, nullptr, nullptr))
    sk_X509_push(chain.get(), next);
  ERR_clear_error();  // the end of the text is reported as an error
  Pem key_text = open_pem(key_pem);
  std::unique_ptr<EVP_PKEY, FreeKey> key(
      PEM_read_bio_PrivateKey(key_text.get(), nullptr, nullptr, nullptr));
  constexpr int kOverride = 1;
  if (!key || SSL_CTX_use_cert_and_key(get(), first.get(), key.get(), chain.get(), kOverride) != 1)
    return unusable("key");
  return {};
}

TlsSession::TlsSession(const TlsContext& context, int socket)
    : socket_{.number = socket}, session_(SSL_new(context.get())) {
  SLIPWAY_ASSERT(session_ != nullptr);
  BIO* bio = make_socket_bio(socket_);
  SSL_set_bio(session_.get(), bio, bio);
  SSL_set_accept_state(session_.get());
}

Io TlsSession::handshake() {
  ERR_clear_error();
  return outcome(SSL_do_handshake(session_.get()));
}

Io TlsSession::read(std::span<char> into) {
  ERR_clear_error();
  return outcome(SSL_read(session_.get(), into.data(), static_cast<int>(into.size())));
}

Io TlsSession::write(std::string_view bytes, bool more_follows) {
  ERR_clear_error();
  auto size = std::min<std::size_t>(bytes.size(), std::numeric_limits<int>::max());
  socket_.more_follows = more_follows;
  int result = SSL_write(session_.get(), bytes.data(), static_cast<int>(size));
  socket_.more_follows = false;
  return outcome(result);
}

void TlsSession::say_goodbye() {
  ERR_clear_error();
  if (!broken_ && SSL_is_init_finished(session_.get())) SSL_shutdown(session_.get());
}

Io TlsSession::outcome(int result) {
  if (result > 0) return {Io::State::kDone, static_cast<std::size_t>(result)};
  switch (SSL_get_error(session_.get(), result)) {
    case SSL_ERROR_WANT_READ:
      return {Io::State::kWantRead};
    case SSL_ERROR_WANT_WRITE:
      return {Io::State::kWantWrite};
    case SSL_ERROR_ZERO_RETURN:
      return {Io::State::kEnd};
    default:
      // OpenSSL forbids any further use, SSL_shutdown included.
      broken_ = true;
      return {Io::State::kFailed};
  }
}

}  // namespace slipway::http
