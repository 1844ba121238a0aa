#include <gmock/gmock.h>

#include "base/yaml.h"
#include "base/yaml_cpp_quirks.h"

namespace slipway::yaml {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

std::vector<std::string> values(std::string_view text) {
  std::vector<std::string> written;
  const auto documents = read(text);
  if (!documents) return {documents.error().text()};
  for (const Document& document : *documents) written.push_back(json::write(document.value));
  return written;
}

std::string message(std::string_view text) {
  const auto documents = read(text);
  return documents ? "accepted" : documents.error().message;
}

TEST(YamlRead, DocumentsAreSeparatedByDashesOrDots) {
  EXPECT_THAT(values("a: 1\n---\nb: 2\n"), ElementsAre(R"({"a":1})", R"({"b":2})"));
  EXPECT_THAT(values("---\na: 1\n...\n---\nb: 2\n...\n"), ElementsAre(R"({"a":1})", R"({"b":2})"));
  EXPECT_THAT(values("a: 1\n...\nb: 2\n"), ElementsAre(R"({"a":1})", R"({"b":2})"));
  EXPECT_THAT(values("--- {a: 1}\n--- text\n--- |\n  block\n"),
              ElementsAre(R"({"a":1})", R"("text")", R"("block\n")"));
  EXPECT_THAT(values("a: 1\r\n---\r\nb: 2\r\n"), ElementsAre(R"({"a":1})", R"({"b":2})"));
  EXPECT_THAT(values("a: |\n  x\n  ---\n  y\nb: ---x\n"),
              ElementsAre(R"({"a":"x\n---\ny\n","b":"---x"})"));
}

TEST(YamlRead, EmptyDocumentsAreLeftOut) {
  for (std::string_view text :
       {"", "\n", "# only a comment\n", "---\n", "---\n---\n", "---\n# c\n---\n", "...\n",
        "--- null\n", "~\n", "---\n...\n---\n", "  \n\t\n"}) {
    EXPECT_THAT(values(text), SizeIs(0)) << text;
  }
  EXPECT_THAT(values("# c\n---\n# d\n---\na: 1\n---\n"), ElementsAre(R"({"a":1})"));
}

TEST(YamlRead, JsonDocumentsMayFollowEachOther) {
  EXPECT_THAT(values("{\"a\":1}{\"b\":2}\n{\"c\":\"\\ud83d\\ude00\\/\"}"),
              ElementsAre(R"({"a":1})", R"({"b":2})", "{\"c\":\"\U0001F600/\"}"));
  EXPECT_THAT(values("{\"a\":1}\n---\n{\"b\":2}\n---\nc: 3\n"),
              ElementsAre(R"({"a":1})", R"({"b":2})", R"({"c":3})"));
  EXPECT_THAT(values("{\n\t\"a\": [\n\t\t1\n\t]\n}\n"), ElementsAre(R"({"a":[1]})"));
}

TEST(YamlRead, JsonMayHoldWhatYamlMayNot) {
  EXPECT_THAT(values("{\"a\":\"\x7F\xFF\"}"), ElementsAre("{\"a\":\"\x7F\uFFFD\"}"));
  EXPECT_FALSE(read("{a: \"\x7F\"}"));
}

TEST(YamlRead, ContentAfterADocumentIsRefused) {
  EXPECT_EQ(message("{a: 1}\nb: 2\n"),
            "line 2, column 1: expected the end of the document, found more content");
}

TEST(YamlRead, DirectivesNeedADocument) {
  EXPECT_THAT(values("%YAML 1.1\n---\na: 1\n"), ElementsAre(R"({"a":1})"));
  EXPECT_EQ(message("a: 1\n...\n%YAML 1.1\n"),
            "line 3, column 1: expected '---' and a document after the directives");
}

TEST(YamlRead, SaysWhereAndWhat) {
  struct Case {
    std::string_view text;
    std::string_view message;
  };
  for (const Case& c : {
           Case{"a:\n\tb: 1\n", "line 2, column 1: a tab in the indentation; use spaces"},
           Case{"x: 1\n---\na: 1\n b: 2\n",
                "line 4, column 3: a ':' does not fit here; check the indentation, or quote the "
                "text"},
           Case{"a: [1, 2\nb: 3\n", "line 2, column 2: expected ',' or ']'"},
           Case{"a: b\nc\n", "line 2, column 1: expected ':' after \"c\""},
           Case{"a: [x,,y]\n", "line 1, column 7: expected a value, found ','"},
           Case{"a: *nope\n", "line 1, column 4: the alias names no anchor before it"},
           Case{"a: &x [*x]\n", "line 1, column 8: the anchor's value contains itself"},
           Case{"? [a]\n: b\n",
                "line 1, column 3: a key must be a plain value, not a list or mapping; text with "
                "{{…}} needs quotes"},
           Case{"a: {{args.x}}\n",
                "line 1, column 5: a key must be a plain value, not a list or mapping; text with "
                "{{…}} needs quotes"},
           Case{"~: a\n", "line 1, column 1: a key may not be null"},
           Case{"d:\n  <<: 3\n", "line 2, column 7: '<<' needs a mapping or a list of mappings"},
           Case{"a: \x07\n", "line 1, column 4: a control character is not allowed"},
           Case{"a: b\nc: \xFF\n", "line 2, column 4: malformed UTF-8 is not allowed"},
           Case{"{\n  \"a\": 1\n  \"b\": 2\n}\n",
                "line 3, column 3: expected ',' or '}', found '\"'"},
           Case{"x: y\n---\n{\"a\": [1,}\n", "line 3, column 10: expected a value, found '}'"},
       }) {
    EXPECT_EQ(message(c.text), c.message) << c.text;
  }
}

TEST(YamlRead, UnclosedQuotesAreRefused) {
  for (std::string_view text : {"a: 'x", "a: 'x\n", "a: \"x", "a: \"x\n\n", "'", "a: \""}) {
    EXPECT_THAT(message(text), HasSubstr("a quote is ")) << text;
  }
}

TEST(YamlRead, ABlockScalarWithoutLastLineEndHasNone) {
  EXPECT_THAT(values("a: |\n  say \"x\""), ElementsAre(R"({"a":"say \"x\""})"));
  EXPECT_THAT(values("a: |\n  x"), ElementsAre(R"({"a":"x"})"));
  EXPECT_THAT(values("a: 'x'"), ElementsAre(R"({"a":"x"})"));
}

TEST(YamlRead, RepeatedKeysAreNamedAndTheLastWins) {
  const auto document =
      read("a:\n  b:\n  - c: 1\n    c: 2\n    c: 3\nm:\n  x.y/z: 1\n  x.y/z: 2\na: 4\n")->at(0);
  EXPECT_EQ(json::write(document.value), R"({"a":4,"m":{"x.y/z":2}})");
  EXPECT_THAT(document.duplicates, ElementsAre("a.b[0].c", "m[x.y/z]", "a"));
  EXPECT_THAT(read(R"({"a":{"b.c":1,"b.c":2}})")->at(0).duplicates, ElementsAre("a[b.c]"));
}

TEST(YamlRead, MergesYieldToWhatFollowsAndAreNoRepetition) {
  const auto document = read(
                            "b: &b {x: 1, w: 2}\nc: &c {x: 3, z: 4}\nd:\n  w: 0\n  <<: [*b, *c]\n"
                            "  z: 5\n  z: 6\n")
                            ->at(0);
  EXPECT_EQ(json::write(document.value.at("d"), {.sort_keys = true}), R"({"w":2,"x":1,"z":6})");
  EXPECT_THAT(document.duplicates, ElementsAre("d.z"));
}

TEST(YamlRead, EveryFieldHasItsPosition) {
  const auto documents = read(
      "# first\nkind: A\nspec:\n  metrics:\n  - name: x\n    interval: 10\n  -\n    name: y\n"
      "metadata:\n  labels: {app.kubernetes.io/name: web, app: x}\n---\n\nkind: B\n");
  ASSERT_TRUE(documents);
  const Positions& at = documents->at(0).positions;
  struct Case {
    std::string_view path;
    int line;
    int column;
  };
  for (const Case& c : {
           Case{"kind", 2, 1},
           Case{"spec", 3, 1},
           Case{"spec.metrics", 4, 3},
           Case{"spec.metrics[0]", 5, 5},
           Case{"spec.metrics[0].interval", 6, 5},
           Case{"spec.metrics[1].name", 8, 5},
           Case{"spec.metrics[1].missing.deeper", 8, 5},
           Case{"metadata.labels[app.kubernetes.io/name]", 10, 12},
           Case{"metadata.labels.app", 10, 41},
           Case{"metadata.labels[app]", 10, 41},
           Case{"metadata.labels[x[0]]", 10, 3},
           Case{"nothing", 2, 1},
           Case{"", 2, 1},
       }) {
    EXPECT_EQ(at.find(c.path).line, c.line) << c.path;
    EXPECT_EQ(at.find(c.path).column, c.column) << c.path;
  }
  EXPECT_EQ(documents->at(0).line, 2);
  EXPECT_EQ(documents->at(1).line, 13);
  EXPECT_EQ(documents->at(1).positions.find("kind").line, 13);
}

TEST(YamlRead, FieldsOfJsonHavePositionsToo) {
  const auto documents = read("---\n{\"a\": 1,\n \"b\": [\n  {\"c\": 2}]}\n{\"d\":\n3}");
  ASSERT_TRUE(documents);
  EXPECT_EQ(documents->at(0).line, 2);
  EXPECT_EQ(documents->at(0).positions.find("b[0].c").line, 4);
  EXPECT_EQ(documents->at(0).positions.find("b[0].c").column, 4);
  EXPECT_EQ(documents->at(0).positions.find("b").line, 3);
  EXPECT_EQ(documents->at(1).line, 5);
}

TEST(YamlRead, PositionsCanBeAddedByPath) {
  Positions positions;
  EXPECT_EQ(positions.find("a.b").line, 0);
  positions.add("a", {.line = 1, .column = 2});
  positions.add("a.b[3]", {.line = 7, .column = 1});
  EXPECT_EQ(positions.find("a.b").line, 1);
  EXPECT_EQ(positions.find("a[b][3].c").line, 7);
  EXPECT_EQ(positions.find("ab").line, 0);
}

TEST(YamlRead, AScalarCostsNothingForTheRestOfItsLine) {
  // To look for the end of this line each time would take minutes.
  const std::string line = "[a," + std::string(3'000'000, 'a') + "]";
  std::size_t bytes = 0;
  for (int i = 0; i < 2'000'000; ++i) bytes += with_kept_line_ends(line, 1, "a").size();
  EXPECT_EQ(bytes, 2'000'000U);
}

TEST(YamlRead, RefusesMoreBytesThanAllowed) {
  EXPECT_EQ(read("a: 1\n", {.max_bytes = 4}).error().code, ErrorCode::kTooLarge);
  EXPECT_TRUE(read("a: 1\n", {.max_bytes = 5}));
}

TEST(YamlRead, RefusesNestingBeyondTheLimit) {
  EXPECT_FALSE(read(std::string(100'000, '[')));
  EXPECT_FALSE(read(std::string(100'000, '{')));
  EXPECT_FALSE(read("a: " + std::string(100'000, '[')));
  std::string dashes;
  for (int i = 0; i < 10'000; ++i) dashes += "- ";
  EXPECT_THAT(message(dashes), HasSubstr("nested more than 100 levels deep"));
  const auto nested = [](std::size_t depth) {
    return "a: " + std::string(depth, '[') + std::string(depth, ']') + "\n";
  };
  EXPECT_EQ(message(nested(99)), "accepted");
  EXPECT_EQ(message(nested(100)), "line 1, column 103: nested more than 100 levels deep");
}

TEST(YamlRead, AliasesCannotNestBeyondTheLimit) {
  std::string text = "a0: &a0 [[[[[[[[[[x]]]]]]]]]]\n";
  for (int i = 1; i < 20; ++i) {
    text += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [[[[[*a" +
            std::to_string(i - 1) + "]]]]]\n";
  }
  EXPECT_THAT(message(text), HasSubstr("nested more than 100 levels deep"));
}

TEST(YamlRead, AliasesCannotGrowBeyondTheLimit) {
  std::string laughs = "a0: &a0 [x,x,x,x,x,x,x,x,x]\n";
  for (int i = 1; i < 20; ++i) {
    laughs += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [";
    for (int j = 0; j < 9; ++j) laughs += "*a" + std::to_string(i - 1) + ",";
    laughs += "]\n";
  }
  EXPECT_EQ(read(laughs).error().code, ErrorCode::kTooLarge);

  std::string heavy = "a: &a '" + std::string(1'000'000, 'x') + "'\nb:\n";
  for (int i = 0; i < 100; ++i) heavy += "- *a\n";
  EXPECT_EQ(read(heavy).error().code, ErrorCode::kTooLarge);
}

TEST(YamlRead, KnowsHowNumbersAndBooleansWereWritten) {
  const auto documents = read(R"(
a: 1.10
b: {c: [0x10, yes, "1", text], d: &args {e: 1e3}}
f: *args
g: &one 0o7
h: *one
i: 1
i: 2.0
j: &x 1
j: *x
)");
  ASSERT_TRUE(documents);
  const Positions& written = documents->at(0).positions;
  const std::pair<const char*, const char*> cases[] = {
      {"a", "1.10"},    {"b.c[0]", "0x10"}, {"b.c[1]", "yes"}, {"b.c[2]", ""}, {"b.c[3]", ""},
      {"b.d.e", "1e3"}, {"f.e", "1e3"},     {"h", "0o7"},      {"i", "2.0"},   {"missing", ""}};
  for (const auto& [path, text] : cases) EXPECT_EQ(written.source_text(path), text) << path;
}

TEST(YamlRead, ALongPathCostsNothingForEachField) {
  // Full paths for all fields of this one would need 30 gigabytes.
  std::string text = std::string(1'000, 'k') + ":\n";
  for (int i = 0; i < 5'000; ++i) text += "  k" + std::to_string(i) + ": v\n";
  text = "? " + std::string(200'000, 'k') + "\n: " + std::string(100'000, 'v') + "\n" + text;
  EXPECT_TRUE(read(text));
}

}  // namespace
}  // namespace slipway::yaml
