#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"
#include "base/yaml.h"

namespace slipway::yaml {
namespace {

TEST(YamlWrite, LooksAsInKubectl) {
  const auto value = json::read(R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"web",
      "creationTimestamp":"2026-01-02T15:04:05Z","annotations":{"note":"one\ntwo\n","port":"80"}},
      "spec":{"containers":[{"name":"a","args":["-c","echo: hi"],"env":[]},{"name":"b"}],
      "nodeSelector":{}}})");
  EXPECT_EQ(write(*value), R"(apiVersion: v1
kind: Pod
metadata:
  annotations:
    note: |
      one
      two
    port: "80"
  creationTimestamp: "2026-01-02T15:04:05Z"
  name: web
spec:
  containers:
  - args:
    - -c
    - 'echo: hi'
    env: []
    name: a
  - name: b
  nodeSelector: {}
)");
}

struct Known {
  std::string_view json;
  std::string_view yaml;
};

// From sigs.k8s.io/yaml's JSONToYAML.
constexpr Known kKnown[] = {
    {"{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"web\",\"creationTimestamp\":"
     "\"2026-01-02T15:04:05Z\",\"labels\":{\"app\":\"web\",\"app.kubernetes.io/"
     "name\":\"web\",\"z10\":\"a\",\"z2\":\"b\"},\"annotations\":{\"note\":\"line one\\nline "
     "two\\n\",\"empty\":\"\",\"number\":\"12\",\"bool\":\"true\",\"colon\":\"a: b\",\"hash\":\"a "
     "#b\",\"quote\":\"it's\",\"dquote\":\"say "
     "\\\"x\\\"\"}},\"spec\":{\"containers\":[{\"name\":\"a\",\"args\":[\"-c\",\"sleep "
     "1\"],\"ports\":[{\"containerPort\":80}]},{\"name\":\"b\"}],\"list\":[[1,2],[],[[3]]],"
     "\"none\":null,\"flag\":true,\"ratio\":0.95}}",
     "apiVersion: v1\nkind: Pod\nmetadata:\n  annotations:\n    bool: \"true\"\n    colon: 'a: "
     "b'\n    dquote: say \"x\"\n    empty: \"\"\n    hash: 'a #b'\n    note: |\n      line one\n  "
     "    line two\n    number: \"12\"\n    quote: it's\n  creationTimestamp: "
     "\"2026-01-02T15:04:05Z\"\n  labels:\n    app: web\n    app.kubernetes.io/name: web\n    z2: "
     "b\n    z10: a\n  name: web\nspec:\n  containers:\n  - args:\n    - -c\n    - sleep 1\n    "
     "name: a\n    ports:\n    - containerPort: 80\n  - name: b\n  flag: true\n  list:\n  - - 1\n  "
     "  - 2\n  - []\n  - - - 3\n  none: null\n  ratio: 0.95\n"},
    {"{}", "{}\n"},
    {"[]", "[]\n"},
    {"\"\"", "\"\"\n"},
    {"\"x\"", "x\n"},
    {"null", "null\n"},
    {"12", "12\n"},
    {"{\"a\":{}}", "a: {}\n"},
    {"{\"a\":[]}", "a: []\n"},
    {"[{}]", "- {}\n"},
    {"[[]]", "- []\n"},
    {"[{\"a\":1,\"b\":[{\"c\":2}]},\"x\"]", "- a: 1\n  b:\n  - c: 2\n- x\n"},
    {"{\"a\":[{\"b\":[{\"c\":[1]}]}]}", "a:\n- b:\n  - c:\n    - 1\n"},
    {"{\"a\":\"one\\ntwo\"}", "a: |-\n  one\n  two\n"},
    {"{\"a\":\"one\\ntwo\\n\"}", "a: |\n  one\n  two\n"},
    {"{\"a\":\"one\\ntwo\\n\\n\"}", "a: |+\n  one\n  two\n\n"},
    {"{\"a\":\"\\none\"}", "a: |2-\n\n  one\n"},
    {"{\"a\":\"  one\\ntwo\"}", "a: |2-\n    one\n  two\n"},
    {"{\"a\":\"one\\n  two\\n\"}", "a: |\n  one\n    two\n"},
    {"{\"a\":\"one \\ntwo\"}", "a: \"one \\ntwo\"\n"},
    {"{\"a\":\"one\\ntwo \"}", "a: \"one\\ntwo \"\n"},
    {"{\"a\":\"one\\n\\ttwo\"}", "a: \"one\\n\\ttwo\"\n"},
    {"{\"a\":\"\\n\"}", "a: |2+\n\n"},
    {"{\"a\":\"\\n\\n\"}", "a: |2+\n\n\n"},
    {"{\"a\":[\"one\\ntwo\\n\",\"x\"]}", "a:\n- |\n  one\n  two\n- x\n"},
    {"{\"a\":\"tab\\there\"}", "a: \"tab\\there\"\n"},
    {"{\"a\":\"bell\\u0007\"}", "a: \"bell\\a\"\n"},
    {"{\"a\":\"emoji \U0001f600\"}", "a: \"emoji \\U0001F600\"\n"},
    {"{\"a\":\"\u00e9\u65e5\u672c\"}", "a: \u00e9\u65e5\u672c\n"},
    {"{\"a\":"
     "\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
     "xxxxxxxxx y\"}",
     "a: "
     "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
     "xxxxxxx\n  y\n"},
    {"{\"a\":\"word word word word word word word word word word word word word word word word "
     "word word word word word word word word word word word word word word word word word word "
     "word word word word word word \"}",
     "a: 'word word word word word word word word word word word word word word word word\n  word "
     "word word word word word word word word word word word word word word word\n  word word word "
     "word word word word word '\n"},
    {"{\"a\":\"'quoted' 'quoted' 'quoted' 'quoted' 'quoted' 'quoted' 'quoted' 'quoted' 'quoted' "
     "'quoted' 'quoted' 'quoted' 'quoted' 'quoted' 'quoted' \"}",
     "a: '''quoted'' ''quoted'' ''quoted'' ''quoted'' ''quoted'' ''quoted'' ''quoted'' "
     "''quoted''\n  ''quoted'' ''quoted'' ''quoted'' ''quoted'' ''quoted'' ''quoted'' ''quoted'' "
     "'\n"},
    {"{\"a\":\"- word word word word word word word word word word word word word word word word "
     "word word word word word word word word word word word word word word word word word word "
     "word word word word word word \"}",
     "a: '- word word word word word word word word word word word word word word word word\n  "
     "word word word word word word word word word word word word word word word word\n  word word "
     "word word word word word word '\n"},
    {"{\"a\":\"tab\\tword  word word  word word  word word  word word  word word  word word  word "
     "word  word word  word word  word word  word word  word word  word word  word word  word word "
     " word word  word word  word word  word word  word \"}",
     "a: \"tab\\tword  word word  word word  word word  word word  word word  word word  word\n  "
     "word  word word  word word  word word  word word  word word  word word  word word\n  \\ word "
     "word  word word  word word  word word  word word  word \"\n"},
    {"{\"a\":[\"word word word word word word word word word word word word word word word word "
     "word word word word word word word word word word word word word word \"]}",
     "a:\n- 'word word word word word word word word word word word word word word word word\n  "
     "word word word word word word word word word word word word word word '\n"},
    {"{\"word word word word word word word word word word word word word word word word word word "
     "word word \":1}",
     "'word word word word word word word word word word word word word word word word word word "
     "word word ': 1\n"},
    {"{\"kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk"
     "kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk\":1}",
     "? "
     "kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk"
     "kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk\n: 1\n"},
    {"{\"kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk"
     "kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk\":1}",
     "kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk"
     "kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk: 1\n"},
    {"{\"multi\\nline\":[1]}", "? |-\n  multi\n  line\n: - 1\n"},
    {"{\"\":1}", "\"\": 1\n"},
    {"{\"yes\":1,\"12\":2,\"a b\":3,\"a: b\":4,\"- x\":5,\"#c\":6}",
     "'#c': 6\n'- x': 5\n\"12\": 2\na b: 3\n'a: b': 4\n\"yes\": 1\n"},
    {"{\"a\":\" x\"}", "a: ' x'\n"},
    {"{\"a\":\"x \"}", "a: 'x '\n"},
    {"{\"a\":\"-\"}", "a: '-'\n"},
    {"{\"a\":\"- x\"}", "a: '- x'\n"},
    {"{\"a\":\"-x\"}", "a: -x\n"},
    {"{\"a\":\"?\"}", "a: '?'\n"},
    {"{\"a\":\":\"}", "a: ':'\n"},
    {"{\"a\":\"a:\"}", "a: 'a:'\n"},
    {"{\"a\":\"a:b\"}", "a: a:b\n"},
    {"{\"a\":\"[x]\"}", "a: '[x]'\n"},
    {"{\"a\":\"{x}\"}", "a: '{x}'\n"},
    {"{\"a\":\"x, y\"}", "a: x, y\n"},
    {"{\"a\":\"&x\"}", "a: '&x'\n"},
    {"{\"a\":\"*x\"}", "a: '*x'\n"},
    {"{\"a\":\"!x\"}", "a: '!x'\n"},
    {"{\"a\":\"|\"}", "a: '|'\n"},
    {"{\"a\":\">\"}", "a: '>'\n"},
    {"{\"a\":\"%x\"}", "a: '%x'\n"},
    {"{\"a\":\"@x\"}", "a: '@x'\n"},
    {"{\"a\":\"`x\"}", "a: '`x'\n"},
    {"{\"a\":\"---\"}", "a: '---'\n"},
    {"{\"a\":\"...\"}", "a: '...'\n"},
    {"{\"a\":\"--- x\"}", "a: '--- x'\n"},
    {"{\"a\":\"null\"}", "a: \"null\"\n"},
    {"{\"a\":\"~\"}", "a: \"~\"\n"},
    {"{\"a\":\"1:30\"}", "a: \"1:30\"\n"},
    {"{\"a\":\"0x1f\"}", "a: \"0x1f\"\n"},
    {"{\"a\":\"1e3\"}", "a: \"1e3\"\n"},
    {"{\"a\":\"2026-01-02\"}", "a: \"2026-01-02\"\n"},
    {"{\"a\":\"=\"}", "a: =\n"},
    {"{\"a\":\"y\"}", "a: \"y\"\n"},
    {"{\"a\":1.5,\"b\":1e+21,\"c\":1e-07,\"d\":123456789.5,\"e\":18446744073709551615,\"f\":-"
     "9223372036854775808,\"g\":100000.5,\"h\":1e+100,\"i\":1e+20}",
     "a: 1.5\nb: 1e+21\nc: 1e-07\nd: 1.234567895e+08\ne: 18446744073709551615\nf: "
     "-9223372036854775808\ng: 100000.5\nh: 1e+100\ni: 1e+20\n"},
    {"{\"f:a\":1,\"k:{\\\"x\\\":1}\":2,\".\":3,\"a10\":4,\"a9\":5,\"a09\":6,\"B\":7,\"b\":8,\"a-"
     "b\":9,\"a.b\":10,\"a_b\":11,\"ab\":12,\"a/b\":13,\"1\":14,\"10\":15,\"2\":16}",
     ".: 3\n\"1\": 14\n\"2\": 16\n\"10\": 15\nB: 7\na-b: 9\na.b: 10\na/b: 13\na_b: 11\na9: 5\na09: "
     "6\na10: 4\nab: 12\nb: 8\nf:a: 1\nk:{\"x\":1}: 2\n"},
};

