#include "http/certificate.h"

#include <arpa/inet.h>
#include <openssl/bn.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <memory>

namespace slipway::http {

namespace {

using namespace std::chrono_literals;

constexpr auto kAuthorityLife = std::chrono::hours(24 * 365 * 10);
constexpr auto kCertificateLife = std::chrono::hours(24 * 365);
constexpr auto kRenewBefore = kCertificateLife / 10;
constexpr auto kBackdated = 5min;  // for clocks that are a little late
constexpr int kSerialBits = 127;   // at most 20 bytes, and positive

template <auto function>
struct FreeWith {
  template <class T>
  void operator()(T* pointer) const {
    function(pointer);
  }
};
using Certificate = std::unique_ptr<X509, FreeWith<X509_free>>;
using Key = std::unique_ptr<EVP_PKEY, FreeWith<EVP_PKEY_free>>;
using Memory = std::unique_ptr<BIO, FreeWith<BIO_free>>;
using Number = std::unique_ptr<BIGNUM, FreeWith<BN_free>>;
using Extension = std::unique_ptr<X509_EXTENSION, FreeWith<X509_EXTENSION_free>>;

bool is_address(const std::string& name) {
  in6_addr unused;
  return inet_pton(AF_INET, name.c_str(), &unused) == 1 ||
         inet_pton(AF_INET6, name.c_str(), &unused) == 1;
}

Memory open_memory(const std::string& text) {
  return Memory(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}

Certificate read_certificate(const std::string& pem) {
  Memory text = open_memory(pem);
  Certificate read(PEM_read_bio_X509(text.get(), nullptr, nullptr, nullptr));
  ERR_clear_error();
  return read;
}

Key read_key(const std::string& pem) {
  Memory text = open_memory(pem);
  Key read(PEM_read_bio_PrivateKey(text.get(), nullptr, nullptr, nullptr));
  ERR_clear_error();
  return read;
}

template <class Write>
std::string write_pem(Write write) {
  Memory memory(BIO_new(BIO_s_mem()));
  SLIPWAY_ASSERT(memory && write(memory.get()) == 1);
  char* data = nullptr;
  long size = BIO_get_mem_data(memory.get(), &data);
  return std::string(data, static_cast<std::size_t>(size));
}

KeyPair to_pem(X509* certificate, EVP_PKEY* key) {
  return {
      .certificate_pem = write_pem([=](BIO* out) { return PEM_write_bio_X509(out, certificate); }),
      .key_pem = write_pem([=](BIO* out) {
        return PEM_write_bio_PKCS8PrivateKey(out, key, nullptr, nullptr, 0, nullptr, nullptr);
      })};
}

void set_time(ASN1_TIME* field, Time time) {
  auto seconds = std::chrono::floor<std::chrono::seconds>(time).time_since_epoch().count();
  SLIPWAY_ASSERT(ASN1_TIME_adj(field, static_cast<time_t>(seconds), 0, 0) != nullptr);
}

// A version 3 certificate for `key`, with a random serial, valid from now on.
Certificate begin_certificate(EVP_PKEY* key, const std::string& name, Time now, Duration life) {
  Certificate made(X509_new());
  SLIPWAY_ASSERT(made != nullptr);
  X509_set_version(made.get(), X509_VERSION_3);
  Number serial(BN_new());
  SLIPWAY_ASSERT(BN_rand(serial.get(), kSerialBits, BN_RAND_TOP_ONE, BN_RAND_BOTTOM_ANY) == 1);
  BN_to_ASN1_INTEGER(serial.get(), X509_get_serialNumber(made.get()));
  set_time(X509_getm_notBefore(made.get()), now - kBackdated);
  set_time(X509_getm_notAfter(made.get()), now + life);
  X509_NAME* subject = X509_get_subject_name(made.get());
  X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8,
                             reinterpret_cast<const unsigned char*>(name.data()),
                             static_cast<int>(name.size()), -1, 0);
  SLIPWAY_ASSERT(X509_set_pubkey(made.get(), key) == 1);
  return made;
}

bool extend(X509* certificate, X509* issuer, int kind, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  Extension extension(X509V3_EXT_conf_nid(nullptr, &context, kind, value.c_str()));
  return extension && X509_add_ext(certificate, extension.get(), -1) == 1;
}

std::string subject_alternatives(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    if (!text.empty()) text += ',';
    text += (is_address(name) ? "IP:" : "DNS:") + name;
  }
  return text;
}

// The name goes into OpenSSL's little configuration language, where commas and colons mean
// something.
bool is_plain_name(const std::string& name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '-' || c == '*';
  });
}

