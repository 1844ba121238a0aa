// Google Cloud Logging (entries:list). The query is a filter of its language; the value is how many
// entries of the window match, counted up to one page.
#include <fmt/format.h>

#include "metrics/answer_parsers.h"
#include "metrics/credentials.h"
#include "metrics/google_token.h"
#include "metrics/http_source.h"
#include "metrics/limits.h"
#include "metrics/provider_list.h"
#include "metrics/window.h"

namespace slipway::metrics {

namespace {

constexpr int kPageSize = 1000;

std::unexpected<Error> logs_failure(const http::Response& response) {
  std::string said = excerpt(response.body);
  if (auto body = json::read(response.body)) {
    const std::string_view message = json::string_at(*body, {"error", "message"});
    if (!message.empty()) said = excerpt(message);
  }
  return status_failure(response, fmt::format("error requesting Cloud Logging: status {}: {}",
                                              response.status, said));
}

// The text of an entry: what it says, whatever it is called there.
std::string entry_text(const json::Value& entry) {
  std::string_view text = json::string_at(entry, {"textPayload"});
  if (text.empty()) text = json::string_at(entry, {"jsonPayload", "message"});
  return text.empty() ? excerpt(json::write(entry)) : excerpt(text);
}

class GoogleLogsProvider final : public Provider {
 public:
  GoogleLogsProvider(HttpSource source, Url address, std::string project, std::string key)
      : source_(std::move(source)),
        address_(std::move(address)),
        project_(std::move(project)),
        key_(std::move(key)) {}

  // A page may be empty although there are more: the service searches a part of the window each
  // time.
  Task<Result<Answer>> query(Query query) override {
    const Budget budget(source_.clock(), query.timeout, query.stop);
    const Range window = window_of(query, source_.clock());
    // The line end ends a comment in the filter.
    const std::string filter =
        fmt::format("({}\n) AND timestamp >= \"{}\" AND timestamp < \"{}\"", query.text,
                    format_micro_time(window.from), format_micro_time(window.to));
    std::string token;
    for (std::size_t page = 0; page < kMaxPages; ++page) {
      auto response = co_await ask(filter, kPageSize, token, budget);
      if (!response) co_return fail(std::move(response).error());
      if (response->status != 200) co_return logs_failure(*response);
      LogPage found;
      if (auto parsed = parse_google_logs_page(response->body); parsed) {
        found = std::move(*parsed);
      } else {
        co_return fail(std::move(parsed).error());
      }
      if (found.entries > 0 || found.next.empty()) co_return answer_of(found, window.to);
      token = std::move(found.next);
    }
    co_return fail(ErrorCode::kUnavailable,
                   fmt::format("Cloud Logging did not come to the end of the window within {} "
                               "pages; write a narrower filter",
                               kMaxPages));
  }

  Task<Result<>> is_online() override {
    auto response = co_await ask("timestamp < \"1970-01-01T00:00:00Z\"", 1, "",
                                 Budget(source_.clock(), kOnlineTimeout));
    if (!response) co_return fail(std::move(response).error());
    if (response->status != 200) co_return logs_failure(*response);
    co_return Result<>();
  }

 private:
  static Answer answer_of(const LogPage& found, Time at) {
    Answer answer{.shape = Answer::Shape::kScalar};
    answer.series.push_back({.points = {{at, static_cast<double>(found.entries)}}});
    if (!found.newest.empty()) answer.metadata.emplace_back("newestEntry", found.newest);
    if (!found.next.empty())
      answer.warnings.push_back(fmt::format("there are more than {} entries", found.entries));
    return answer;
  }

  Task<Result<http::Response>> ask(std::string filter, int page_size, std::string page_token,
                                   Budget budget) {
    auto token = co_await google_token(source_.connections(), key_, budget,
                                       std::string(kGoogleLoggingScope));
    if (!token) co_return fail(std::move(token).error());
    json::Object body;
    body["resourceNames"] = json::Array{"projects/" + project_};
    body["filter"] = filter;
    body["orderBy"] = "timestamp desc";
    body["pageSize"] = page_size;
    if (!page_token.empty()) body["pageToken"] = page_token;
    HttpSource::Call call{.method = "POST",
                          .url = address_.with("/v2/entries:list"),
                          .body = json::write(json::Value(std::move(body)))};
    call.headers.add("Authorization", "Bearer " + *token);
    call.headers.add("Content-Type", "application/json");
    co_return co_await source_.send(std::move(call), budget);
  }

  HttpSource source_;
  Url address_;
  std::string project_;
  std::string key_;
};

// The one given, else the service account's own, else the environment's.
std::string project_of(const ProviderSpec& spec, const std::string& key,
                       const Connections& connections) {
  if (std::string given = credential(spec, {"project"}); !given.empty()) return given;
  if (auto account = json::read(key)) {
    const std::string_view own = json::string_at(*account, {"project_id"});
    if (!own.empty()) return std::string(own);
  }
  return connections.environment("GOOGLE_CLOUD_PROJECT");
}

}  // namespace

Result<LogPage> parse_google_logs_page(std::string_view body) {
  auto document = read_answer(body);
  if (!document) return fail(std::move(document).error());
  LogPage page{.next = std::string(json::string_at(*document, {"nextPageToken"}))};
  const json::Value* entries = json::at(*document, {"entries"});
  if (entries == nullptr || entries->is_null()) return page;
  if (!entries->is_array())
    return fail(ErrorCode::kInvalid, fmt::format("invalid response: entries is a list, found {}",
                                                 excerpt(json::write(*entries))));
  page.entries = entries->get_array().size();
  if (page.entries > 0) page.newest = entry_text(entries->get_array().front());
  return page;
}

Result<std::unique_ptr<Provider>> make_google_logs(const ProviderSpec& spec,
                                                   Connections& connections) {
  auto address = need_address(spec, "https://logging.googleapis.com");
  if (!address) return fail(std::move(address).error());
  std::string key = credential(spec, {"serviceAccountKey"});
  std::string project = project_of(spec, key, connections);
  if (project.empty())
    return fail(ErrorCode::kInvalid,
                "google_logs has no project; it is the project_id of the service account, or "
                "GOOGLE_CLOUD_PROJECT");
  auto source = HttpSource::make(spec, connections);
  if (!source) return fail(std::move(source).error());
  return std::make_unique<GoogleLogsProvider>(std::move(*source), std::move(*address),
                                              std::move(project), std::move(key));
}

}  // namespace slipway::metrics
