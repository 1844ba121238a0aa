#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/json.h"
#include "store/kube/kubeconfig.h"

namespace slipway::store::kube {

// A named cluster, user or context, and the folder its file references are relative to.
struct KubeconfigEntry {
  json::Object fields;
  std::string folder;
};

// One kubeconfig, or several merged, not yet looked at more closely.
struct Kubeconfig {
  std::string current_context = {};
  std::map<std::string, KubeconfigEntry, std::less<>> clusters = {};
  std::map<std::string, KubeconfigEntry, std::less<>> users = {};
  std::map<std::string, KubeconfigEntry, std::less<>> contexts = {};
};

inline constexpr std::size_t kMaxKubeconfigBytes = 4 * 1024 * 1024;

// YAML or JSON. Errors: kInvalid, kTooLarge.
Result<Kubeconfig> parse_kubeconfig(std::string_view text, const std::string& folder);

// Takes over what `into` does not have yet.
void merge_kubeconfig(Kubeconfig& into, Kubeconfig from);

// One context; the current one when `context` is empty. Errors as read_kubeconfig.
Result<Access> access_of(const Kubeconfig& config, std::string_view context);

// The fields of one entry, each read at most as what it must be. The first thing wrong is kept as
// the error, so that a caller reads all of them and asks once.
class EntryReader {
 public:
  // `path` is that of the entry: "users[admin].user".
  EntryReader(const KubeconfigEntry& entry, std::string path)
      : entry_(entry), path_(std::move(path)) {}

  std::string text(std::string_view name);  // empty when missing
  bool flag(std::string_view name);
  std::vector<std::string> texts(std::string_view name);
  const json::Object* object(std::string_view name);  // null when missing
  const json::Array* array(std::string_view name);    // null when missing
  bool has(std::string_view name) const;              // and not null or empty text

  // The bytes of `NAME-data` (base64), else of the file that NAME refers to.
  std::string bytes_or_file(std::string_view name);
  // A path relative to the kubeconfig (to where we are, when it came from no file) made absolute.
  std::string resolve(std::string_view path) const;

  void refuse(std::string_view name, std::string message);
  std::string path_of(std::string_view name) const;
  const Result<>& result() const { return result_; }

 private:
  const json::Value* find(std::string_view name) const;
  void keep(Error error);

  const KubeconfigEntry& entry_;
  std::string path_;
  Result<> result_;
};

}  // namespace slipway::store::kube
