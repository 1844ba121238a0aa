#pragma once

#include <gtest/gtest.h>

#include "analysis/pipecd/compile_pipecd.h"

// Small PipeCD files for tests.
namespace slipway::analysis::pipecd::testing {

inline yaml::Document one_document(const std::string& text) {
  auto documents = yaml::read(text);
  EXPECT_TRUE(documents) << documents.error().text();
  if (!documents || documents->empty()) return {};
  return std::move(documents->front());
}

inline std::string application(const std::string& stages) {
  return "apiVersion: pipecd.dev/v1beta1\nkind: KubernetesApp\nspec:\n  name: shop\n  pipeline:\n"
         "    stages:\n" +
         stages;
}

// One ANALYSIS stage with one metric, in flow style.
inline std::string stage(const std::string& metric, const std::string& duration = "30m") {
  return application("    - name: ANALYSIS\n      with:\n        duration: " + duration +
                     "\n        metrics: [" + metric + "]\n");
}

inline constexpr const char* kPiped = R"(
apiVersion: pipecd.dev/v1beta1
kind: Piped
spec:
  analysisProviders:
    - {name: prom, type: PROMETHEUS, config: {address: 'http://prom:9090'}}
    - name: dog
      type: DATADOG
      config: {address: datadoghq.eu, apiKeyData: c2VzYW1l, applicationKeyFile: /keys/app}
    - {name: logs, type: STACKDRIVER, config: {serviceAccountFile: /keys/google.json}}
)";

inline constexpr const char* kTemplates = R"(
apiVersion: pipecd.dev/v1beta1
kind: AnalysisTemplate
spec:
  metrics:
    errors:
      provider: prom
      interval: 5m
      expected: {max: 0.01}
      query: errors{job="{{ .AppCustomArgs.job }}", app="{{ .App.Name }}"}
)";

inline Result<std::vector<Compiled>> compile(const std::string& text,
                                             const PipecdOptions& options = {},
                                             const std::string& templates = kTemplates,
                                             const std::string& piped = kPiped) {
  const yaml::Document app = one_document(text), config = one_document(piped);
  const yaml::Document set = one_document(templates);
  return compile_pipecd(app, {&set}, &config, options);
}

inline std::string error_of(const std::string& text) {
  auto compiled = compile(text);
  return compiled ? "compiled" : compiled.error().text();
}

}  // namespace slipway::analysis::pipecd::testing
