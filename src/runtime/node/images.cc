#include "runtime/node/images.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include "base/yaml.h"

namespace slipway::runtime {

namespace {

Result<std::vector<std::string>> read_words(const json::Value& list, const std::string& where) {
  if (!list.is_array() || list.get_array().empty())
    return fail(ErrorCode::kInvalid,
                "is not a list of words; write [program, argument], for example", where);
  std::vector<std::string> words;
  for (const json::Value& word : list.get_array()) {
    if (!word.is_string())
      return fail(ErrorCode::kInvalid,
                  fmt::format("{} is not a string; put it in quotes", json::write(word)), where);
    words.emplace_back(word.get_string());
  }
  return words;
}

Result<> read_member(std::string_view name, const json::Value& value, const std::string& where,
                     ImageCommand& command) {
  if (name == "command" || name == "args") {
    auto words = read_words(value, where + "." + std::string(name));
    if (!words) return std::unexpected(words.error());
    (name == "args" ? command.args : command.command) = std::move(*words);
  } else if (name == "workingDir" && value.is_string()) {
    command.working_dir = value.get_string();
  } else if (name == "env" && value.is_object()) {
    for (const auto& [key, text] : value.get_object()) {
      if (!text.is_string())
        return fail(ErrorCode::kInvalid,
                    fmt::format("{} is not a string; put it in quotes", json::write(text)),
                    fmt::format("{}.env.{}", where, std::string_view(key)));
      command.env.emplace_back(key, text.get_string());
    }
  } else {
    return fail(
        ErrorCode::kInvalid,
        fmt::format("\"{}\" is not understood here; write command, args, env or workingDir", name),
        where);
  }
  return {};
}

Result<ImageCommand> read_entry(const json::Value& value, const std::string& where) {
  ImageCommand command;
  if (!value.is_object()) {
    auto words = read_words(value, where);
    if (!words) return std::unexpected(words.error());
    command.command = std::move(*words);
    return command;
  }
  for (const auto& [key, member] : value.get_object())
    SLIPWAY_TRY(read_member(key, member, where, command));
  if (command.command.empty())
    return fail(ErrorCode::kInvalid, "has no command; write command: [program, argument]", where);
  return command;
}

std::string_view without_prefix(std::string_view text, std::string_view prefix) {
  return text.starts_with(prefix) ? text.substr(prefix.size()) : text;
}

bool has_tag(std::string_view image) {
  const std::string_view last = image.substr(image.rfind('/') + 1);
  return last.find(':') != std::string_view::npos || last.find('@') != std::string_view::npos;
}

}  // namespace

Result<Images> Images::parse(std::string_view text) {
  auto documents = yaml::read(text);
  if (!documents) return std::unexpected(documents.error());
  Images images;
  for (const yaml::Document& document : *documents) {
    if (!document.value.is_object())
      return fail(
          ErrorCode::kInvalid,
          "is not a map from image patterns to commands; write nginx:*: [program, argument]");
    for (const auto& [pattern, value] : document.value.get_object()) {
      auto entry = read_entry(value, std::string(pattern));
      if (!entry) return std::unexpected(entry.error());
      images.entries_.push_back({std::string(pattern), std::move(*entry)});
      if (images.entries_.size() > kMaxPatterns)
        return fail(ErrorCode::kTooLarge, fmt::format("more than {} patterns", kMaxPatterns));
    }
  }
  return images;
}

const ImageCommand* Images::find(std::string_view image) const {
  const std::string_view bare = without_prefix(without_prefix(image, "docker.io/"), "library/");
  std::vector<std::string> names{std::string(image), std::string(bare)};
  if (!has_tag(image)) {
    names.push_back(std::string(image) + ":latest");
    names.push_back(std::string(bare) + ":latest");
  }
  for (const Entry& entry : entries_)
    for (const std::string& name : names)
      if (fnmatch(entry.pattern.c_str(), name.c_str(), 0) == 0) return &entry.command;
  return nullptr;
}

std::string image_tag(std::string_view image) {
  image = image.substr(0, image.find('@'));
  const std::string_view last = image.substr(image.rfind('/') + 1);
  const auto colon = last.find(':');
  return colon == std::string_view::npos ? "latest" : std::string(last.substr(colon + 1));
}

}  // namespace slipway::runtime
