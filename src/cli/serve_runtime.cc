#include "cli/serve_runtime.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "base/file.h"
#include "runtime/traffic/process.h"

namespace slipway::cli {

namespace {

constexpr int kPoolThreads = 4;  // what blocks is short: small files, /proc, the start of a shim

std::string absolute(const std::string& path) {
  std::error_code problem;
  const auto full = std::filesystem::absolute(path, problem);
  return problem ? path : full.lexically_normal().string();
}

runtime::NodeFacts this_machine() {
  return {.cpus = std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)),
          .memory_bytes = static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES)) *
                          static_cast<std::int64_t>(sysconf(_SC_PAGESIZE)),
          .first_open_port = runtime::traffic::first_open_port()};
}

// What an image would have brought along comes from the server's own surroundings, and `slipway`
// is among the programs.
runtime::Environment::Entries base_environment() {
  runtime::Environment::Entries base;
  const char* path = std::getenv("PATH");
  std::string paths = path ? path : "/usr/local/bin:/usr/bin:/bin";
  std::error_code problem;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", problem);
  if (!problem) paths += ":" + program.parent_path().string();
  base.emplace_back("PATH", std::move(paths));
  for (const char* name : {"HOME", "USER", "LANG", "LC_ALL", "TZ", "TMPDIR"})
    if (const char* value = std::getenv(name)) base.emplace_back(name, value);
  return base;
}

std::string images_file(const ServedRuntime::Options& options) {
  return absolute(options.images.empty() ? options.data + "/images.yaml" : options.images);
}

}  // namespace

Result<> check_images(const std::string& path) {
  const auto text = file::read(path, runtime::PodReconciler::kMaxImagesFile);
  if (!text) return fail(text.error().code, "--images: " + text.error().text());
  const auto images = runtime::Images::parse(*text);
  if (images) return {};
  return fail(images.error().code, fmt::format("--images: {}: {}", path, images.error().text()));
}

ServedRuntime::ServedRuntime(control::Manager& manager, Random& random, Options options)
    : pool_(make_thread_pool(kPoolThreads)),
      recorder_(manager.loop(), manager.store(), random, "kubelet"),
      host_(manager.loop(), *pool_, absolute(options.data + "/pods")),
      probes_(manager.loop(), host_),
      pods_(manager, recorder_, host_, probes_, *pool_,
            {.node = this_machine(),
             .base = base_environment(),
             .images_file = images_file(options)}),
      sampler_(manager.loop(), *pool_, host_),
      workloads_(manager, random),
      logs_(runtime::PodLogReader(manager.loop(), *pool_, host_)),
      usage_(sampler_, runtime::NodeFacts().name) {
  manager.add(pods_.options(), pods_);
  manager.add_job([this](std::stop_token stop) { return pods_.open(std::move(stop)); });
  manager.add_job([this](std::stop_token stop) { return sampler_.run(std::move(stop)); });
}

Task<> ServedRuntime::stop() {
  co_await pods_.stop();
  co_await recorder_.stop();
  co_await workloads_.stop();
}

Task<Result<std::unique_ptr<http::Stream>>> ServedRuntime::Logs::open(std::string uid,
                                                                      std::string pod,
                                                                      server::LogOptions options) {
  return reader_.open(std::move(uid), std::move(pod),
                      {.container = std::move(options.container),
                       .follow = options.follow,
                       .previous = options.previous,
                       .timestamps = options.timestamps,
                       .tail_lines = options.tail_lines,
                       .since = options.since,
                       .limit_bytes = options.limit_bytes,
                       .stream = std::move(options.stream)});
}

std::vector<server::PodUsageSample> ServedRuntime::Usage::pods() const {
  std::vector<server::PodUsageSample> samples;
  for (const runtime::PodUse& pod : sampler_.pods()) {
    server::PodUsageSample sample{.uid = pod.uid, .at = pod.at, .window = pod.window};
    for (const runtime::ContainerUse& use : pod.containers)
      sample.containers.emplace_back(use.name, server::Usage{.cpu_nanocores = use.cpu_nanocores,
                                                             .memory_bytes = use.memory_bytes});
    samples.push_back(std::move(sample));
  }
  return samples;
}

std::optional<server::NodeUsageSample> ServedRuntime::Usage::node() const {
  const auto& use = sampler_.node();
  if (!use) return std::nullopt;
  return server::NodeUsageSample{
      .name = node_,
      .at = use->at,
      .window = use->window,
      .usage = {.cpu_nanocores = use->cpu_nanocores, .memory_bytes = use->memory_bytes}};
}

}  // namespace slipway::cli
