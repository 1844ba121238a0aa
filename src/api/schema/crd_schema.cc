#include "api/schema/crd_schema.h"

#include <algorithm>
#include <cctype>
#include <span>
#include <unordered_map>

#include "api/rules/crd_names.h"
#include "api/rules/crd_rules.h"
#include "api/rules/members.h"

namespace slipway::api {

namespace {

constexpr std::string_view kObjectMeta = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";

ListType list_type_of(std::string_view word) {
  if (word == "set") return ListType::kSet;
  return word == "map" ? ListType::kMap : ListType::kAtomic;
}

class StructuralReader {
 public:
  StructuralReader(const SchemaSet& builtin, SchemaSet& into) : builtin_(builtin), into_(into) {}

  const Schema* read(const json::Object& source, bool is_resource) {
    Schema schema;
    schema.shape = shape_of(source);
    read_limits(source, schema);
    read_junctors(source, schema);
    read_object(source, schema, is_resource);
    if (is_resource) schema.source = json::write(source);
    if (const json::Object* items = object_in(source, "items"))
      schema.element = read(*items, false);
    if (schema.shape == Shape::kList || schema.shape == Shape::kMap) {
      if (schema.element == nullptr) schema.element = into_.scalar(Shape::kAny);
    }
    return &into_.add(std::move(schema));
  }

 private:
  static Shape shape_of(const json::Object& source) {
    if (flag_in(source, "x-kubernetes-int-or-string")) return Shape::kIntOrString;
    std::string_view type = text_in(source, "type");
    if (type == "string") return Shape::kString;
    if (type == "integer") return Shape::kInt64;
    if (type == "number") return Shape::kDouble;
    if (type == "boolean") return Shape::kBool;
    if (type == "array") return Shape::kList;
    if (type != "object") return Shape::kAny;
    const json::Value* rest = source.if_contains("additionalProperties");
    bool free_keys =
        rest != nullptr && (rest->is_object() || (rest->is_bool() && rest->get_bool()));
    return free_keys && !source.contains("properties") ? Shape::kMap : Shape::kObject;
  }

  static void read_limits(const json::Object& source, Schema& schema) {
    schema.nullable = flag_in(source, "nullable");
    schema.minimum = number_in<double>(source, "minimum");
    schema.maximum = number_in<double>(source, "maximum");
    schema.exclusive_minimum = flag_in(source, "exclusiveMinimum");
    schema.exclusive_maximum = flag_in(source, "exclusiveMaximum");
    schema.multiple_of = number_in<double>(source, "multipleOf");
    schema.min_length = number_in<std::int64_t>(source, "minLength");
    schema.max_length = number_in<std::int64_t>(source, "maxLength");
    schema.min_items = number_in<std::int64_t>(source, "minItems");
    schema.max_items = number_in<std::int64_t>(source, "maxItems");
    schema.min_properties = number_in<std::int64_t>(source, "minProperties");
    schema.max_properties = number_in<std::int64_t>(source, "maxProperties");
    schema.unique_items = flag_in(source, "uniqueItems");
    schema.pattern = text_in(source, "pattern");
    schema.format = text_in(source, "format");
    schema.list_type = list_type_of(text_in(source, "x-kubernetes-list-type"));
    schema.map_keys = texts_in(source, "x-kubernetes-list-map-keys");
    schema.atomic = text_in(source, "x-kubernetes-map-type") == "atomic";
    if (const json::Array* values = array_in(source, "enum")) {
      for (const json::Value& value : *values) {
        schema.enumeration.push_back(value.is_string() ? std::string(value.get_string())
                                                       : json::write(value));
      }
    }
  }

  void read_junctors(const json::Object& source, Schema& schema) {
    for (auto [key, list] : {std::pair{"allOf", &schema.all_of},
                             {"anyOf", &schema.any_of},
                             {"oneOf", &schema.one_of}}) {
      const json::Array* members = array_in(source, key);
      if (members == nullptr) continue;
      for (const json::Value& member : *members) {
        if (member.is_object()) list->push_back(read(member.get_object(), false));
      }
    }
    if (const json::Object* negated = object_in(source, "not"))
      schema.negated = read(*negated, false);
  }

  void read_object(const json::Object& source, Schema& schema, bool is_resource) {
    schema.preserve_unknown = flag_in(source, "x-kubernetes-preserve-unknown-fields");
    schema.embedded_resource = flag_in(source, "x-kubernetes-embedded-resource");
    if (is_resource || schema.embedded_resource) add_resource_fields(schema);
    const std::size_t given = schema.fields.size();
    if (const json::Object* properties = object_in(source, "properties")) {
      for (const auto& [name, property] : *properties) {
        if (property.is_object() && !is_among(schema, given, name))
          add_property(schema, name, property.get_object());
      }
    }
    mark_required(texts_in(source, "required"), schema);
    const json::Value* rest = source.if_contains("additionalProperties");
    if (schema.shape == Shape::kMap && rest->is_object())
      schema.element = read(rest->get_object(), false);
  }

  // What every object has is decoded by Kubernetes itself, whatever a schema says of it.
  void add_resource_fields(Schema& schema) {
    const Schema* metadata = builtin_.find(kObjectMeta);
    schema.fields.push_back({.name = "apiVersion", .type = into_.scalar(Shape::kString)});
    schema.fields.push_back({.name = "kind", .type = into_.scalar(Shape::kString)});
    schema.fields.push_back(
        {.name = "metadata", .type = metadata != nullptr ? metadata : into_.scalar(Shape::kAny)});
  }

