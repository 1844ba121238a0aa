#include "lang/template/pipecd.h"

#include <initializer_list>
#include <utility>

#include "lang/template/scalars.h"
#include "lang/template/template.h"

namespace slipway::lang {
namespace {

using Path = std::initializer_list<std::string_view>;

std::string joined(Path path) {
  std::string out;
  for (const auto name : path) out.append(out.empty() ? "" : ".").append(name);
  return out;
}

// The text at the released name, else at the RFC's; nothing when neither is there.
Result<std::optional<std::string>> text_at(const json::Value& data, Path released, Path rfc) {
  for (const Path& path : {released, rfc}) {
    const json::Value* found = json::at(data, path);
    if (found == nullptr) continue;
    auto text = scalar_text(*found, joined(path));
    if (!text) return std::unexpected(std::move(text).error());
    return std::optional(std::move(*text));
  }
  return std::nullopt;
}

// `.Variant` alone is a name, and so it is where the data says "Variant": "canary".
Result<std::optional<std::string>> variant_name(const json::Value& data) {
  if (const json::Value* name = json::at(data, {"Variant"}); name != nullptr && name->is_string())
    return std::optional(std::string(name->get_string()));
  return text_at(data, {"Variant", "Name"}, {"BuiltInArgs", "Variant", "Name"});
}

Result<json::Object> args_at(const json::Object& data, std::string_view released,
                             std::string_view rfc) {
  return scalar_texts(data, data.contains(released) ? released : rfc);
}

go::Value text(const std::string& held) { return go::Value(std::string_view(held)); }

go::Value args(const json::Object& held) {
  return go::Value(go::Map{.entries = &held, .strings = true, .ints = false});
}

// Everything a query may name. The structs point at each other and at the arguments.
class Names {
 public:
  explicit Names(const PipecdArguments& given) : app_args_(given.app_args) {
    app_args_.emplace("Name", given.app_name);
    k8s_.fields = {{"Namespace", text(given.namespace_)}};
    app_.fields = {{"Name", text(given.app_name)}, {"Env", text(empty_)}};
    variant_.text = given.variant;
    variant_.fields = {{"Name", text(given.variant)}, {"CustomArgs", args(given.variant_args)}};
    if (given.pod_name) variant_k8s_.fields.push_back({"PodName", text(*given.pod_name)});
    if (given.service_name)
      variant_k8s_.fields.push_back({"ServiceName", text(*given.service_name)});
    if (!variant_k8s_.fields.empty()) variant_.fields.push_back({"K8s", of(variant_k8s_)});
    rfc_app_.fields = {{"Name", text(given.app_name)}, {"K8s", of(k8s_)}};
    built_in_.fields = {{"App", of(rfc_app_)}, {"Variant", of(variant_)}};
    root_.fields = {{"App", of(app_)},
                    {"K8s", of(k8s_)},
                    {"Variant", of(variant_)},
                    {"VariantCustomArgs", args(given.variant_args)},
                    {"AppCustomArgs", args(given.app_args)},
                    {"BuiltInArgs", of(built_in_)},
                    {"VariantArgs", args(given.variant_args)},
                    {"AppArgs", args(app_args_)}};
  }
  Names(const Names&) = delete;

  go::Value root() const { return of(root_); }

 private:
  static go::Value of(const go::Struct& held) { return go::Value(&held); }

  const std::string empty_;
  json::Object app_args_;
  go::Struct k8s_{.type = "metrics.k8sArgs"};
  go::Struct app_{.type = "metrics.appArgs"};
  go::Struct variant_k8s_{.type = "metrics.variantK8sArgs"};
  go::Struct variant_{.type = "metrics.variantArgs"};
  go::Struct rfc_app_{.type = "metrics.appArgs"};
  go::Struct built_in_{.type = "metrics.builtInArgs"};
  go::Struct root_{.type = "metrics.argsTemplate"};
};

}  // namespace

Result<PipecdArguments> read_pipecd_arguments(const json::Object& data) {
  const json::Value whole(data);
  auto app = text_at(whole, {"App", "Name"}, {"BuiltInArgs", "App", "Name"});
  auto ns = text_at(whole, {"K8s", "Namespace"}, {"BuiltInArgs", "App", "K8s", "Namespace"});
  auto variant = variant_name(whole);
  auto pod =
      text_at(whole, {"Variant", "K8s", "PodName"}, {"BuiltInArgs", "Variant", "K8s", "PodName"});
  auto service = text_at(whole, {"Variant", "K8s", "ServiceName"},
                         {"BuiltInArgs", "Variant", "K8s", "ServiceName"});
  for (auto* text : {&app, &ns, &variant, &pod, &service})
    if (!*text) return std::unexpected(text->error());
  auto variant_args = args_at(data, "VariantCustomArgs", "VariantArgs");
  if (!variant_args) return std::unexpected(std::move(variant_args).error());
  auto app_args = args_at(data, "AppCustomArgs", "AppArgs");
  if (!app_args) return std::unexpected(std::move(app_args).error());
  return PipecdArguments{.app_name = app->value_or(""),
                         .namespace_ = ns->value_or(""),
                         .variant = variant->value_or(""),
                         .pod_name = *pod,
                         .service_name = *service,
                         .variant_args = std::move(*variant_args),
                         .app_args = std::move(*app_args)};
}

Result<std::string> render_pipecd(std::string_view text, const PipecdArguments& arguments) {
  auto parsed = Template::parse(std::string(text), {.name = "AnalysisTemplate"});
  if (!parsed) return std::unexpected(std::move(parsed).error());
  const Names names(arguments);
  return parsed->execute(names.root());
}

}  // namespace slipway::lang
