#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/json.h"

// Queries of PipeCD's analysis: a Go template over the application and the variant that is asked
// about, under the names of the released PipeCD and under those of its RFC.
namespace slipway::lang {

struct PipecdArguments {
  std::string app_name = {};
  std::string namespace_ = {};
  std::string variant = {};                      // primary, canary or baseline
  std::optional<std::string> pod_name = {};      // a regular expression that matches its Pods
  std::optional<std::string> service_name = {};  // where there are workloads
  json::Object variant_args = {};                // texts
  json::Object app_args = {};                    // texts
};

// From data such as {"App":{"Name":…},"K8s":{"Namespace":…},"Variant":{"Name":…,"K8s":{"PodName":…,
// "ServiceName":…}},"VariantCustomArgs":{…},"AppCustomArgs":{…}}; BuiltInArgs, VariantArgs and
// AppArgs serve where those are missing. Scalars are taken as text. kInvalid names what is no text.
Result<PipecdArguments> read_pipecd_arguments(const json::Object& data);

// .App.Name .App.Env .K8s.Namespace .Variant.Name .Variant.CustomArgs.x .Variant.K8s.PodName
// .Variant.K8s.ServiceName .VariantCustomArgs.x .AppCustomArgs.x, and .BuiltInArgs.Variant.Name
// .BuiltInArgs.App.Name .BuiltInArgs.App.K8s.Namespace .VariantArgs.x .AppArgs.x. {{ .Variant }}
// prints the variant's name; .AppArgs.Name is the application's unless an argument has that name.
// An argument that is not there prints <no value>; any other unknown name is an error (kInvalid).
Result<std::string> render_pipecd(std::string_view text, const PipecdArguments& arguments);

}  // namespace slipway::lang