Key make_key() { return Key(EVP_PKEY_Q_keygen(nullptr, nullptr, "EC", "P-256")); }

bool covers(X509* certificate, const std::string& name) {
  if (is_address(name)) return X509_check_ip_asc(certificate, name.c_str(), 0) == 1;
  return X509_check_host(certificate, name.c_str(), name.size(), 0, nullptr) == 1;
}

bool is_before(const ASN1_TIME* field, Time time) {
  auto seconds = std::chrono::floor<std::chrono::seconds>(time).time_since_epoch().count();
  return ASN1_TIME_cmp_time_t(field, static_cast<time_t>(seconds)) < 0;
}

}  // namespace

Result<KeyPair> make_authority(const std::string& name, Time now) {
  Key key = make_key();
  SLIPWAY_ASSERT(key != nullptr);
  Certificate made = begin_certificate(key.get(), name, now, kAuthorityLife);
  X509* self = made.get();
  X509_set_issuer_name(self, X509_get_subject_name(self));
  bool extended = extend(self, self, NID_basic_constraints, "critical,CA:TRUE,pathlen:0") &&
                  extend(self, self, NID_key_usage, "critical,keyCertSign,cRLSign") &&
                  extend(self, self, NID_subject_key_identifier, "hash");
  if (!extended || X509_sign(self, key.get(), EVP_sha256()) == 0) {
    return fail(ErrorCode::kInternal, "the certificate authority could not be signed");
  }
  return to_pem(self, key.get());
}

Result<KeyPair> make_certificate(const KeyPair& authority, const std::vector<std::string>& names,
                                 Time now) {
  Certificate issuer = read_certificate(authority.certificate_pem);
  Key issuer_key = read_key(authority.key_pem);
  if (!issuer || !issuer_key || X509_check_private_key(issuer.get(), issuer_key.get()) != 1) {
    ERR_clear_error();
    return fail(ErrorCode::kInvalid, "the certificate authority's certificate and key are no pair");
  }
  if (names.empty()) return fail(ErrorCode::kInvalid, "a certificate needs at least one name");
  for (const std::string& name : names) {
    if (!is_address(name) && !is_plain_name(name)) {
      return fail(ErrorCode::kInvalid, "\"" + name + "\" is neither an address nor a host name");
    }
  }
  Key key = make_key();
  SLIPWAY_ASSERT(key != nullptr);
  Certificate made = begin_certificate(key.get(), names.front(), now, kCertificateLife);
  X509_set_issuer_name(made.get(), X509_get_subject_name(issuer.get()));
  auto add = [&](int kind, const std::string& value) {
    return extend(made.get(), issuer.get(), kind, value);
  };
  bool extended = add(NID_basic_constraints, "critical,CA:FALSE") &&
                  add(NID_key_usage, "critical,digitalSignature") &&
                  add(NID_ext_key_usage, "serverAuth") && add(NID_subject_key_identifier, "hash") &&
                  add(NID_authority_key_identifier, "keyid:always") &&
                  add(NID_subject_alt_name, subject_alternatives(names));
  if (!extended || X509_sign(made.get(), issuer_key.get(), EVP_sha256()) == 0) {
    return fail(ErrorCode::kInternal, "the certificate could not be signed");
  }
  return to_pem(made.get(), key.get());
}

bool needs_renewal(const KeyPair& certificate, const KeyPair& authority,
                   const std::vector<std::string>& names, Time now) {
  Certificate own = read_certificate(certificate.certificate_pem);
  Key key = read_key(certificate.key_pem);
  Certificate issuer = read_certificate(authority.certificate_pem);
  bool sound = own && key && issuer && X509_check_private_key(own.get(), key.get()) == 1 &&
               X509_verify(own.get(), X509_get0_pubkey(issuer.get())) == 1 &&
               is_before(X509_get0_notBefore(own.get()), now) &&
               !is_before(X509_get0_notAfter(own.get()), now + kRenewBefore) &&
               std::all_of(names.begin(), names.end(),
                           [&](const std::string& name) { return covers(own.get(), name); });
  ERR_clear_error();
  return !sound;
}

std::vector<std::string> local_names() {
  return {"localhost", "127.0.0.1", "::1", "kubernetes.default.svc"};
}

}  // namespace slipway::http
