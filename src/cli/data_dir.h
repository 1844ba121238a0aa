#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "async/loop.h"
#include "base/random.h"

namespace slipway::cli {

// ${XDG_STATE_HOME:-~/.local/state}/slipway. kNotFound when neither variable says where.
Result<std::string> default_data_dir();

// What a server keeps beside its database, all 0600 in a folder of 0700: tokens, the CA, the
// certificate, kubeconfigs.
struct DataDir {
  std::string folder;
  std::string admin_token;
  std::string view_token;
  std::string ca_pem;
  std::string certificate_pem;
  std::string key_pem;

  std::string database() const { return folder + "/slipway.db"; }
  std::string kubeconfig() const { return folder + "/kubeconfig"; }
  std::string view_kubeconfig() const { return folder + "/view-kubeconfig"; }
};

// Opens the folder, making what is missing: the first start makes tokens and a CA; a server
// certificate is made anew when it is missing, about to expire, or not for all of `hosts`.
// kForbidden when the folder belongs to somebody else or others may write to it, and when others
// may read what is secret in it; the message says how to mend that.
Result<DataDir> open_data_dir(const std::string& folder, const std::vector<std::string>& hosts,
                              const Clock& clock, Random& random);

// Makes the server certificate of an open folder anew when it is about to expire, and takes one
// that somebody else has put there. False when the one in `dir` is still the one to use. kNotFound
// when the CA has gone.
Result<bool> renew_certificate(DataDir& dir, const std::vector<std::string>& hosts, Time now);

// Sees to it that there is a database, if an empty one, that only we can read: Secrets are in it.
Result<> make_database(const DataDir& dir);

// Writes the kubeconfigs that point at `url` (https://127.0.0.1:8080). Needs no room on the disk
// when they do already.
Result<> write_kubeconfigs(const DataDir& dir, const std::string& url);

}  // namespace slipway::cli
