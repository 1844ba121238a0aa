// load HOST PORT TOKEN WHAT …: a stopwatch for a Kubernetes-style API server. Prints one JSON
// document.
//
//   create CLIENTS SECONDS PREFIX   durable creates of ConfigMaps of 1 kB
//   fill CLIENTS COUNT PREFIX       COUNT ConfigMaps of 1 kB
//   templates CLIENTS COUNT         COUNT AnalysisTemplates of 2 kB, which nobody acts on
//   get CLIENTS SECONDS NAME        reads of one ConfigMap
//   list SECONDS                    all ConfigMaps of the namespace, whole bodies read
//   watch WATCHERS COUNT            from a create being sent to each watcher having its event
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <latch>
#include <memory>
#include <thread>
#include <vector>

#include "api/connection.h"

namespace bench {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::string_view kConfigMaps = "/api/v1/namespaces/default/configmaps";
constexpr std::string_view kTemplates =
    "/apis/argoproj.io/v1alpha1/namespaces/default/analysistemplates";
constexpr std::size_t kConfigMapPadding = 850;
constexpr std::size_t kTemplatePadding = 1150;

double milliseconds(Clock::duration duration) {
  return std::chrono::duration<double, std::milli>(duration).count();
}

double percentile(std::vector<double>& sorted, double share) {
  if (sorted.empty()) return 0;
  std::ranges::sort(sorted);
  return sorted[std::min(sorted.size() - 1,
                         static_cast<std::size_t>(share * static_cast<double>(sorted.size())))];
}

std::string config_map(const std::string& name) {
  return fmt::format(
      R"({{"apiVersion":"v1","kind":"ConfigMap","metadata":{{"name":"{}","labels":{{"app":"bench"}}}},)"
      R"("data":{{"text":"{}"}}}})",
      name, std::string(kConfigMapPadding, 'x'));
}

// The marker keeps the quotes of the query from ending the literal.
std::string analysis_template(const std::string& name) {
  return fmt::format(
      R"-({{"apiVersion":"argoproj.io/v1alpha1","kind":"AnalysisTemplate","metadata":{{"name":"{0}","labels":)-"
      R"-({{"app":"bench"}},"annotations":{{"note":"{1}"}}}},"spec":{{"args":[{{"name":"service"}}],"metrics":)-"
      R"-([{{"name":"success-rate","interval":"1m","count":10,"failureLimit":3,"successCondition":)-"
      R"-("result[0] >= 0.95","provider":{{"prometheus":{{"address":"http://127.0.0.1:9090","query":)-"
      R"-("sum(rate(requests_total{{service=\"{{{{args.service}}}}\",code!~\"5..\"}}[5m])) / )-"
      R"-(sum(rate(requests_total{{service=\"{{{{args.service}}}}\"}}[5m]))"}}}}}}]}}}})-",
      name, std::string(kTemplatePadding, 'x'));
}

// Runs `work(connection, client)` on its own connection in each of `clients` threads; seconds from
// first to last.
template <class Work>
double side_by_side(const Target& target, int clients, Work work) {
  std::latch ready(clients + 1);
  std::vector<std::thread> threads;
  for (int client = 0; client < clients; ++client)
    threads.emplace_back([&, client] {
      Connection connection(target);
      ready.arrive_and_wait();
      work(connection, client);
    });
  ready.arrive_and_wait();
  const auto begin = Clock::now();
  for (auto& thread : threads) thread.join();
  return milliseconds(Clock::now() - begin) / 1000;
}

void expect(int status, int wanted, const std::string& answer) {
  if (status == wanted) return;
  std::fprintf(stderr, "load: status %d: %.300s\n", status, answer.c_str());
  std::exit(3);
}

void report_rate(std::string_view what, std::size_t count, double seconds,
                 std::vector<double>& latencies) {
  fmt::print(R"({{"what":"{}","count":{},"perSecond":{:.1f},"p50":{:.3f},"p99":{:.3f}}})", what,
             count, static_cast<double>(count) / seconds, percentile(latencies, 0.5),
             percentile(latencies, 0.99));
  fmt::print("\n");
}

struct Shared {
  std::atomic<std::size_t> count = 0;
  std::vector<std::vector<double>> latencies;
  std::vector<double> all() const {
    std::vector<double> joined;
    for (const auto& part : latencies) joined.insert(joined.end(), part.begin(), part.end());
    return joined;
  }
};

// Makes objects until `seconds` have passed or `most` are there.
void create(const Target& target, int clients, double seconds, std::size_t most,
            std::string_view path, std::string (*body)(const std::string&),
            const std::string& prefix) {
  Shared shared;
  shared.latencies.resize(static_cast<std::size_t>(clients));
  std::atomic<std::size_t> next = 0;
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  const double took = side_by_side(target, clients, [&](Connection& connection, int client) {
    std::string answer;
    while (Clock::now() < end) {
      const std::size_t number = next++;
      if (number >= most) return;
      const auto begin = Clock::now();
      const int status =
          connection.exchange("POST", path, body(fmt::format("{}-{}", prefix, number)), answer);
      expect(status, 201, answer);
      shared.latencies[static_cast<std::size_t>(client)].push_back(
          milliseconds(Clock::now() - begin));
      ++shared.count;
    }
  });
  auto all = shared.all();
  report_rate("create", shared.count, took, all);
}

