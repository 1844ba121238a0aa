#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/kinds/argo_providers.h"
#include "metrics/provider_spec.h"
#include "metrics/reading.h"

// How to ask one source of a metric, or of a side of a comparison. Pure.
namespace slipway::analysis {

// A Secret whose keys are the credentials.
struct SecretNeed {
  std::string name = {};
  std::string ns = {};    // empty: the run's namespace
  bool own = false;       // instead: slipway's own namespace, and the run's when it is not there
  bool may_lack = false;  // the source is asked without credentials then
  std::vector<std::string> unless_set = {};  // not needed when all these variables are set
};
// A file that holds the credential of a key.
struct FileNeed {
  std::string key = {};
  std::string path = {};
};

struct Asking {
  metrics::ProviderSpec spec = {};  // without what is in Secrets and files
  std::string query = {};
  metrics::Dialect dialect = metrics::Dialect::kArgo;
  metrics::Reading reading = {};
  Duration timeout = {};            // the whole call
  Duration interval = {};           // the reading's windows are multiples of it
  Duration window = {}, step = {};  // a range this long; zero: as the reading says
  // prometheus: a range between two moments, as expressions.
  std::optional<api::argo::PrometheusRangeQueryArgs> range = {};
  std::optional<SecretNeed> secret = {};
  std::vector<FileNeed> files = {};
  std::string shown_as = {};  // metadata the query is shown under: ResolvedPrometheusQuery
};

// `interval` is the metric's: of sources that say none themselves. Errors: kInvalid, for a source
// that cannot be asked as it is written, or that is none to ask with one query (compare, score,
// job, kayenta), or that nobody here can ask (plugins).
Result<Asking> asking_of(const api::argo::MetricProvider& provider, Duration interval);

// The same for a side of a comparison; none when it has no source and rests on what is recorded.
Result<std::optional<Asking>> asking_of(const api::argo::CompareSide& side, Duration interval);

// What to send now. Errors: kInvalid, in Argo's words, for a range that cannot be worked out.
Result<metrics::Query> query_of(const Asking& asking, Time now);
// The same over a given range, whatever the source's own window.
metrics::Query query_over(const Asking& asking, const metrics::Range& range);

}  // namespace slipway::analysis
