#include "runtime/node/order.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "api/rules/place.h"
#include "base/text.h"
#include "runtime/node/volumes.h"

namespace slipway::runtime {

namespace {

using api::Place;

constexpr std::string_view kDefaultMessagePath = "/dev/termination-log";

std::vector<std::string> words_of(const Place& list) {
  std::vector<std::string> words;
  for (const Place& word : list.items()) words.emplace_back(word.text());
  return words;
}

std::string mount_variable(std::string_view volume) {
  std::string name = "SLIPWAY_MOUNT_" + text::upper(volume);
  std::ranges::replace(name, '-', '_');
  return name;
}

class Builder {
 public:
  Builder(const json::Value& pod, const PodSources& sources, const Images& images,
          const PodContext& context)
      : pod_(pod),
        spec_(Place(&pod, "")["spec"]),
        sources_(sources),
        images_(images),
        context_(context) {}

  std::expected<PodOrder, Refusal> build() {
    PodOrder order;
    auto volumes = volumes_of(pod_, sources_, context_.pod_ip, context_.node);
    if (!volumes) return std::unexpected(volumes.error());
    order.volumes = std::move(*volumes);
    volumes_ = &order.volumes;
    PodPlan& plan = order.plan;
    plan.uid = json::string_at(pod_, {"metadata", "uid"});
    plan.ns = json::string_at(pod_, {"metadata", "namespace"});
    plan.name = json::string_at(pod_, {"metadata", "name"});
    plan.pod_ip = context_.pod_ip;
    plan.tuning = context_.tuning;
    if (auto policy = parse_restart_policy(spec_["restartPolicy"].text()))
      plan.restart_policy = *policy;
    plan.grace_seconds = static_cast<std::uint32_t>(
        std::clamp<std::int64_t>(spec_["terminationGracePeriodSeconds"].integer(30), 0,
                                 std::numeric_limits<std::int32_t>::max()));
    if (spec_["initContainers"].size() + spec_["containers"].size() > kMaxContainersOfPod)
      return std::unexpected(
          Refusal{.reason = "CreateContainerConfigError",
                  .message = fmt::format("more than {} containers", kMaxContainersOfPod)});
    for (const bool init : {true, false})
      for (const Place& container : spec_[init ? "initContainers" : "containers"].items()) {
        auto built = build_container(container);
        if (!built) return std::unexpected(built.error());
        (init ? plan.init_containers : plan.containers).push_back(std::move(*built));
      }
    return order;
  }

 private:
  static std::unexpected<Refusal> refuse(const Place& container, std::string reason,
                                         std::string message) {
    return std::unexpected(Refusal{.container = std::string(container["name"].text()),
                                   .reason = std::move(reason),
                                   .message = std::move(message)});
  }

  std::expected<ContainerPlan, Refusal> build_container(const Place& container) {
    ContainerPlan plan{.name = std::string(container["name"].text()),
                       .image = std::string(container["image"].text())};
    if (container["lifecycle"]["postStart"].present())
      return refuse(container, "CreateContainerConfigError",
                    "lifecycle.postStart is not carried out on this node; let the command do it");
    const ImageCommand* image = images_.find(plan.image);
    Environment environment = first_environment(container, image);
    if (auto done = add_mounts(container, plan, environment); !done)
      return std::unexpected(done.error());
    if (auto done = add_container_environment(pod_, container.value(), sources_, context_.pod_ip,
                                              context_.node, environment);
        !done)
      return std::unexpected(done.error());
    if (auto done = add_command(container, image, environment, plan); !done)
      return std::unexpected(done.error());
    plan.env = environment.entries();
    plan.working_dir = container["workingDir"].text();
    if (plan.working_dir.empty() && image) plan.working_dir = image->working_dir;
    // Not the Pod's folder itself: its plan holds Secrets, and web servers serve where they are.
    if (plan.working_dir.empty()) plan.working_dir = context_.folder + "/work";
    if (auto policy = parse_restart_policy(container["restartPolicy"].text());
        policy && !container["restartPolicy"].empty())
      plan.restart = *policy;
    plan.startup_probe =
        plan.restart == RestartPolicy::kAlways && container["startupProbe"].present();
    plan.pre_stop = hook_of(container);
    add_termination_message(container, plan);
    return plan;
  }

  Environment first_environment(const Place& container, const ImageCommand* image) const {
    Environment environment;
    for (const auto& [name, value] : context_.base) environment.set(name, value);
    environment.set("HOSTNAME", std::string(json::string_at(pod_, {"metadata", "name"})));
    environment.set("POD_IP", context_.pod_ip);
    environment.set("SLIPWAY_IMAGE", std::string(container["image"].text()));
    environment.set("SLIPWAY_IMAGE_TAG", image_tag(container["image"].text()));
    add_service_links(sources_.services, context_.node.first_open_port, environment);
    if (image)
      for (const auto& [name, value] : image->env) environment.set(name, environment.expand(value));
    return environment;
  }