TEST(YamlWrite, IsWrittenAsGoWritesIt) {
  for (const Known& known : kKnown) {
    EXPECT_EQ(write(json::read(known.json).value()), known.yaml) << known.json;
  }
}

TEST(YamlWrite, DoublesWithoutFractionAreIntegers) {
  EXPECT_EQ(write(json::Array{1.0, -0.0, 1e6, 1e15}), "- 1\n- 0\n- 1000000\n- 1000000000000000\n");
  EXPECT_EQ(write(json::Array{NAN, INFINITY, -INFINITY}), "- .nan\n- .inf\n- -.inf\n");
}

TEST(YamlWrite, WhatOthersCouldMisreadIsQuoted) {
  EXPECT_EQ(write(json::Object{{"<<", "\u2028"}}), "\"<<\": \"\\L\"\n");
}

TEST(YamlWrite, MalformedUtf8IsReplaced) { EXPECT_EQ(write("a\xFF"), "a\uFFFD\n"); }

// Draws values full of what has a meaning in YAML.
class Generator {
 public:
  explicit Generator(std::uint64_t seed) : random_(seeded_random(seed)) {}

  json::Value value(int depth) {
    switch (random_->below(depth > 0 ? 9 : 7)) {
      case 0:
        return nullptr;
      case 1:
        return random_->below(2) == 0;
      case 2:
        return static_cast<std::int64_t>(random_->next());
      case 3:
        return random_->unit() * std::pow(10.0, static_cast<double>(random_->below(40)) - 20);
      case 7: {
        json::Array array;
        for (auto count = random_->below(4); count > 0; --count) array.push_back(value(depth - 1));
        return array;
      }
      case 8: {
        json::Object object;
        for (auto count = random_->below(4); count > 0; --count) object[text()] = value(depth - 1);
        return object;
      }
      default:
        return json::Value(text());
    }
  }

