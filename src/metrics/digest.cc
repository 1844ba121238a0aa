#include "metrics/digest.h"

#include <fmt/format.h>
#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>

#include <algorithm>
#include <memory>

#include "base/base64.h"

namespace slipway::metrics {

namespace {

template <auto kFree>
struct FreeWith {
  template <class T>
  void operator()(T* pointer) const {
    kFree(pointer);
  }
};
using Bio = std::unique_ptr<BIO, FreeWith<BIO_free_all>>;
using Key = std::unique_ptr<EVP_PKEY, FreeWith<EVP_PKEY_free>>;
using Context = std::unique_ptr<EVP_MD_CTX, FreeWith<EVP_MD_CTX_free>>;

const unsigned char* bytes_of(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

// A key with a password is refused, not asked for on the terminal.
int no_password(char*, int, int, void*) { return -1; }

}  // namespace

std::string sha256(std::string_view bytes) {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int size = 0;
  SLIPWAY_ASSERT(EVP_Digest(bytes.data(), bytes.size(), digest, &size, EVP_sha256(), nullptr) == 1);
  return {reinterpret_cast<char*>(digest), size};
}

std::string hmac_sha256(std::string_view key, std::string_view bytes) {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int size = 0;
  SLIPWAY_ASSERT(HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()), bytes_of(bytes),
                      bytes.size(), digest, &size) != nullptr);
  return {reinterpret_cast<char*>(digest), size};
}

std::string lower_hex(std::string_view bytes) {
  std::string hex;
  for (char c : bytes) hex += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return hex;
}

std::string base64_url(std::string_view bytes) {
  std::string text = base64_encode(bytes);
  std::replace(text.begin(), text.end(), '+', '-');
  std::replace(text.begin(), text.end(), '/', '_');
  while (text.ends_with('=')) text.pop_back();
  return text;
}

Result<std::string> sign_rs256(const std::string& key_pem, std::string_view bytes) {
  Bio source(BIO_new_mem_buf(key_pem.data(), static_cast<int>(key_pem.size())));
  Key key(PEM_read_bio_PrivateKey(source.get(), nullptr, no_password, nullptr));
  if (!key || EVP_PKEY_get_base_id(key.get()) != EVP_PKEY_RSA) {
    return fail(ErrorCode::kInvalid, "the private key is no RSA key in PEM");
  }
  Context context(EVP_MD_CTX_new());
  std::size_t size = 0;
  if (EVP_DigestSignInit(context.get(), nullptr, EVP_sha256(), nullptr, key.get()) != 1 ||
      EVP_DigestSign(context.get(), nullptr, &size, bytes_of(bytes), bytes.size()) != 1) {
    return fail(ErrorCode::kInvalid, "the private key cannot sign");
  }
  std::string signature(size, '\0');
  if (EVP_DigestSign(context.get(), reinterpret_cast<unsigned char*>(signature.data()), &size,
                     bytes_of(bytes), bytes.size()) != 1) {
    return fail(ErrorCode::kInvalid, "the private key cannot sign");
  }
  signature.resize(size);
  return signature;
}

}  // namespace slipway::metrics
