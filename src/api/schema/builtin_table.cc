#include "api/schema/builtin_table.h"

#include <fmt/format.h>

#include "api/schema/table_attributes.h"

// Embedded by CMake.
extern const char builtin_table_begin[], builtin_table_end[];

namespace slipway::api {

namespace {

constexpr std::string_view kMeta = "io.k8s.apimachinery.pkg.apis.meta.v1.";
constexpr std::string_view kExtensions =
    "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.";

const std::map<std::string_view, Shape> kScalars = {
    {"string", Shape::kString},     {"bool", Shape::kBool},
    {"int32", Shape::kInt32},       {"int64", Shape::kInt64},
    {"double", Shape::kDouble},     {"bytes", Shape::kBytes},
    {"time", Shape::kTime},         {"microTime", Shape::kMicroTime},
    {"quantity", Shape::kQuantity}, {"intOrString", Shape::kIntOrString},
    {"any", Shape::kAny},
};

// Fields whose values are free JSON in the table and a named type in OpenAPI, which `kubectl
// explain` prints.
struct NamedAny {
  std::string_view owner, field, prefix, type;
};
constexpr NamedAny kNamedAny[] = {
    {"ManagedFieldsEntry", "fieldsV1", kMeta, "FieldsV1"},
    {"JSONSchemaProps", "default", kExtensions, "JSON"},
    {"JSONSchemaProps", "example", kExtensions, "JSON"},
    {"JSONSchemaProps", "items", kExtensions, "JSONSchemaPropsOrArray"},
    {"JSONSchemaProps", "additionalItems", kExtensions, "JSONSchemaPropsOrBool"},
    {"JSONSchemaProps", "additionalProperties", kExtensions, "JSONSchemaPropsOrBool"},
};

class Reader {
 public:
  explicit Reader(SchemaSet& schemas) : schemas_(schemas) {}

  Result<KindSchemas> read(std::string_view text) {
    SLIPWAY_TRY(each_line(text, &Reader::declare));
    SLIPWAY_TRY(each_line(text, &Reader::define));
    return std::move(kinds_);
  }

 private:
  using Step = Result<> (Reader::*)(std::string_view line);

  Result<> each_line(std::string_view text, Step step) {
    for (int number = 1; !text.empty(); ++number) {
      std::size_t end = text.find('\n');
      std::string_view line = text.substr(0, end);
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
      if (line.empty() || line.front() == '#') continue;
      if (auto done = (this->*step)(line); !done) {
        done.error().message = fmt::format("line {}: {}", number, done.error().message);
        return done;
      }
    }
    return {};
  }

  // First every type's name, because fields refer to later ones.
  Result<> declare(std::string_view line) {
    if (!line.starts_with("type ")) return {};
    next_word(line);
    std::string name(next_word(line));
    auto attributes = read_attributes(line);
    if (!attributes) return fail(std::move(attributes).error());
    if (name.empty() || types_.contains(name)) {
      return fail(ErrorCode::kInvalid,
                  fmt::format("type \"{}\" has no name or is there twice", name));
    }
    types_[name] =
        &schemas_.add({.name = name, .shape = Shape::kObject, .atomic = attributes->limits.atomic});
    return {};
  }

  Result<> define(std::string_view line) {
    if (line.front() == ' ') return define_field(line);
    std::string_view word = next_word(line);
    if (word == "type") {
      current_ = types_.find(next_word(line))->second;
      return {};
    }
    if (word != "kind")
      return fail(ErrorCode::kInvalid, fmt::format("\"{}\" is neither kind nor type", word));
    std::string_view api_version = next_word(line), kind = next_word(line), type = next_word(line);
    auto found = types_.find(type);
    if (found == types_.end())
      return fail(ErrorCode::kInvalid, fmt::format("no type \"{}\"", type));
    kinds_[parse_gvk(api_version, kind)] = found->second;
    return {};
  }

  Result<> define_field(std::string_view line) {
    if (current_ == nullptr) return fail(ErrorCode::kInvalid, "a field without a type");
    std::string name(next_word(line));
    std::string_view type = next_word(line);
    auto attributes = read_attributes(line);
    if (!attributes) return fail(std::move(attributes).error());
    const Schema* schema = named_any(name);
    if (schema == nullptr) {
      auto made = schema_of(type, *attributes);
      if (!made) return fail(std::move(made).error());
      schema = *made;
    }
    Field field = std::move(attributes->field);
    field.name = std::move(name);
    field.type = schema;
    current_->fields.push_back(std::move(field));
    return {};
  }

  const Schema* named_any(std::string_view field) {
    for (const NamedAny& known : kNamedAny) {
      if (field != known.field || !current_->name.ends_with(fmt::format(".{}", known.owner)))
        continue;
      std::string name = fmt::format("{}{}", known.prefix, known.type);
      const Schema* schema = schemas_.find(name);
      return schema != nullptr ? schema : &schemas_.add({.name = name, .shape = Shape::kAny});
    }
    return nullptr;
  }

  // A limit beside a named type would need a second schema of that name. What the type says itself
  // may be repeated, and Kubernetes has one list type on a struct, which means nothing.
  static bool may_stand_beside(const Schema& named, std::string_view limits) {
    return limits.empty() || limits == " list=atomic" || (limits == " map=atomic" && named.atomic);
  }

  Result<const Schema*> schema_of(std::string_view type, TableAttributes& attributes) {
    if (auto named = types_.find(type); named != types_.end()) {
      if (!may_stand_beside(*named->second, attributes.signature)) {
        return fail(ErrorCode::kInvalid,
                    fmt::format("\"{}\": a named type takes no limits here", type));
      }
      return named->second;
    }
    if (type.starts_with("[]") || type.starts_with("map[]")) return container_of(type, attributes);
    auto scalar = kScalars.find(type);
    if (scalar == kScalars.end())
      return fail(ErrorCode::kInvalid, fmt::format("no type \"{}\"", type));
    if (attributes.signature.empty()) return schemas_.scalar(scalar->second);
    const Schema*& shared = shared_[fmt::format("{}{}", type, attributes.signature)];
    if (shared == nullptr) {
      attributes.limits.shape = scalar->second;
      shared = &schemas_.add(std::move(attributes.limits));
    }
    return shared;
  }

  Result<const Schema*> container_of(std::string_view type, TableAttributes& attributes) {
    bool list = type.starts_with("[]");
    TableAttributes inner;
    inner.limits = std::move(attributes.inner);
    inner.signature = attributes.inner_signature;
    auto element = schema_of(type.substr(list ? 2 : 5), inner);
    if (!element) return element;
    const Schema*& shared =
        shared_[fmt::format("{}{}{}", type, attributes.signature, attributes.inner_signature)];
    if (shared == nullptr) {
      attributes.limits.shape = list ? Shape::kList : Shape::kMap;
      attributes.limits.element = *element;
      shared = &schemas_.add(std::move(attributes.limits));
    }
    return shared;
  }

  SchemaSet& schemas_;
  std::map<std::string, Schema*, std::less<>> types_;
  std::map<std::string, const Schema*> shared_;
  Schema* current_ = nullptr;
  KindSchemas kinds_;
};

}  // namespace

Result<KindSchemas> read_table(std::string_view text, SchemaSet& schemas) {
  return Reader(schemas).read(text);
}

std::string_view builtin_table() {
  return {builtin_table_begin, static_cast<std::size_t>(builtin_table_end - builtin_table_begin)};
}

}  // namespace slipway::api
