#include "analysis/measure_source.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/base64.h"
#include "base/file.h"
#include "base/text.h"
#include "metrics/redact.h"
#include "store/decode.h"

namespace slipway::analysis {

namespace {

using Data = std::map<std::string, std::string>;

// What a provider may take beyond its own timeout before it is given up.
constexpr Duration kGrace = std::chrono::seconds(2);

std::string source_of(const metrics::ProviderSpec& spec) {
  // Up to the path: several paths of one host are one source.
  const auto scheme = spec.address.find("://");
  const auto path = spec.address.find('/', scheme == std::string::npos ? 0 : scheme + 3);
  return spec.type + " " + spec.address.substr(0, path);
}

Result<Data> data_of(const store::Item& item) {
  auto document = store::decode(item);
  if (!document) return std::unexpected(std::move(document).error());
  Data data;
  const json::Value* encoded = document->if_contains("data");
  if (!encoded || !encoded->is_object()) return data;
  for (const auto& member : encoded->get_object()) {
    const auto* text = member.value().if_string();
    auto value = base64_decode(text ? std::string_view(*text) : std::string_view());
    if (!value)
      return fail(ErrorCode::kInvalid, fmt::format("key '{}' of secret '{}' is no base64",
                                                   std::string_view(member.key()), item.key.name));
    data.emplace(member.key(), std::move(*value));
  }
  return data;
}

}  // namespace

slipway::Task<Result<Data>> read_secret(store::Store& store, std::string ns, std::string name) {
  auto item = co_await store.get({"", "v1", "secrets"}, {std::move(ns), std::move(name)});
  if (!item) co_return std::unexpected(std::move(item).error());
  co_return data_of(*item);
}

SourceAsker::SourceAsker(Loop& loop, store::Store& store, OpenProvider open,
                         MeasurerOptions options)
    : loop_(loop),
      store_(store),
      open_(std::move(open)),
      options_(std::move(options)),
      turns_(loop, kMaxAtOnce, kMaxOfOneSource) {}

bool SourceAsker::is_needed(const SecretNeed& need) const {
  if (need.unless_set.empty() || !options_.environment) return true;
  return !std::ranges::all_of(need.unless_set, [this](const std::string& name) {
    return !options_.environment(name).empty();
  });
}

slipway::Task<Result<Data>> SourceAsker::find_secret(SecretNeed need, std::string ns) {
  if (!need.ns.empty() && need.ns != ns && !options_.may_read_other_namespaces)
    co_return fail(ErrorCode::kForbidden,
                   fmt::format("secret '{}' is in namespace {}; a run of namespace {} may use its "
                               "own namespace's only",
                               need.name, need.ns, ns));
  if (!need.own) co_return co_await read_secret(store_, need.ns.empty() ? ns : need.ns, need.name);
  auto found = co_await read_secret(store_, options_.own_namespace, need.name);
  if (found || found.error().code != ErrorCode::kNotFound) co_return found;
  co_return co_await read_secret(store_, ns, need.name);
}

slipway::Task<Result<>> SourceAsker::add_credentials(Asking& asking, std::string ns) {
  if (asking.secret && is_needed(*asking.secret)) {
    auto data = co_await find_secret(*asking.secret, std::move(ns));
    const bool missing = !data && data.error().code == ErrorCode::kNotFound;
    if (!data && !(missing && asking.secret->may_lack))
      co_return std::unexpected(std::move(data).error());
    if (data) asking.spec.credentials.emplace(data->begin(), data->end());
  }
  if (asking.files.empty()) co_return Result<>();
  if (!options_.may_read_files)
    co_return fail(ErrorCode::kForbidden,
                   fmt::format("source.files: \"{}\" is a file of this machine, which a server "
                               "does not read for a run; name a Secret with source.secretRef",
                               asking.files.front().path));
  if (!asking.spec.credentials) asking.spec.credentials.emplace();
  for (const FileNeed& need : asking.files) {
    auto text = file::read(need.path, kMaxCredential);
    if (!text) co_return std::unexpected(std::move(text).error());
    (*asking.spec.credentials)[need.key] = std::string(text::trim(*text));
  }
  co_return Result<>();
}

slipway::Task<Result<metrics::Answer>> SourceAsker::ask(Asking asking, metrics::Query query,
                                                        std::string ns, std::stop_token stop,
                                                        std::vector<std::string>* secrets) {
  auto turn = co_await turns_.take(source_of(asking.spec), std::min(query.timeout, kMaxWait), stop);
  if (!turn) co_return std::unexpected(std::move(turn).error());
  // What the proxy saw of a Service of the run's namespace.
  if (asking.spec.type == "traffic") asking.spec.address = ns + "/" + asking.spec.address;
  asking.spec.ns = ns;
  if (asking.secret || !asking.files.empty())
    SLIPWAY_CO_TRY(co_await add_credentials(asking, std::move(ns)));
  if (secrets) *secrets = metrics::secrets_of(asking.spec);
  auto provider = open_(std::move(asking.spec));
  if (!provider) co_return std::unexpected(std::move(provider).error());
  std::stop_source over;
  bool late = false;
  std::stop_callback stopped(stop, [&over] { over.request_stop(); });
  const Duration patience = query.timeout;
  const auto timer = loop_.clock().call_after(patience + kGrace, [&over, &late] {
    late = true;
    over.request_stop();
  });
  query.stop = over.get_token();
  auto answer = co_await (*provider)->query(std::move(query));
  if (!answer && late)
    co_return fail(ErrorCode::kTimeout, "no answer within " + format_duration(patience));
  co_return answer;
}

}  // namespace slipway::analysis
