#include "cli/demo/app_answers.h"

#include <fmt/format.h>

#include <algorithm>

namespace slipway::cli {

namespace {

constexpr std::string_view kPages[] = {"/", "/api/items"};
constexpr int kCodes[] = {200, 500};

}  // namespace

bool is_app_page(std::string_view path) {
  return std::ranges::find(kPages, path) != std::end(kPages);
}

bool AppFailures::next() {
  owed_ += share_;
  if (owed_ < 1) return false;
  owed_ -= 1;
  return true;
}

AppAnswer app_answer(std::string_view path, const std::string& version, bool fails) {
  if (path == "/healthz") return {.body = "ok\n"};
  if (!is_app_page(path)) return {.status = 404, .body = "no such page\n"};
  AppAnswer answer{.route = std::string(path)};
  if (fails) {
    answer.status = 500;
    answer.body = fmt::format("{} failed\n", version);
  } else if (path == "/") {
    answer.body = fmt::format("hello from {}\n", version);
  } else {
    answer.content_type = "application/json";
    answer.body = fmt::format(R"({{"version":"{}","items":["bread","milk"]}})", version) + "\n";
  }
  return answer;
}

AppCounters::AppCounters(std::string version) : version_(std::move(version)) {
  for (const std::string_view page : kPages)
    for (const int code : kCodes) requests_[{std::string(page), code}] = 0;
}

void AppCounters::count(const AppAnswer& answer, Duration took) {
  if (answer.route.empty()) return;
  const double seconds = std::chrono::duration<double>(took).count();
  ++requests_[{answer.route, answer.status}];
  ++took_[static_cast<std::size_t>(std::ranges::lower_bound(kBounds, seconds) - kBounds.begin())];
  seconds_ += seconds;
}

std::string AppCounters::text() const {
  std::string text =
      "# HELP http_requests_total Requests answered.\n# TYPE http_requests_total counter\n";
  for (const auto& [key, count] : requests_)
    text += fmt::format("http_requests_total{{version=\"{}\",route=\"{}\",code=\"{}\"}} {}\n",
                        version_, key.first, key.second, count);
  text +=
      "# HELP http_request_duration_seconds How long answers took.\n"
      "# TYPE http_request_duration_seconds histogram\n";
  std::uint64_t up_to = 0;
  const auto bucket = [&](std::string_view bound, std::uint64_t count) {
    up_to += count;
    text += fmt::format("http_request_duration_seconds_bucket{{version=\"{}\",le=\"{}\"}} {}\n",
                        version_, bound, up_to);
  };
  for (std::size_t i = 0; i < kBounds.size(); ++i) bucket(fmt::to_string(kBounds[i]), took_[i]);
  bucket("+Inf", took_.back());
  text +=
      fmt::format("http_request_duration_seconds_sum{{version=\"{}\"}} {}\n", version_, seconds_);
  text +=
      fmt::format("http_request_duration_seconds_count{{version=\"{}\"}} {}\n", version_, up_to);
  return text;
}

}  // namespace slipway::cli
