#include "cli/query.h"

#include <fmt/format.h>

#include <charconv>

#include "analysis/redact.h"
#include "analysis/report/plain_text.h"
#include "async/interrupt.h"
#include "async/real_loop.h"
#include "base/file.h"
#include "base/text.h"
#include "cli/batch.h"
#include "cli/cluster_connection.h"
#include "cli/exit_code.h"
#include "cli/output.h"
#include "cli/query_answer.h"
#include "cli/query_secret.h"
#include "metrics/connections.h"
#include "metrics/redact.h"

namespace slipway::cli {

namespace {

// What was typed wrong, apart from what a file or a source got wrong.
std::unexpected<Error> misuse(std::string_view option, std::string message) {
  return fail(ErrorCode::kBadRequest, std::move(message), std::string(option));
}

Result<Duration> duration_of(std::string_view option, const std::string& text) {
  auto duration = parse_duration(text);
  if (!duration) return misuse(option, duration.error().message);
  if (*duration <= Duration::zero())
    return misuse(option, fmt::format("\"{}\" is no time to go by; write 10m or 1h", text));
  return duration;
}

Result<Time> moment_of(const std::string& text) {
  if (auto time = parse_time(text)) return *time;
  double seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  constexpr double kMostSeconds = 9.0e9;  // what nanoseconds in 64 bits can say
  if (error == std::errc{} && end == text.data() + text.size() && seconds >= 0 &&
      seconds < kMostSeconds)
    return Time(std::chrono::duration_cast<Duration>(std::chrono::duration<double>(seconds)));
  return misuse("--at", fmt::format("\"{}\" is not a time; write 2026-01-02T15:04:05Z or seconds "
                                    "since 1970",
                                    text));
}

Result<std::pair<std::string, std::string>> header_of(const std::string& text) {
  const auto equals = text.find('=');
  if (equals == 0 || equals == std::string::npos)
    return misuse("--header",
                  "is no name=value; write X-Scope-OrgID=1, or name=@FILE for what "
                  "nobody may see");
  std::pair header{text.substr(0, equals), text.substr(equals + 1)};
  if (header.second.starts_with('@')) {
    auto held = file::read(header.second.substr(1));
    if (!held) return std::unexpected(std::move(held).error());
    header.second = text::trim(*held);
  }
  return header;
}

Result<metrics::ProviderSpec> spec_of(const QueryOptions& options) {
  metrics::ProviderSpec spec{.type = options.provider,
                             .address = options.address,
                             .region = options.region,
                             .insecure = options.insecure};
  for (const auto& text : options.headers) {
    auto header = header_of(text);
    if (!header) return std::unexpected(std::move(header).error());
    spec.headers.push_back(std::move(*header));
  }
  if (!options.secret.empty()) {
    auto credentials = read_credentials_file(options.secret);
    if (!credentials) return std::unexpected(std::move(credentials).error());
    spec.credentials = std::move(*credentials);
  }
  return spec;
}

Result<metrics::Query> query_of(const QueryOptions& options, Time now) {
  metrics::Query query{.text = options.query.value_or("")};
  auto timeout = duration_of("--timeout", options.timeout);
  if (!timeout) return std::unexpected(std::move(timeout).error());
  query.timeout = *timeout;
  if (!options.at.empty()) {
    auto moment = moment_of(options.at);
    if (!moment) return std::unexpected(std::move(moment).error());
    query.at = *moment;
  }
  if (options.range.empty()) {
    if (!options.step.empty()) return misuse("--step", "has no meaning without --range");
    return query;
  }
  auto length = duration_of("--range", options.range);
  if (!length) return std::unexpected(std::move(length).error());
  const Time end = options.at.empty() ? now : query.at;
  query.range = metrics::Range{.from = end - *length, .to = end};
  if (!options.step.empty()) {
    auto step = duration_of("--step", options.step);
    if (!step) return std::unexpected(std::move(step).error());
    query.range->step = *step;
  }
  return query;
}

// What would help, for failures whose cause is likely elsewhere than in the message.
std::string_view advice(const Error& error) {
  switch (error.code) {
    case ErrorCode::kUnavailable:
    case ErrorCode::kTimeout:
      return "\n  is it running and reachable from here? --address says where it is asked, "
             "--timeout how long";
    case ErrorCode::kUnauthorized:
    case ErrorCode::kForbidden:
      return "\n  --secret FILE holds what signs in; docs/providers.md lists the keys of each "
             "provider";
    default:
      return "";
  }
}

// What --secret and --header hold; header values that come out of files are nobody's business,
// whatever the header is called.
analysis::Redactor redactor_of(const QueryOptions& options, const metrics::ProviderSpec& spec) {
  analysis::Redactor redactor;
  for (const auto& secret : metrics::secrets_of(spec)) redactor.add(secret);
  for (std::size_t i = 0; i < options.headers.size() && i < spec.headers.size(); ++i)
    if (options.headers[i].find("=@") == options.headers[i].find('='))
      redactor.add(spec.headers[i].second);
  return redactor;
}

// None without a question: the source answers, and takes the credentials.
Result<std::optional<metrics::Answer>> ask(const QueryOptions& options) {
  const auto loop = make_loop();
  auto query = query_of(options, loop->clock().now());
  if (!query) return std::unexpected(std::move(query).error());
  auto spec = spec_of(options);
  if (!spec) return std::unexpected(std::move(spec).error());
  const auto redactor = redactor_of(options, *spec);
  const auto cluster = cluster_of(*loop, options.server);
  metrics::Connections connections(*loop, metrics::Connections::system_environment(),
                                   cluster.get());
  auto provider = metrics::make_provider(std::move(*spec), connections);
  if (!provider) return std::unexpected(std::move(provider).error());
  std::stop_source stop;
  const auto interrupts = on_interrupt(*loop, [&stop](int) { stop.request_stop(); });
  if (!options.query) {
    auto online = run_to_end(*loop, (*provider)->is_online());
    if (!online) return std::unexpected(std::move(online).error());
    return std::nullopt;
  }
  query->stop = stop.get_token();
  auto answer = run_to_end(*loop, (*provider)->query(std::move(*query)));
  if (!answer) return std::unexpected(std::move(answer).error());
  clean(*answer, redactor);
  return std::move(*answer);
}

int show_online(const QueryOptions& options, Format format) {
  if (format == Format::kJson || format == Format::kYaml)
    print_value(json::Object{{"online", true}}, format);
  else
    print_line(fmt::format("{}{}{} answers", options.provider,
                           options.address.empty() ? "" : " at ", options.address));
  return kExitDone;
}

}  // namespace

int query(const QueryOptions& options) {
  const auto format = parse_format(options.output);
  if (!format) return complain(format.error()), kExitUsage;
  const auto asked = ask(options);
  if (!asked) return refuse(asked.error(), *format, advice(asked.error()));
  if (!*asked) return show_online(options, *format);
  const auto& answer = *asked;
  for (const auto& warning : answer->warnings)
    note(fmt::format("slipway: warning: {}", analysis::report::one_line(warning)));
  const int code = is_empty(*answer) ? kExitInconclusive : kExitDone;
  if (*format == Format::kJson || *format == Format::kYaml) {
    print_value(to_json(*answer), *format);
  } else if (code == kExitInconclusive) {
    note("slipway: no data; is the query right, and the time it asks about?");
  } else {
    print(table_of(*answer));
  }
  return code;
}

}  // namespace slipway::cli
