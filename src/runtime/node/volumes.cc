#include "runtime/node/volumes.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/rules/place.h"
#include "base/text.h"

namespace slipway::runtime {

namespace {

using api::Place;
using Done = std::expected<void, Refusal>;

std::unexpected<Refusal> refuse(std::string message) {
  return std::unexpected(Refusal{.reason = "FailedMount", .message = std::move(message)});
}

// A path of an item stays inside the volume's folder.
bool is_inside(std::string_view path) {
  if (path.empty() || path.starts_with('/')) return false;
  const auto parts = text::split(path, '/');
  return std::ranges::none_of(parts, [](const std::string& part) { return part == ".."; });
}

// One Pod's volumes under construction.
class Builder {
 public:
  Builder(const json::Value& pod, const PodSources& sources, const std::string& pod_ip,
          const NodeFacts& node)
      : pod_(pod), sources_(sources), pod_ip_(pod_ip), node_(node) {}

  std::expected<std::vector<Volume>, Refusal> build() {
    std::vector<Volume> volumes;
    for (const Place& place : Place(&pod_, "")["spec"]["volumes"].items()) {
      Volume volume{.name = std::string(place["name"].text())};
      if (auto done = fill(place, volume); !done) return std::unexpected(done.error());
      volumes.push_back(std::move(volume));
    }
    return volumes;
  }

 private:
  Done fill(const Place& place, Volume& volume) {
    if (place["emptyDir"].present()) return {};
    if (const Place source = place["configMap"]; source.present())
      return add_object(source, source["name"], false, mode_of(source, 0644), volume);
    if (const Place source = place["secret"]; source.present())
      return add_object(source, source["secretName"], true, mode_of(source, 0644), volume);
    if (const Place source = place["downwardAPI"]; source.present())
      return add_fields(source, mode_of(source, 0644), volume);
    if (const Place source = place["projected"]; source.present())
      return add_projected(source, volume);
    if (const Place source = place["hostPath"]; source.present()) {
      volume.host_path = source["path"].text();
      volume.make_host_path = source["type"].text() == "DirectoryOrCreate";
      return {};
    }
    return refuse(fmt::format(
        "volume \"{}\": this node has emptyDir, configMap, secret, downwardAPI, projected and "
        "hostPath volumes only",
        volume.name));
  }

  Done add_projected(const Place& projected, Volume& volume) {
    const unsigned mode = mode_of(projected, 0644);
    for (const Place& source : projected["sources"].items()) {
      Done done;
      if (const Place map = source["configMap"]; map.present()) {
        done = add_object(map, map["name"], false, mode, volume);
      } else if (const Place secret = source["secret"]; secret.present()) {
        done = add_object(secret, secret["name"], true, mode, volume);
      } else if (source["downwardAPI"].present()) {
        done = add_fields(source["downwardAPI"], mode, volume);
      } else {
        done = refuse(fmt::format(
            "volume \"{}\": configMap, secret and downwardAPI are what can be projected here",
            volume.name));
      }
      if (!done) return done;
    }
    return {};
  }

  static unsigned mode_of(const Place& source, unsigned otherwise) {
    const Place given = source[source["mode"].present() ? "mode" : "defaultMode"];
    return static_cast<unsigned>(given.integer(otherwise)) & 0777U;
  }

  Done add_object(const Place& source, const Place& name, bool secret, unsigned mode,
                  Volume& volume) {
    const auto& objects = secret ? sources_.secrets : sources_.config_maps;
    const auto found = objects.find(std::string(name.text()));
    const bool optional = source["optional"].truth();
    if (found == objects.end()) {
      if (optional) return {};
      return refuse(fmt::format("MountVolume.SetUp failed for volume \"{}\" : {} \"{}\" not found",
                                volume.name, secret ? "secret" : "configmap", name.text()));
    }
    const json::Value& object = found->second;
    const auto value_of = [&](std::string_view key) {
      return secret ? secret_key(object, key) : config_map_key(object, key);
    };
    if (!source["items"].empty()) {
      for (const Place& item : source["items"].items()) {
        auto value = value_of(item["key"].text());
        if (!value && optional) continue;
        if (!value)
          return refuse(
              fmt::format("MountVolume.SetUp failed for volume \"{}\" : references "
                          "non-existent {} key: {}",
                          volume.name, secret ? "secret" : "config", item["key"].text()));
        if (auto done =
                add_file(volume, item["path"].text(), std::move(*value), mode_of(item, mode));
            !done)
          return done;
      }
      return {};
    }
    const Place place(&object, "");
    for (const std::string_view list : {"data", "binaryData"})
      for (const std::string_view key : place[list].keys())
        if (auto value = value_of(key))
          if (auto done = add_file(volume, key, std::move(*value), mode); !done) return done;
    return {};
  }

  Done add_fields(const Place& source, unsigned mode, Volume& volume) {
    for (const Place& item : source["items"].items()) {
      std::string value;
      if (const Place field = item["fieldRef"]; field.present()) {
        value = field_value(pod_, field["fieldPath"].text(), pod_ip_, node_);
      } else {
        const Place ref = item["resourceFieldRef"];
        for (const Place& container : Place(&pod_, "")["spec"]["containers"].items())
          if (container["name"].text() == ref["containerName"].text())
            value = resource_value(container.value(), ref["resource"].text(), ref["divisor"].text(),
                                   node_);
      }
      if (auto done = add_file(volume, item["path"].text(), std::move(value), mode_of(item, mode));
          !done)
        return done;
    }
    return {};
  }

  Done add_file(Volume& volume, std::string_view path, std::string bytes, unsigned mode) {
    if (!is_inside(path))
      return refuse(
          fmt::format("volume \"{}\": the path \"{}\" leads out of the volume", volume.name, path));
    bytes_ += bytes.size();
    if (++files_ > kMaxVolumeFiles || bytes_ > kMaxVolumeBytes)
      return refuse(fmt::format("volume \"{}\": more than {} files or {} bytes", volume.name,
                                kMaxVolumeFiles, kMaxVolumeBytes));
    // The last source that names a path wins, as in a cluster.
    std::erase_if(volume.files, [&](const VolumeFile& file) { return file.path == path; });
    volume.files.push_back({std::string(path), std::move(bytes), mode});
    return {};
  }

  const json::Value& pod_;
  const PodSources& sources_;
  const std::string& pod_ip_;
  const NodeFacts& node_;
  std::size_t files_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace

std::expected<std::vector<Volume>, Refusal> volumes_of(const json::Value& pod,
                                                       const PodSources& sources,
                                                       const std::string& pod_ip,
                                                       const NodeFacts& node) {
  return Builder(pod, sources, pod_ip, node).build();
}

}  // namespace slipway::runtime
