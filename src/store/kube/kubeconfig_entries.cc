#include "store/kube/kubeconfig_entries.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/base64.h"
#include "base/file.h"
#include "base/yaml.h"

namespace slipway::store::kube {

namespace {

// The name of the list, and the key under which each of its elements keeps its fields.
struct ListName {
  std::string_view list;
  std::string_view element;
};
constexpr ListName kClusters{"clusters", "cluster"};
constexpr ListName kUsers{"users", "user"};
constexpr ListName kContexts{"contexts", "context"};

using Entries = std::map<std::string, KubeconfigEntry, std::less<>>;

Result<> read_entry(const json::Value& element, const std::string& path, ListName names,
                    const std::string& folder, Entries& entries) {
  if (!element.is_object()) return fail(ErrorCode::kInvalid, "must be an object", path);
  const json::Value* name = element.get_object().if_contains("name");
  if (!name || !name->is_string()) {
    return fail(ErrorCode::kInvalid, "every entry needs a name", path + ".name");
  }
  KubeconfigEntry entry{.fields = {}, .folder = folder};
  const json::Value* fields = element.get_object().if_contains(names.element);
  if (fields && !fields->is_null()) {
    if (!fields->is_object()) {
      return fail(ErrorCode::kInvalid, "must be an object",
                  fmt::format("{}.{}", path, names.element));
    }
    entry.fields = fields->get_object();
  }
  if (!entries.emplace(std::string(name->get_string()), std::move(entry)).second) {
    return fail(ErrorCode::kInvalid,
                fmt::format("\"{}\" is there twice", std::string_view(name->get_string())),
                path + ".name");
  }
  return {};
}

Result<> read_entries(const json::Object& document, ListName names, const std::string& folder,
                      Entries& entries) {
  const json::Value* list = document.if_contains(names.list);
  if (!list || list->is_null()) return {};
  if (!list->is_array()) {
    return fail(ErrorCode::kInvalid, "must be a list", std::string(names.list));
  }
  std::size_t index = 0;
  for (const json::Value& element : list->get_array()) {
    std::string path = fmt::format("{}[{}]", names.list, index++);
    SLIPWAY_TRY(read_entry(element, path, names, folder, entries));
  }
  return {};
}

Result<json::Object> read_document(std::string_view text) {
  auto documents = yaml::read(text, {.max_bytes = kMaxKubeconfigBytes});
  if (!documents) {
    Error error = std::move(documents).error();
    if (error.code == ErrorCode::kBadRequest) error.code = ErrorCode::kInvalid;
    return fail(std::move(error));
  }
  if (documents->empty()) return json::Object();
  if (documents->size() > 1) {
    return fail(ErrorCode::kInvalid, "a kubeconfig is one document, this has several");
  }
  json::Value& value = documents->front().value;
  if (!value.is_object()) return fail(ErrorCode::kInvalid, "a kubeconfig is an object");
  return std::move(value.get_object());
}

}  // namespace

Result<Kubeconfig> parse_kubeconfig(std::string_view text, const std::string& folder) {
  Result<json::Object> document = read_document(text);
  if (!document) return std::unexpected(std::move(document).error());
  Kubeconfig config;
  if (const json::Value* kind = document->if_contains("kind");
      kind && !kind->is_null() && *kind != json::Value("Config")) {
    return fail(ErrorCode::kInvalid, "must be Config for a kubeconfig", "kind");
  }
  if (const json::Value* current = document->if_contains("current-context");
      current && !current->is_null()) {
    if (!current->is_string()) {
      return fail(ErrorCode::kInvalid, "must be the name of a context", "current-context");
    }
    config.current_context = current->get_string();
  }
  SLIPWAY_TRY(read_entries(*document, kClusters, folder, config.clusters));
  SLIPWAY_TRY(read_entries(*document, kUsers, folder, config.users));
  SLIPWAY_TRY(read_entries(*document, kContexts, folder, config.contexts));
  return config;
}

void merge_kubeconfig(Kubeconfig& into, Kubeconfig from) {
  if (into.current_context.empty()) into.current_context = std::move(from.current_context);
  into.clusters.merge(from.clusters);
  into.users.merge(from.users);
  into.contexts.merge(from.contexts);
}

const json::Value* EntryReader::find(std::string_view name) const {
  const json::Value* value = entry_.fields.if_contains(name);
  return value && !value->is_null() ? value : nullptr;
}

bool EntryReader::has(std::string_view name) const {
  const json::Value* value = find(name);
  return value && !(value->is_string() && value->get_string().empty());
}

std::string EntryReader::path_of(std::string_view name) const {
  return fmt::format("{}.{}", path_, name);
}

void EntryReader::keep(Error error) {
  if (result_) result_ = std::unexpected(std::move(error));
}

void EntryReader::refuse(std::string_view name, std::string message) {
  keep({.code = ErrorCode::kInvalid, .message = std::move(message), .where = path_of(name)});
}

std::string EntryReader::text(std::string_view name) {
  const json::Value* value = find(name);
  if (!value) return {};
  if (!value->is_string()) {
    refuse(name, "must be text");
    return {};
  }
  std::string text(value->get_string());
  if (text.find('\0') != std::string::npos) refuse(name, "must not hold a zero byte");
  return text;
}

bool EntryReader::flag(std::string_view name) {
  const json::Value* value = find(name);
  if (!value) return false;
  if (!value->is_bool()) {
    refuse(name, "must be true or false");
    return false;
  }
  return value->get_bool();
}

std::vector<std::string> EntryReader::texts(std::string_view name) {
  std::vector<std::string> all;
  const json::Array* list = array(name);
  if (!list) return all;
  for (const json::Value& value : *list) {
    if (!value.is_string()) {
      refuse(name, "must be a list of texts");
      return {};
    }
    all.emplace_back(value.get_string());
  }
  return all;
}

const json::Object* EntryReader::object(std::string_view name) {
  const json::Value* value = find(name);
  if (value && !value->is_object()) refuse(name, "must be an object");
  return value ? value->if_object() : nullptr;
}

const json::Array* EntryReader::array(std::string_view name) {
  const json::Value* value = find(name);
  if (value && !value->is_array()) refuse(name, "must be a list");
  return value ? value->if_array() : nullptr;
}

std::string EntryReader::resolve(std::string_view path) const {
  std::filesystem::path given(path);
  if (given.is_absolute()) return std::string(path);
  const auto joined = (std::filesystem::path(entry_.folder) / given).lexically_normal();
  // A program without a slash would be looked for in $PATH, and one run later may run elsewhere.
  std::error_code failed;
  const auto absolute = std::filesystem::absolute(joined, failed);
  return (failed ? joined : absolute).string();
}

std::string EntryReader::bytes_or_file(std::string_view name) {
  std::string data_name = fmt::format("{}-data", name);
  if (std::string data = text(data_name); !data.empty()) {
    Result<std::string> bytes = base64_decode(data);
    if (bytes) return std::move(*bytes);
    refuse(data_name, bytes.error().message);
    return {};
  }
  std::string path = text(name);
  if (path.empty() || !result_) return {};
  Result<std::string> bytes = file::read(resolve(path), kMaxKubeconfigBytes);
  if (bytes) return std::move(*bytes);
  keep({.code = ErrorCode::kNotFound,
        .message = std::move(bytes).error().message,
        .where = path_of(name)});
  return {};
}

}  // namespace slipway::store::kube
