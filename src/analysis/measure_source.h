#pragma once

#include <functional>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "analysis/asking.h"
#include "analysis/measure_turns.h"
#include "store/store.h"

namespace slipway::analysis {

// Makes the provider of a source: metrics::make_provider in programs, a fake in tests.
using OpenProvider =
    std::function<Result<std::unique_ptr<metrics::Provider>>(metrics::ProviderSpec spec)>;

struct MeasurerOptions {
  std::string own_namespace = "argo-rollouts";  // where Argo's providers look for their Secrets
  // Secrets of namespaces other than the run's and our own: not where namespaces keep people apart.
  bool may_read_other_namespaces = false;
  bool may_read_files = false;  // source.files: yes for a command of the user, no for a server
  // An empty text is a variable that is not set.
  std::function<std::string(const std::string& name)> environment = {};
};

// The data of a Secret, decoded. Errors: as the store's; kInvalid for what is no base64.
slipway::Task<Result<std::map<std::string, std::string>>> read_secret(store::Store& store,
                                                                      std::string ns,
                                                                      std::string name);

// Asks one source one question: waits for its turn, fetches its credentials, opens its provider.
//
// At most so many questions at once, and so many to one source; one that has not had its turn
// within kMaxWait, or its own timeout, has failed, and so has one whose provider outstays it.
class SourceAsker {
 public:
  static constexpr int kMaxAtOnce = 1024;
  static constexpr int kMaxOfOneSource = 128;
  static constexpr Duration kMaxWait = std::chrono::seconds(10);
  static constexpr std::size_t kMaxCredential = 64 * 1024;  // in a file, bytes

  SourceAsker(Loop& loop, store::Store& store, OpenProvider open, MeasurerOptions options);

  // `ns` is the run's. Errors: as a provider's, and those of credentials that are not there.
  // What nobody may see of the credentials that were used is put into `secrets`, for those who
  // write down more of the answer than numbers.
  slipway::Task<Result<metrics::Answer>> ask(Asking asking, metrics::Query query, std::string ns,
                                             std::stop_token stop,
                                             std::vector<std::string>* secrets = nullptr);

 private:
  slipway::Task<Result<>> add_credentials(Asking& asking, std::string ns);
  slipway::Task<Result<std::map<std::string, std::string>>> find_secret(SecretNeed need,
                                                                        std::string ns);
  bool is_needed(const SecretNeed& need) const;

  Loop& loop_;
  store::Store& store_;
  OpenProvider open_;
  MeasurerOptions options_;
  Turns turns_;
};

}  // namespace slipway::analysis