void get(const Target& target, int clients, double seconds, const std::string& name) {
  Shared shared;
  shared.latencies.resize(static_cast<std::size_t>(clients));
  const std::string path = fmt::format("{}/{}", kConfigMaps, name);
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  const double took = side_by_side(target, clients, [&](Connection& connection, int client) {
    std::string answer;
    while (Clock::now() < end) {
      const auto begin = Clock::now();
      expect(connection.exchange("GET", path, "", answer), 200, answer);
      shared.latencies[static_cast<std::size_t>(client)].push_back(
          milliseconds(Clock::now() - begin));
      ++shared.count;
    }
  });
  auto all = shared.all();
  report_rate("get", shared.count, took, all);
}

// For as long on either side: a few lists of the faster one would be a moment's luck.
void list(const Target& target, int seconds) {
  Connection connection(target);
  std::vector<double> latencies;
  std::string answer;
  const auto end = Clock::now() + std::chrono::seconds(seconds);
  do {
    const auto begin = Clock::now();
    expect(connection.exchange("GET", kConfigMaps, "", answer), 200, answer);
    latencies.push_back(milliseconds(Clock::now() - begin));
  } while (Clock::now() < end);
  fmt::print(R"({{"what":"list","bytes":{},"p50":{:.3f},"best":{:.3f}}})", answer.size(),
             percentile(latencies, 0.5), latencies.front());
  fmt::print("\n");
}

void watch(const Target& target, int watchers, int count) {
  std::vector<std::atomic<std::int64_t>> sent(static_cast<std::size_t>(count));
  Shared shared;
  shared.latencies.resize(static_cast<std::size_t>(watchers));
  Connection writer(target);
  std::string answer;
  writer.exchange("GET", fmt::format("{}?limit=1", kConfigMaps), "", answer);
  const auto at = answer.find("\"resourceVersion\":\"");
  const std::string version = answer.substr(at + 19, answer.find('"', at + 19) - at - 19);
  std::latch ready(watchers + 1);
  std::vector<std::thread> threads;
  for (int number = 0; number < watchers; ++number)
    threads.emplace_back([&, number] {
      Connection connection(target);
      connection.open_watch(fmt::format("{}?watch=true&resourceVersion={}", kConfigMaps, version));
      ready.arrive_and_wait();
      for (int seen = 0; seen < count;) {
        const std::string line = connection.read_line();
        const auto name = line.find("\"name\":\"watched-");
        if (name == std::string::npos) continue;
        const auto index = static_cast<std::size_t>(std::atoi(line.c_str() + name + 16));
        const auto now = Clock::now().time_since_epoch().count();
        shared.latencies[static_cast<std::size_t>(number)].push_back(
            static_cast<double>(now - sent[index]) / 1e6);
        ++seen;
      }
    });
  ready.arrive_and_wait();
  for (int i = 0; i < count; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    sent[static_cast<std::size_t>(i)] = Clock::now().time_since_epoch().count();
    expect(writer.exchange("POST", kConfigMaps, config_map(fmt::format("watched-{}", i)), answer),
           201, answer);
  }
  for (auto& thread : threads) thread.join();
  auto all = shared.all();
  fmt::print(R"({{"what":"watch","events":{},"p50":{:.3f},"p99":{:.3f}}})", all.size(),
             percentile(all, 0.5), percentile(all, 0.99));
  fmt::print("\n");
}

int run(const std::vector<std::string>& words) {
  const Target target{words.at(1), std::atoi(words.at(2).c_str()), words.at(3)};
  const std::string& what = words.at(4);
  const auto number = [&](std::size_t at) { return std::atoi(words.at(at).c_str()); };
  constexpr std::size_t kNoLimit = ~std::size_t{0};
  constexpr double kLong = 3600;
  if (what == "create")
    create(target, number(5), number(6), kNoLimit, kConfigMaps, config_map, words.at(7));
  else if (what == "fill")
    create(target, number(5), kLong, static_cast<std::size_t>(number(6)), kConfigMaps, config_map,
           words.at(7));
  else if (what == "templates")
    create(target, number(5), kLong, static_cast<std::size_t>(number(6)), kTemplates,
           analysis_template, "bench");
  else if (what == "get")
    get(target, number(5), number(6), words.at(7));
  else if (what == "list")
    list(target, number(5));
  else if (what == "watch")
    watch(target, number(5), number(6));
  else
    return 64;
  return 0;
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  if (argc < 6) return 64;
  return bench::run({argv, argv + argc});
}
