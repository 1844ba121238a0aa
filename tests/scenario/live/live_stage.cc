#include "scenario/live/live_stage.h"

#include <algorithm>
#include <fstream>

namespace slipway::scenario {

namespace {

const api::Gvr kNamespaces{"", "v1", "namespaces"};
constexpr std::string_view kAddress = "http://metrics.test";
constexpr std::string_view kTimes[] = {"duration",
                                       "interval",
                                       "initialDelay",
                                       "progressDeadlineSeconds",
                                       "scaleDownDelaySeconds",
                                       "abortScaleDownDelaySeconds",
                                       "minReadySeconds",
                                       "autoPromotionSeconds"};
constexpr int kPort = 8080;

void write_file(const std::filesystem::path& file, const std::string& text) {
  std::filesystem::create_directories(file.parent_path());
  const std::filesystem::path fresh = file.string() + ".new";
  std::ofstream(fresh) << text;
  std::filesystem::rename(fresh, file);
}

}  // namespace

Task<Result<>> LiveStage::make_namespace() {
  json::Object object{
      {"apiVersion", "v1"}, {"kind", "Namespace"}, {"metadata", json::Object{{"name", ns_}}}};
  auto made = co_await store_.create(kNamespaces, {}, std::move(object), {});
  if (!made) co_return std::unexpected(std::move(made).error());
  co_return Result<>();
}

Duration LiveStage::lasting(Duration scripted) const {
  return Duration(
      static_cast<Duration::rep>(static_cast<double>(scripted.count()) / options_.pace));
}

void LiveStage::shorten(json::Value& time) const {
  if (time.is_int64() && time.get_int64() > 0)
    time = std::max<std::int64_t>(
        1, static_cast<std::int64_t>(static_cast<double>(time.get_int64()) / options_.pace));
  if (!time.is_string()) return;
  if (auto duration = parse_duration(std::string_view(time.get_string())))
    time = format_duration(lasting(*duration));
}

void LiveStage::equip(json::Object& container) const {
  container["env"] = json::Array{json::Object{{"name", "SCENARIO"}, {"value", ns_}}};
  container["readinessProbe"] =
      json::Object{{"httpGet", json::Object{{"path", "/ready"}, {"port", kPort}}},
                   {"periodSeconds", 1},
                   {"failureThreshold", 1}};
}

void LiveStage::prepare(json::Value& value, std::string_view key) {
  if (std::ranges::find(kTimes, key) != std::end(kTimes)) shorten(value);
  if (value.is_string() && value.get_string() == kAddress) value = options_.metrics + "/" + ns_;
  if (value.is_array())
    for (json::Value& one : value.get_array()) {
      if (key == "containers") equip(one.as_object());
      prepare(one, {});
    }
  if (value.is_object())
    for (auto& [name, member] : value.get_object()) prepare(member, name);
}

void LiveStage::prepare(json::Object& manifest) {
  for (auto& [name, member] : manifest) prepare(member, name);
}

void LiveStage::set_metric(const std::string& source, const std::string& name,
                           const std::string& value) {
  write_file(options_.folder / "metrics" / ns_ / source / name, value);
}

Task<> LiveStage::set_ready(std::string image, bool ready) {
  const std::filesystem::path file = options_.folder / "unready" / ns_ / image;
  if (ready)
    std::filesystem::remove(file);
  else
    write_file(file, "");
  co_return;
}

}  // namespace slipway::scenario
