#include "cli/demo/scene.h"

#include <string_view>

#include "base/json.h"

extern const char web_yaml_begin[], web_yaml_end[];
extern const char images_conf_begin[], images_conf_end[];
extern const char prometheus_conf_begin[], prometheus_conf_end[];

namespace slipway::cli {

namespace {

std::string text_of(const char* begin, const char* end) {
  return {begin, static_cast<std::size_t>(end - begin)};
}

void replace_all(std::string& text, std::string_view old, const std::string& with) {
  for (auto at = text.find(old); at != std::string::npos; at = text.find(old, at + with.size()))
    text.replace(at, old.size(), with);
}

}  // namespace

Scene make_scene(const ScenePlaces& places) {
  const ScenePlaces written;
  Scene scene{.manifests = text_of(web_yaml_begin, web_yaml_end),
              .images = text_of(images_conf_begin, images_conf_end),
              .prometheus = text_of(prometheus_conf_begin, prometheus_conf_end)};
  replace_all(scene.manifests, written.prometheus, places.prometheus);
  replace_all(scene.manifests, std::to_string(written.port), std::to_string(places.port));
  replace_all(scene.prometheus, written.server, places.server);
  std::string quoted;
  json::append_string(quoted, places.program);
  replace_all(scene.images, "[" + written.program + ",", "[" + quoted + ",");
  return scene;
}

}  // namespace slipway::cli