  // Of the first `count` fields: no two properties have one name.
  static bool is_among(const Schema& schema, std::size_t count, std::string_view name) {
    return std::ranges::any_of(std::span(schema.fields).first(count),
                               [&](const Field& field) { return field.name == name; });
  }

  static void mark_required(std::vector<std::string> names, Schema& schema) {
    if (names.empty()) return;
    std::unordered_map<std::string_view, Field*> fields;
    for (Field& field : schema.fields) fields.emplace(field.name, &field);
    for (std::string& name : names) {
      if (auto found = fields.find(name); found != fields.end())
        found->second->required = true;
      else
        schema.required_also.push_back(std::move(name));
    }
  }

  void add_property(Schema& schema, std::string_view name, const json::Object& property) {
    Field field{.name = std::string(name), .type = read(property, false)};
    if (const json::Value* value = property.if_contains("default")) field.default_value = *value;
    schema.fields.push_back(std::move(field));
  }

  const SchemaSet& builtin_;
  SchemaSet& into_;
};

std::vector<PrinterColumn> columns_of(const json::Object& version) {
  std::vector<PrinterColumn> columns;
  if (const json::Array* list = array_in(version, "additionalPrinterColumns")) {
    for (const json::Value& item : *list) {
      if (!item.is_object()) continue;
      const json::Object& column = item.get_object();
      columns.push_back({.name = std::string(text_in(column, "name")),
                         .type = std::string(text_in(column, "type")),
                         .format = std::string(text_in(column, "format")),
                         .json_path = std::string(text_in(column, "jsonPath")),
                         .description = std::string(text_in(column, "description")),
                         .priority = number_in<int>(column, "priority").value_or(0)});
    }
  }
  if (columns.empty()) {
    columns.push_back({.name = "Age", .type = "date", .json_path = ".metadata.creationTimestamp"});
  }
  return columns;
}

void read_subresources(const json::Object& version, Resource& resource) {
  const json::Object* subresources = object_in(version, "subresources");
  if (subresources == nullptr) return;
  resource.status_subresource = subresources->contains("status");
  if (const json::Object* scale = object_in(*subresources, "scale")) {
    resource.scale = ScalePaths{std::string(text_in(*scale, "specReplicasPath")),
                                std::string(text_in(*scale, "statusReplicasPath")),
                                std::string(text_in(*scale, "labelSelectorPath"))};
  }
}

Resource resource_of(const json::Object& spec, const json::Object& names,
                     const json::Object& version) {
  Resource resource{.gvk = {std::string(text_in(spec, "group")),
                            std::string(text_in(version, "name")),
                            std::string(text_in(names, "kind"))}};
  resource.plural = text_in(names, "plural");
  resource.singular = text_in(names, "singular");
  if (resource.singular.empty()) {
    std::ranges::transform(resource.gvk.kind, std::back_inserter(resource.singular),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  }
  resource.short_names = texts_in(names, "shortNames");
  resource.categories = texts_in(names, "categories");
  resource.namespaced = text_in(spec, "scope") != "Cluster";
  resource.columns = columns_of(version);
  resource.custom = true;
  read_subresources(version, resource);
  if (const json::Array* selectable = array_in(version, "selectableFields")) {
    for (const json::Value& item : *selectable) {
      std::string_view path =
          item.is_object() ? text_in(item.get_object(), "jsonPath") : std::string_view();
      if (path.starts_with('.')) resource.selectable_fields.emplace_back(path.substr(1));
    }
  }
  return resource;
}

}  // namespace

const Schema* read_structural_schema(const json::Object& source, const SchemaSet& builtin,
                                     SchemaSet& into) {
  return StructuralReader(builtin, into).read(source, true);
}

const Schema* read_structural_value(const json::Object& source, SchemaSet& into) {
  SchemaSet none;
  return StructuralReader(none, into).read(source, false);
}

Result<CustomKinds> read_crd(const json::Object& crd, const SchemaSet& builtin) {
  CustomKinds out;
  if (const json::Object* metadata = object_in(crd, "metadata"))
    out.name = text_in(*metadata, "name");
  Findings findings;
  Patterns patterns;
  check_crd(crd, patterns, findings);
  if (!findings.empty()) {
    Error error =
        findings.error({"apiextensions.k8s.io", "v1", "CustomResourceDefinition"}, out.name);
    error.where = findings.causes.front().field;
    return fail(std::move(error));
  }
  if (!is_established(crd)) return out;
  const json::Object& spec = *object_in(crd, "spec");
  auto storage = std::make_shared<StorageForm>();
  for (const json::Value& item : *array_in(spec, "versions")) {
    const json::Object& version = item.get_object();
    const bool stored = flag_in(version, "storage");
    if (!flag_in(version, "served") && !stored) continue;
    Resource resource = resource_of(spec, *served_names(crd), version);
    const json::Object& source = *object_in(*object_in(version, "schema"), "openAPIV3Schema");
    auto schemas = std::make_shared<SchemaSet>();
    resource.schema = read_structural_schema(source, builtin, *schemas);
    SLIPWAY_TRY(schemas->seal(patterns));
    resource.owner = std::move(schemas);
    if (stored) {
      *storage = {resource.gvk.api_version(), resource.schema, resource.owner};
    } else {
      resource.storage = storage;
    }
    if (flag_in(version, "served")) out.resources.push_back(std::move(resource));
  }
  return out;
}

}  // namespace slipway::api
