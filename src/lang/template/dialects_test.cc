#include <gtest/gtest.h>

#include "lang/template/flagger.h"
#include "lang/template/no_value.h"
#include "lang/template/pipecd.h"

namespace slipway::lang {
namespace {

json::Object object(const std::string& text) { return json::read(text)->as_object(); }

std::string flagger(const std::string& text, const std::string& data) {
  auto out = render_flagger(text, object(data));
  return out ? *out : out.error().text();
}

TEST(Flagger, ItsVariablesAreFunctions) {
  const std::string data =
      R"({"name":"web","namespace":"shop","target":"web-t","interval":"1m","variables":{"b":2,"a":"1","x-y":"z"}})";
  const std::vector<std::pair<std::string, std::string>> rows = {
      {"{{ namespace }}/{{name}}[{{ interval }}]", "shop/web[1m]"},
      {"{{ service }} {{ingress}} {{route}}", "web-t web-t web-t"},
      {"{{ variables.a }}{{ variables.b }}", "12"},
      {"{{ index variables \"x-y\" }}[{{ index variables \"none\" }}]", "z[]"},
      {"{{ variables }}", "map[a:1 b:2 x-y:z]"},
      {"{{ . }}", "<no value>"},
      {"{{ variables.none }}",
       "template execution failed: template: tmpl:1:3: executing \"tmpl\" at <variables>: map has "
       "no "
       "entry for key \"none\""},
      {"{{ .Name }}",
       "template execution failed: template: tmpl:1:3: executing \"tmpl\" at <.Name>: nil data; no "
       "entry for key \"Name\""},
      {"{{ cluster }}",
       "template parsing failed: template: tmpl:1: function \"cluster\" not defined"},
  };
  for (const auto& [text, expected] : rows) EXPECT_EQ(flagger(text, data), expected) << text;
}

TEST(Flagger, RefusesDataThatAreNoText) {
  EXPECT_EQ(flagger("x", R"({"name":["a"]})"), "name: is a list; write a text");
  EXPECT_EQ(flagger("x", R"({"variables":"a"})"),
            "variables: is no object; write names with texts");
  EXPECT_EQ(flagger("x", R"({"variables":{"a":{}}})"), "variables.a: is an object; write a text");
}

std::string pipecd(const std::string& text, const std::string& data) {
  auto arguments = read_pipecd_arguments(object(data));
  if (!arguments) return arguments.error().text();
  auto out = render_pipecd(text, *arguments);
  return out ? *out : out.error().text();
}

constexpr const char* kPipecd =
    R"({"App":{"Name":"shop"},"K8s":{"Namespace":"prod"},"Variant":{"Name":"canary"},
        "VariantCustomArgs":{"bar":1},"AppCustomArgs":{"id":"x<1>"}})";

TEST(Pipecd, KnowsReleasedNamesAndThoseOfTheRfc) {
  const std::vector<std::pair<std::string, std::string>> rows = {
      {"{{ .App.Name }}|{{ .App.Env }}|{{ .K8s.Namespace }}|{{ .Variant.Name }}",
       "shop||prod|canary"},
      {"{{ .VariantCustomArgs.bar }} {{ .AppCustomArgs.id }}", "1 x<1>"},
      {"{{ .BuiltInArgs.Variant.Name }} {{ .BuiltInArgs.App.Name }} {{ "
       ".BuiltInArgs.App.K8s.Namespace }}",
       "canary shop prod"},
      {"{{ .VariantArgs.bar }} {{ .AppArgs.id }} {{ .AppArgs.Name }}", "1 x<1> shop"},
      {"{{ .Variant }} {{ .Variant.CustomArgs.bar }}", "canary 1"},
      {"{{ if eq .Variant.Name \"canary\" }}c{{ else }}p{{ end }}", "c"},
      {"{{ .VariantArgs.none }} [{{ index .VariantCustomArgs \"none\" }}]", "<no value> []"},
  };
  for (const auto& [text, expected] : rows) EXPECT_EQ(pipecd(text, kPipecd), expected) << text;
}

TEST(Pipecd, RefusesNamesThatDoNotExist) {
  EXPECT_EQ(pipecd("{{ .App.Nope }}", kPipecd),
            "template: AnalysisTemplate:1:7: executing \"AnalysisTemplate\" at <.App.Nope>: can't "
            "evaluate field Nope in type metrics.appArgs");
  EXPECT_NE(pipecd("{{ .Variant.K8s.PodName }}", kPipecd).find("can't evaluate field K8s"),
            std::string::npos);
  EXPECT_NE(pipecd("{{ .VariantCustomArgs.a-b }}", kPipecd).find("bad character"),
            std::string::npos);
}

TEST(Pipecd, AnArgumentCalledNameWins) {
  EXPECT_EQ(
      pipecd("{{ .AppArgs.Name }}", R"({"App":{"Name":"shop"},"AppCustomArgs":{"Name":"x"}})"),
      "x");
}

TEST(Pipecd, ReadsDataUnderEitherName) {
  EXPECT_EQ(
      pipecd(
          "{{ .App.Name }} {{ .Variant.Name }} {{ .VariantCustomArgs.a }} {{ .K8s.Namespace }}",
          R"({"BuiltInArgs":{"App":{"Name":"shop","K8s":{"Namespace":"n"}},"Variant":{"Name":"primary"}},
                       "VariantArgs":{"a":"b"}})"),
      "shop primary b n");
  EXPECT_EQ(
      pipecd("{{ .Variant.K8s.PodName }} {{ .Variant.K8s.ServiceName }}",
             R"({"Variant":{"Name":"canary","K8s":{"PodName":"web-.*","ServiceName":"web"}}})"),
      "web-.* web");
  EXPECT_EQ(pipecd("x", R"({"App":{"Name":["a"]}})"), "App.Name: is a list; write a text");
}

TEST(NoValue, IsToldWithWhatStandsAroundIt) {
  const std::string end = ": an argument it names is not given, or has another name";
  EXPECT_EQ(no_value_doubt("cpu{app=\"a\"}"), "");
  EXPECT_EQ(no_value_doubt("cpu{app=\"a\", bar=\"<no value>\"}"),
            "asks with bar=\"<no value>\"" + end);
  EXPECT_EQ(no_value_doubt("<no value>"), "asks with <no value>" + end);
  EXPECT_EQ(no_value_doubt("€€€€€€€€€€€€€€<no value>€€€€€€"),
            "asks with €€€€€€€€<no value>€€" + end);
}

}  // namespace
}  // namespace slipway::lang