  // A container's command replaces the image's and its arguments, args the image's arguments alone.
  static std::expected<void, Refusal> add_command(const Place& container, const ImageCommand* image,
                                                  const Environment& environment,
                                                  ContainerPlan& plan) {
    auto command = words_of(container["command"]);
    auto args = words_of(container["args"]);
    if (command.empty()) {
      if (!image)
        return refuse(container, "ImagePullBackOff",
                      fmt::format("no command for image \"{}\": give the container a command, or "
                                  "name one for the image in images.yaml",
                                  plan.image));
      command = image->command;
      if (args.empty()) args = image->args;
    }
    command.insert(command.end(), args.begin(), args.end());
    for (const std::string& word : command) plan.argv.push_back(environment.expand(word));
    if (plan.argv.front().empty())
      return refuse(container, "CreateContainerConfigError", "the command is empty");
    return {};
  }

  std::expected<void, Refusal> add_mounts(const Place& container, ContainerPlan& plan,
                                          Environment& environment) const {
    for (const Place& mount : container["volumeMounts"].items()) {
      const std::string_view name = mount["name"].text();
      const auto volume = std::ranges::find(*volumes_, name, &Volume::name);
      if (volume == volumes_->end())
        return refuse(container, "CreateContainerConfigError",
                      fmt::format("volume \"{}\" is not among the Pod's volumes", name));
      std::string source = volume->host_path.empty()
                               ? fmt::format("{}/volumes/{}", context_.folder, name)
                               : volume->host_path;
      std::string below(mount["subPath"].text());
      if (below.empty()) below = environment.expand(mount["subPathExpr"].text());
      const auto parts = text::split(below, '/');
      if (std::ranges::find(parts, "..") != parts.end())
        return refuse(container, "CreateContainerConfigError",
                      fmt::format("subPath \"{}\" leads out of the volume", below));
      const std::string within = below.empty() ? "" : source;
      if (!below.empty()) source += "/" + below;
      environment.set(mount_variable(name), source);
      plan.mounts.push_back({.source = source,
                             .target = std::string(mount["mountPath"].text()),
                             .read_only = mount["readOnly"].truth(),
                             .within = within});
    }
    return {};
  }

  std::optional<Hook> hook_of(const Place& container) const {
    const Place hook = container["lifecycle"]["preStop"];
    if (hook["exec"].present()) return Hook{.exec = words_of(hook["exec"]["command"])};
    if (const Place sleep = hook["sleep"]; sleep.present())
      return Hook{.exec = {"sleep", std::to_string(sleep["seconds"].integer())}};
    const Place get = hook["httpGet"];
    if (!get.present()) return std::nullopt;
    Hook made{.http_host = std::string(get["host"].text()),
              .http_port = port_of(get["port"].value(), container.value()),
              .http_path = get["path"].empty() ? "/" : std::string(get["path"].text())};
    for (const Place& header : get["httpHeaders"].items())
      made.http_headers.emplace_back(header["name"].text(), header["value"].text());
    return made;
  }

  // Only a path of the user's own is worth a private mount: nobody writes to the usual one without
  // having been told to.
  void add_termination_message(const Place& container, ContainerPlan& plan) const {
    plan.termination_message_file = fmt::format("{}/termination/{}", context_.folder, plan.name);
    plan.termination_message_from_log =
        container["terminationMessagePolicy"].text() == "FallbackToLogsOnError";
    const std::string_view path = container["terminationMessagePath"].text();
    if (!path.empty() && path != kDefaultMessagePath)
      plan.mounts.push_back({.source = plan.termination_message_file, .target = std::string(path)});
    plan.env.emplace_back("SLIPWAY_TERMINATION_LOG", plan.termination_message_file);
  }

  const json::Value& pod_;
  Place spec_;
  const PodSources& sources_;
  const Images& images_;
  const PodContext& context_;
  const std::vector<Volume>* volumes_ = nullptr;
};

}  // namespace

std::expected<PodOrder, Refusal> build_order(const json::Value& pod, const PodSources& sources,
                                             const Images& images, const PodContext& context) {
  return Builder(pod, sources, images, context).build();
}

std::uint16_t port_of(const json::Value& port, const json::Value& container) {
  constexpr std::int64_t kMost = std::numeric_limits<std::uint16_t>::max();
  std::int64_t number = 0;
  if (port.is_int64()) {
    number = port.get_int64();
  } else if (port.is_string()) {
    const std::string_view name = port.get_string();
    for (const Place& each : Place(&container, "")["ports"].items())
      if (each["name"].text() == name) number = each["containerPort"].integer();
  }
  return number >= 1 && number <= kMost ? static_cast<std::uint16_t>(number) : 0;
}

}  // namespace slipway::runtime
