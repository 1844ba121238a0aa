#include "cli/data_dir.h"

#include <fmt/format.h>

#include <cstdlib>

#include "base/base64.h"
#include "base/file.h"
#include "base/yaml.h"
#include "http/certificate.h"

namespace slipway::cli {

namespace {

constexpr unsigned kFolderMode = 0700;
constexpr unsigned kFileMode = 0600;
constexpr int kTokenLength = 40;

constexpr unsigned kOthersWrite = 0022;
constexpr unsigned kOthersRead = 0044;
constexpr unsigned kRoot = 0;

// Whoever may write to the folder can put other tokens, keys and objects there.
Result<> check_folder(const std::string& folder) {
  const auto found = file::status(folder);
  if (!found) return std::unexpected(found.error());
  if (found->owner != file::current_user() && found->owner != kRoot)
    return fail(ErrorCode::kForbidden,
                fmt::format("the data folder {} belongs to another user (uid {}); give a folder of "
                            "your own with --data",
                            folder, found->owner));
  if (found->mode & kOthersWrite)
    return fail(ErrorCode::kForbidden,
                fmt::format("others may write to the data folder {} (mode {:04o}); run `chmod 700 "
                            "{}` if all in it is yours, or give another with --data",
                            folder, found->mode, folder));
  return {};
}

Result<> check_secret(const std::string& path) {
  const auto found = file::status(path);
  if (!found)
    return found.error().code == ErrorCode::kNotFound ? Result<>{} : std::unexpected(found.error());
  if ((found->mode & (kOthersRead | kOthersWrite)) == 0) return {};
  return fail(ErrorCode::kForbidden,
              fmt::format("others may read or write {} (mode {:04o}); run `chmod 600 {}`", path,
                          found->mode, path));
}

// The text of a file, made by `make` and written when it is not there yet.
template <class Make>
Result<std::string> keep(const std::string& path, Make make) {
  auto text = file::read(path);
  if (text || text.error().code != ErrorCode::kNotFound) return text;
  auto made = make();
  if (!made) return made;
  SLIPWAY_TRY(file::write(path, *made, kFileMode));
  return made;
}

Result<std::string> keep_token(const std::string& path, Random& random) {
  auto text =
      keep(path, [&]() -> Result<std::string> { return random.suffix(kTokenLength) + "\n"; });
  if (!text) return text;
  while (!text->empty() && (text->back() == '\n' || text->back() == ' ')) text->pop_back();
  if (text->empty())
    return fail(ErrorCode::kInvalid,
                fmt::format("{} is empty; delete it to get a new token", path));
  return text;
}

Result<http::KeyPair> keep_authority(const std::string& folder, Time now) {
  const std::string certificate = folder + "/ca.crt", key = folder + "/ca.key";
  if (!file::exists(certificate) || !file::exists(key)) {
    auto made = http::make_authority("slipway", now);
    if (!made) return made;
    SLIPWAY_TRY(file::write(key, made->key_pem, kFileMode));
    SLIPWAY_TRY(file::write(certificate, made->certificate_pem, kFileMode));
    return made;
  }
  auto certificate_pem = file::read(certificate);
  if (!certificate_pem) return std::unexpected(certificate_pem.error());
  auto key_pem = file::read(key);
  if (!key_pem) return std::unexpected(key_pem.error());
  return http::KeyPair{*certificate_pem, *key_pem};
}

Result<http::KeyPair> keep_certificate(const std::string& folder, const http::KeyPair& authority,
                                       const std::vector<std::string>& names, Time now) {
  const std::string certificate = folder + "/server.crt", key = folder + "/server.key";
  const http::KeyPair there{file::read(certificate).value_or(""), file::read(key).value_or("")};
  if (!there.certificate_pem.empty() && !http::needs_renewal(there, authority, names, now))
    return there;
  auto made = http::make_certificate(authority, names, now);
  if (!made) return made;
  SLIPWAY_TRY(file::write(key, made->key_pem, kFileMode));
  SLIPWAY_TRY(file::write(certificate, made->certificate_pem, kFileMode));
  return made;
}

std::string kubeconfig(const DataDir& dir, const std::string& url, const std::string& user,
                       const std::string& token) {
  const json::Object cluster{{"server", url},
                             {"certificate-authority-data", base64_encode(dir.ca_pem)}};
  const json::Value config = {
      {"apiVersion", "v1"},
      {"kind", "Config"},
      {"clusters", json::Array{json::Object{{"name", "slipway"}, {"cluster", cluster}}}},
      {"users",
       json::Array{json::Object{{"name", user}, {"user", json::Object{{"token", token}}}}}},
      {"contexts", json::Array{json::Object{
                       {"name", "slipway"},
                       {"context", json::Object{{"cluster", "slipway"}, {"user", user}}}}}},
      {"current-context", "slipway"}};
  return yaml::write(config);
}

// One that says it already is left alone: a server starts again on a full disk, too.
Result<> write_anew(const std::string& path, const std::string& text) {
  const auto there = file::status(path);
  if (there && there->mode == kFileMode && file::read(path).value_or("") == text) return {};
  return file::write(path, text, kFileMode);
}

}  // namespace

Result<std::string> default_data_dir() {
  if (const char* state = std::getenv("XDG_STATE_HOME"); state && *state)
    return std::string(state) + "/slipway";
  if (const char* home = std::getenv("HOME"); home && *home)
    return std::string(home) + "/.local/state/slipway";
  return fail(ErrorCode::kNotFound, "neither $HOME nor $XDG_STATE_HOME is set");
}

Result<DataDir> open_data_dir(const std::string& folder, const std::vector<std::string>& hosts,
                              const Clock& clock, Random& random) {
  DataDir dir;
  dir.folder = folder;
  SLIPWAY_TRY(file::make_folder(folder, kFolderMode));
  SLIPWAY_TRY(check_folder(folder));
  for (const char* name : {"token", "view-token", "ca.key", "server.key"})
    SLIPWAY_TRY(check_secret(fmt::format("{}/{}", folder, name)));
  SLIPWAY_TRY(check_secret(dir.database()));
  auto admin = keep_token(folder + "/token", random);
  if (!admin) return std::unexpected(admin.error());
  auto view = keep_token(folder + "/view-token", random);
  if (!view) return std::unexpected(view.error());
  const Time now = clock.now();
  auto authority = keep_authority(folder, now);
  if (!authority) return std::unexpected(authority.error());
  auto certificate = keep_certificate(folder, *authority, hosts, now);
  if (!certificate) return std::unexpected(certificate.error());
  dir.admin_token = *admin;
  dir.view_token = *view;
  dir.ca_pem = authority->certificate_pem;
  dir.certificate_pem = certificate->certificate_pem;
  dir.key_pem = certificate->key_pem;
  return dir;
}

Result<bool> renew_certificate(DataDir& dir, const std::vector<std::string>& hosts, Time now) {
  for (const char* name : {"/ca.crt", "/ca.key"})
    if (!file::exists(dir.folder + name))
      return fail(ErrorCode::kNotFound, fmt::format("{}{} has gone", dir.folder, name));
  auto authority = keep_authority(dir.folder, now);
  if (!authority) return std::unexpected(authority.error());
  auto certificate = keep_certificate(dir.folder, *authority, hosts, now);
  if (!certificate) return std::unexpected(certificate.error());
  if (certificate->certificate_pem == dir.certificate_pem) return false;
  dir.certificate_pem = certificate->certificate_pem;
  dir.key_pem = certificate->key_pem;
  return true;
}

// SQLite would make it with whatever mode the umask allows; what it puts beside it (-wal, -shm)
// gets the mode of the database.
Result<> make_database(const DataDir& dir) {
  return file::exists(dir.database()) ? Result<>{} : file::write(dir.database(), "", kFileMode);
}

Result<> write_kubeconfigs(const DataDir& dir, const std::string& url) {
  SLIPWAY_TRY(write_anew(dir.view_kubeconfig(), kubeconfig(dir, url, "view", dir.view_token)));
  return write_anew(dir.kubeconfig(), kubeconfig(dir, url, "admin", dir.admin_token));
}

}  // namespace slipway::cli
