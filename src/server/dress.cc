#include "server/dress.h"

#include "base/json.h"
#include "base/yaml.h"

namespace slipway::server {
namespace {

// Larger lists are sent as they are: an indented copy of them would cost memory for nobody's eyes.
constexpr std::size_t kMaxDressedBytes = 16 * 1024 * 1024;
// What is read and written in one go holds the loop; the largest object fits.
constexpr std::size_t kMaxDressedAtOnce = 4 * 1024 * 1024;
// Between two turns of the loop: a few milliseconds of work.
constexpr std::size_t kDressedInTurn = 128 * 1024;

std::string joined(http::Response& response) {
  std::string text = std::move(response.body);
  for (const auto& part : response.parts) text += *part;
  response.parts.clear();
  return text;
}

std::size_t size_of(const http::Response& response) {
  std::size_t size = response.body.size();
  for (const auto& part : response.parts) size += part->size();
  return size;
}

void append_indented(std::string& out, std::string_view text, std::string_view margin) {
  for (char c : text) {
    out += c;
    if (c == '\n') out += margin;
  }
}

// Puts a list together from its items, exactly as if it were written whole.
class ListWriter {
 public:
  ListWriter(json::Object frame, bool yaml) : frame_(std::move(frame)), yaml_(yaml) {
    if (yaml_) {
      text_ = yaml::write(json::Object{{"apiVersion", frame_["apiVersion"]}}) + "items:\n";
      json::erase(frame_, "apiVersion");
      json::erase(frame_, "items");
    } else {
      text_ = json::write(frame_, {.indent = 2});
      text_.resize(text_.rfind(']'));
    }
  }

  void add(const json::Value& item) {
    if (yaml_) {
      text_ += yaml::write(json::Array{item});
      return;
    }
    text_ += first_ ? "\n    " : ",\n    ";
    first_ = false;
    append_indented(text_, json::write(item, {.indent = 2}), "    ");
  }

  std::string finish() {
    text_ += yaml_ ? yaml::write(frame_) : "\n  ]\n}\n";
    return std::move(text_);
  }

 private:
  json::Object frame_;  // with an empty list of items
  bool yaml_;
  bool first_ = true;
  std::string text_;
};

Task<bool> dress_list(Loop& loop, http::Response& response, bool yaml) {
  const auto& parts = response.parts;
  auto frame = json::read(*parts.front() + *parts.back());
  if (!frame || !frame->is_object()) co_return false;
  ListWriter writer(std::move(frame->get_object()), yaml);
  std::size_t in_turn = 0;
  for (std::size_t i = 1; i + 1 < parts.size(); i += 2) {
    auto item = json::read(*parts[i], {.max_bytes = kMaxDressedAtOnce});
    if (!item) co_return false;
    writer.add(*item);
    in_turn += parts[i]->size();
    if (in_turn < kDressedInTurn) continue;
    in_turn = 0;
    co_await next_turn(loop);
  }
  response.body = writer.finish();
  response.parts.clear();
  co_return true;
}

bool dress_whole(http::Response& response, bool yaml) {
  auto text = joined(response);
  auto value = json::read(text, {.max_bytes = kMaxDressedAtOnce});
  if (value) {
    response.body = yaml ? yaml::write(*value) : json::write(*value, {.indent = 2}) + "\n";
  } else {
    response.body = std::move(text);
  }
  return value.has_value();
}

}  // namespace

Task<http::Response> dress(Loop& loop, http::Response response, bool pretty, bool yaml) {
  if ((!pretty && !yaml) || response.stream) co_return response;
  if (response.headers.get("Content-Type") != "application/json") co_return response;
  const std::size_t size = size_of(response);
  const bool list = response.parts.size() > 2;
  if (size > (list ? kMaxDressedBytes : kMaxDressedAtOnce)) co_return response;
  const bool dressed =
      list ? co_await dress_list(loop, response, yaml) : dress_whole(response, yaml);
  if (dressed && yaml) response.headers.set("Content-Type", "application/yaml");
  co_return response;
}

}  // namespace slipway::server
