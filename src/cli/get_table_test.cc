#include "cli/get_table.h"

#include <gtest/gtest.h>

#include "cli/yaml_testing.h"

namespace slipway::cli {
namespace {

using namespace std::chrono_literals;
using Rows = std::vector<std::vector<std::string>>;

const Time kNow{1'767'225'600s};  // 2026-01-01T00:00:00Z
const ServedKind kNodes{.group = "metrics.k8s.io",
                        .version = "v1beta1",
                        .plural = "nodes",
                        .singular = "",
                        .kind = "NodeMetrics"};
const ServedKind kMaps{.group = "",
                       .version = "v1",
                       .plural = "configmaps",
                       .singular = "configmap",
                       .kind = "ConfigMap"};

constexpr std::string_view kTable = R"(
kind: Table
columnDefinitions: [{name: Name, priority: 0}, {name: Data, priority: 0}, {name: More, priority: 1}]
rows:
- {cells: [a, 2, null], object: {metadata: {name: a, namespace: shop, labels: {x: z}}}}
)";

Rows rows_of(TableStyle style, std::string_view answer, const ServedKind& kind = kMaps) {
  return TableReader(style).rows(kind, from_yaml(answer).at(0), true, kNow);
}

TEST(GetTable, ShowsTheColumnsThatAreAskedFor) {
  EXPECT_EQ(rows_of({}, kTable), (Rows{{"NAME", "DATA"}, {"a", "2"}}));
  EXPECT_EQ(rows_of({.format = Format::kWide}, kTable),
            (Rows{{"NAME", "DATA", "MORE"}, {"a", "2", "<none>"}}));
  EXPECT_EQ(rows_of({.format = Format::kName}, kTable), (Rows{{"configmap/a"}}));
  EXPECT_EQ(
      rows_of({.with_namespace = true, .with_labels = true, .type_before_name = true}, kTable),
      (Rows{{"NAMESPACE", "NAME", "DATA", "LABELS"}, {"shop", "configmap/a", "2", "x=z"}}));
}

TEST(GetTable, TheTypeStandsBeforeTheNameWhereverThatIs) {
  constexpr std::string_view kEvents = R"(
kind: Table
columnDefinitions:
- {name: Reason, format: "", priority: 0}
- {name: Object, priority: 0}
- {name: Name, format: name, priority: 1}
rows:
- {cells: [Scaled, rollout/web, web.1], object: {metadata: {name: web.1}}}
)";
  EXPECT_EQ(rows_of({.format = Format::kWide, .type_before_name = true}, kEvents),
            (Rows{{"REASON", "OBJECT", "NAME"}, {"Scaled", "rollout/web", "configmap/web.1"}}));
  EXPECT_EQ(rows_of({.type_before_name = true}, kEvents),
            (Rows{{"REASON", "OBJECT"}, {"Scaled", "rollout/web"}}));
}

TEST(GetTable, CellsAreOfOneLineThatNoTerminalObeys) {
  const json::Value hostile = json::read(R"({"kind":"Table",
      "columnDefinitions":[{"name":"Name"},{"name":"Message"},{"name":"More"},{"name":"Last"}],
      "rows":[{"cells":["a\rb","x\u001b[2Jy\nz","\f",["\u009b"]],
               "object":{"metadata":{"labels":{"x":"\u001b"}}}}]})")
                                  .value();
  EXPECT_EQ(TableReader({.with_labels = true}).rows(kMaps, hostile, true, kNow),
            (Rows{{"NAME", "MESSAGE", "MORE", "LAST", "LABELS"},
                  {"a...", "x^[[2Jy...", "...", "[\"\\u009b\"]", "x=^["}}));
}

TEST(GetTable, EventsOfAWatchHaveTheColumnsOfTheFirst) {
  TableReader reader({});
  reader.rows(kMaps, from_yaml(kTable).at(0), true, kNow);
  const auto event =
      from_yaml("{kind: Table, columnDefinitions: null, rows: [{cells: [b, 3, 4]}]}");
  EXPECT_EQ(reader.rows(kMaps, event.at(0), false, kNow), (Rows{{"b", "3"}}));
}

TEST(GetTable, ObjectsThatAreNoTableAreShownByNameAndAge) {
  constexpr std::string_view kList = R"(
kind: NodeMetricsList
items:
- metadata: {name: slipway, creationTimestamp: "2025-12-31T23:58:00Z"}
- metadata: {name: other}
)";
  EXPECT_EQ(rows_of({}, kList, kNodes),
            (Rows{{"NAME", "AGE"}, {"slipway", "2m"}, {"other", "<unknown>"}}));
  EXPECT_EQ(rows_of({}, "{kind: NodeMetrics, metadata: {name: one}}", kNodes),
            (Rows{{"NAME", "AGE"}, {"one", "<unknown>"}}));
  EXPECT_EQ(rows_of({}, "{kind: NodeMetricsList, items: []}", kNodes), Rows());
}

}  // namespace
}  // namespace slipway::cli