 private:
  std::string text() {
    static constexpr std::string_view kPieces[] = {
        "a",          "word",       " ",      "  ",
        "\n",         "\n\n",       "\t",     ":",
        ": ",         "#",          " #",     "-",
        "- ",         "?",          "? ",     "'",
        "\"",         "\\",         "{",      "}",
        "[",          "]",          ",",      "&",
        "*",          "!",          "|",      ">",
        "%",          "@",          "`",      "=",
        "<<",         "~",          "\u00e9", "\u65e5",
        "\U0001F600", "\u00a0",     "\u0085", "\r",
        "\a",         "\ufeff",     "\u2028", "1",
        "0",          "0x1f",       "yes",    "null",
        "1.5",        "2001-01-01", "1:30",   "...",
        "---",        ".",          "_",      "long text with words in it "};
    std::string text;
    for (auto count = random_->below(12); count > 0; --count) {
      text += kPieces[random_->below(std::size(kPieces))];
    }
    return text;
  }

  std::unique_ptr<Random> random_;
};

TEST(YamlWrite, EverythingWrittenIsReadBackTheSame) {
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    const json::Value value = json::Object{{"top", Generator(seed).value(4)}};
    const std::string text = write(value);
    const auto documents = read(text);
    ASSERT_TRUE(documents) << "seed " << seed << " " << documents.error().text() << "\n" << text;
    ASSERT_EQ(documents->size(), 1U) << "seed " << seed;
    EXPECT_TRUE(json::same(documents->front().value, value)) << "seed " << seed << "\n" << text;
  }
}

TEST(YamlWrite, JsonWrittenIsReadBackTheSame) {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const json::Value value = json::Object{{"top", Generator(seed).value(4)}};
    const auto indented = json::write(value, {.escape_html = true, .indent = 2});
    EXPECT_TRUE(json::same(json::read(json::write(value)).value(), value)) << "seed " << seed;
    EXPECT_TRUE(json::same(json::read(indented).value(), value)) << "seed " << seed;
    EXPECT_TRUE(json::same(read(indented)->at(0).value, value)) << "seed " << seed;
  }
}

}  // namespace
}  // namespace slipway::yaml
