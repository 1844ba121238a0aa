#include "lang/template/template.h"

#include <gtest/gtest.h>

namespace slipway::lang {
namespace {

struct Row {
  std::string text;
  std::string data;
  std::string expected;
};

json::Value read(const std::string& text) {
  auto value = json::read(text, {.allow_nan = true});
  EXPECT_TRUE(value.has_value()) << text;
  return value.value_or(nullptr);
}

void expect_texts(const std::vector<Row>& rows, const TemplateOptions& options = {}) {
  for (const Row& row : rows) {
    auto out = render_go(row.text, read(row.data), options);
    ASSERT_TRUE(out.has_value()) << row.text << "\n" << out.error().text();
    EXPECT_EQ(*out, row.expected) << row.text;
  }
}

// `expected` is the whole error text.
void expect_errors(const std::vector<Row>& rows, const TemplateOptions& options = {}) {
  for (const Row& row : rows) {
    auto out = render_go(row.text, read(row.data), options);
    ASSERT_FALSE(out.has_value()) << row.text << "\n" << *out;
    EXPECT_EQ(out.error().message, row.expected) << row.text;
    EXPECT_EQ(out.error().code, ErrorCode::kInvalid) << row.text;
  }
}

TEST(Template, PutsDataIntoText) {
  expect_texts({
      {"", "{}", ""},
      {"plain { text } here", "{}", "plain { text } here"},
      {"{{.a}}-{{ .b.c }}", R"({"a":"x","b":{"c":2.5}})", "x-2.5"},
      {"{{.}}", R"({"b":2,"a":[1,null,"x"],"c":{}})", "map[a:[1 <nil> x] b:2 c:map[]]"},
      {"{{.}}", "null", "<no value>"},
      {"{{.a}} {{.n}}", R"({"n":null})", "<no value> <no value>"},
      {"{{.n}} {{.m}} {{.o}}", R"({"n":1000000,"m":100000,"o":1e-7})", "1e+06 100000 1e-07"},
      {"{{\"a\\tb\\u00e9\"}}{{`raw\\n`}}{{'x'}}", "{}", "a\tb\u00e9raw\\n120"},
      {"{{1}} {{-2.50}} {{0x1F}} {{1_000}} {{1e3}} {{-0x1e}} {{3i}}", "{}",
       "1 -2.5 31 1000 1000 -30 (0+3i)"},
      {"{{/* gone */}}a{{- /* and\nspace */ -}} b", "{}", "ab"},
      {"a \n {{- .x -}} \t b", R"({"x":"|"})", "a|b"},
      {"{{.é}}", R"({"é":"yes"})", "yes"},
  });
}

TEST(Template, NumbersAreFloatsUnlessIntsAreAskedFor) {
  const Row floats = {"{{printf \"%T\" .n}} {{.n}}", R"({"n":1234567})", "float64 1.234567e+06"};
  expect_texts({floats});
  expect_texts({{floats.text, floats.data, "int 1234567"},
                {floats.text, R"({"n":18446744073709551615})", "uint64 18446744073709551615"},
                {"{{index .l .i}}", R"({"l":["a","b"],"i":1})", "b"}},
               {.ints = true});
}

TEST(Template, BranchesGoByTruth) {
  expect_texts({
      {"{{if .a}}T{{else}}F{{end}}", R"({"a":0})", "F"},
      {"{{if .a}}T{{else}}F{{end}}", R"({"a":[0]})", "T"},
      {"{{if .a}}1{{else if .b}}2{{else}}3{{end}}", R"({"b":"x"})", "2"},
      {"{{with .a}}{{.b}}{{end}}", R"({"a":{"b":1}})", "1"},
      {"{{with .a}}1{{else with .b}}{{.}}{{else}}3{{end}}", R"({"b":"x"})", "x"},
      {"{{with $x := .a}}{{$x}}{{$.b}}{{end}}", R"({"a":1,"b":2})", "12"},
  });
}

TEST(Template, RangesOverListsMapsAndNumbers) {
  expect_texts({
      {"{{range .l}}<{{.}}>{{end}}", R"({"l":[1,"b",null]})", "<1><b><<no value>>"},
      {"{{range $i, $e := .l}}{{$i}}={{$e}};{{end}}", R"({"l":["a","b"]})", "0=a;1=b;"},
      {"{{range $k, $v := .}}{{$k}}{{$v}} {{end}}", R"({"z":1,"B":2,"a":3})", "B2 a3 z1 "},
      {"{{range 3}}{{.}}{{end}}", "{}", "012"},
      {"{{range .l}}x{{else}}empty{{end}}", R"({"l":[]})", "empty"},
      {"{{range .l}}{{if eq . 2.0}}{{continue}}{{end}}{{if eq . 4.0}}{{break}}{{end}}{{.}}{{end}}",
       R"({"l":[1,2,3,4,5]})", "13"},
      {"{{$s := 0}}{{range $s = .l}}{{end}}{{$s}}", R"({"l":[1,2]})", "2"},
  });
}

// Go catches the {{break}} at the inner loop although that has ended.
TEST(Template, ABreakInAnElsePartEndsOnlyTheInnerLoop) {
  expect_texts({{"{{range 2}}{{range $.n}}{{else}}{{break}}{{end}}{{.}}{{end}}", "{}", "01"},
                {"{{range 2}}{{range $.n}}{{else}}{{continue}}{{end}}{{.}}{{end}}", "{}", ""}});
}

TEST(Template, VariablesLiveUntilTheirEnd) {
  expect_texts({
      {"{{$x := 1}}{{if true}}{{$x := 2}}{{$x}}{{end}}{{$x}}", "{}", "21"},
      {"{{$x := 1}}{{if true}}{{$x = 2}}{{end}}{{$x}}", "{}", "2"},
      {"{{$x := .a}}{{$x.b}}", R"({"a":{"b":"c"}})", "c"},
  });
}

TEST(Template, DefinesAndCallsTemplates) {
  expect_texts({
      {R"({{define "t"}}<{{.}}>{{end}}{{template "t" 1}}{{template "t"}}{{template "t" .a}})",
       R"({"a":"x"})", "<1><<no value>><x>"},
      {R"({{block "b" .a}}[{{.}}]{{end}}{{template "b" 2}})", R"({"a":1})", "[1][2]"},
      {R"({{define "l"}}{{.v}}{{with .next}},{{template "l" .}}{{end}}{{end}}{{template "l" .}})",
       R"({"v":1,"next":{"v":2,"next":{"v":3}}})", "1,2,3"},
  });
}

TEST(Template, PipesValuesThroughFunctions) {
  expect_texts({
      {R"({{.a | printf "%s-%s" "x" | len}})", R"({"a":"yz"})", "4"},
      {"{{and 1 0 2}} {{or 0 \"\" \"x\"}} {{not .a}} {{or .a .b}}", R"({"b":7})", "0 x true 7"},
      {"{{and false (index .nil 1)}}", R"({"nil":null})", "false"},
      {"{{len .l}} {{len .m}} {{len \"é\"}}", R"({"l":[1],"m":{"a":1,"b":2}})", "1 2 2"},
      {"{{index .l 1 \"k\"}} [{{index .m \"none\"}}] {{index \"abc\" 1}}",
       R"({"l":[0,{"k":"v"}],"m":{}})", "v [<no value>] 98"},
      {"{{slice \"abcdef\" 1 3}} {{slice .l 1}} {{slice .l 0 1 2}}", R"({"l":[1,2,3]})",
       "bc [2 3] [1]"},
      {"{{print 1 2 \"a\" 3 nil}}|{{println 1 \"a\"}}", "{}", "1 2a3 <nil>|1 a\n"},
      {"{{html \"<a href='x'>&\"}} {{js \"it's <\\n>\"}} {{urlquery \"a b&c/é\"}}", "{}",
       "&lt;a href=&#39;x&#39;&gt;&amp; it\\'s \\u003C\\u000A\\u003E a+b%26c%2F%C3%A9"},
      {"{{html .missing}} {{html 1 2}}", "{}", "&lt;no value&gt; 1 2"},
      {"{{eq 1 2 1}} {{eq .a \"x\"}} {{ne nil .n}} {{lt 1 2}} {{le 1.5 1.5}} {{gt \"b\" \"a\"}} "
       "{{ge 1 2}}",
       R"({"a":"x","n":null})", "true true false true true true false"},
  });
}

TEST(Template, MissingKeysAsAskedFor) {
  expect_texts({{"{{.a}}", "{}", "<no value>"}}, {.missing_key = MissingKey::kZero});
  expect_errors(
      {{"{{.a}}", "{}",
        R"(template: tmpl:1:2: executing "tmpl" at <.a>: map has no entry for key "a")"},
       {"{{.a.b}}", "null",
        R"(template: tmpl:1:4: executing "tmpl" at <.a.b>: nil data; no entry for key "a")"}},
      {.missing_key = MissingKey::kError});
}

TEST(Template, SaysWhereTheTextIsWrong) {
  expect_errors({
      {"{{", "{}", "template: tmpl:1: unclosed action"},
      {"\n{{.a", "{}", "template: tmpl:2: unclosed action"},
      {"{{if .a\n", "{}", "template: tmpl:2: unclosed action started at tmpl:1"},
      {"{{nosuch}}", "{}", R"(template: tmpl:1: function "nosuch" not defined)"},
      {"{{$x}}", "{}", R"(template: tmpl:1: undefined variable "$x")"},
      {"{{end}}", "{}", "template: tmpl:1: unexpected {{end}}"},
      {"{{if 1}}", "{}", "template: tmpl:1: unexpected EOF"},
      {"{{break}}", "{}", "template: tmpl:1: {{break}} outside {{range}}"},
      {"{{.a-b}}", "{}", "template: tmpl:1: bad character U+002D '-'"},
      {"{{1 | 2}}", "{}", "template: tmpl:1: non executable command in pipeline stage 2"},
      {"{{\"a\".b}}", "{}", R"(template: tmpl:1: unexpected . after term "\"a\"")"},
      {"{{(1}}", "{}", "template: tmpl:1: unclosed left paren"},
      {"{{/* x }}", "{}", "template: tmpl:1: unclosed comment"},
      {"{{18446744073709551616}}", "{}",
       R"(template: tmpl:1: integer overflow: "18446744073709551616")"},
      {"{{range $a, $b, $c := .}}{{end}}", "{}",
       "template: tmpl:1: too many declarations in range"},
      {R"({{define "a"}}x{{end}}{{define "a"}}y{{end}})", "{}",
       R"(template: tmpl:1: template: multiple definition of template "a")"},
  });
}

TEST(Template, SaysWhereTheDataDoNotFit) {
  const std::string at = "template: tmpl:1:2: executing \"tmpl\" at ";
  expect_errors({
      {"{{.a.b}}", R"({"a":1})",
       "template: tmpl:1:4: executing \"tmpl\" at <.a.b>: can't evaluate field b in type "
       "interface {}"},
      {"{{.a.b}}", R"({"a":null})",
       "template: tmpl:1:4: executing \"tmpl\" at <.a.b>: nil pointer evaluating interface {}.b"},
      {"{{len 3}}", "{}", at + "<len 3>: error calling len: len of type int"},
      {"{{index .l 5}}", R"({"l":[1]})",
       at + "<index .l 5>: error calling index: index out of range: 5"},
      {"{{index .l 1}}", R"({"l":[1]})",
       at + "<index .l 1>: error calling index: reflect: slice index out of range"},
      {"{{slice .l .i}}", R"({"l":[1],"i":0})",
       at + "<slice .l .i>: error calling slice: cannot index slice/array with type interface {}"},
      {"{{lt 1 \"a\"}}", "{}",
       at + "<lt 1 \"a\">: error calling lt: incompatible types for comparison: int and string"},
      {"{{eq .m .l}}", R"({"m":{"a":1},"l":[2]})",
       at + "<eq .m .l>: error calling eq: non-comparable types map[a:%!s(float64=1)]: "
            "map[string]interface {}, []interface {}: [2]"},
      {"{{call .a}}", R"({"a":1})",
       at + "<call .a>: error calling call: non-function .a of type float64"},
      {"{{nil}}", "{}", at + "<nil>: nil is not a command"},
      {"{{1 2}}", "{}", at + "<1>: can't give argument to non-function 1"},
      {"{{not}}", "{}", at + "<not>: wrong number of args for not: want 1 got 0"},
      {"{{template \"x\"}}", "{}",
       "template: tmpl:1:11: executing \"tmpl\" at <{{template \"x\"}}>: template \"x\" not "
       "defined"},
      {"{{range 1.5}}{{end}}", "{}",
       "template: tmpl:1:8: executing \"tmpl\" at <1.5>: range can't iterate over 1.5"},
      {"{{define \"t\"}}\n{{.x.y}}{{end}}{{template \"t\" .}}", R"({"x":1})",
       "template: tmpl:2:4: executing \"t\" at <.x.y>: can't evaluate field y in type interface "
       "{}"},
  });
}

TEST(Template, StopsAtItsLimits) {
  const std::string deep(3000, '(');
  const std::vector<std::pair<std::string, std::string>> rows = {
      {std::string(300'000, 'x'), "the template has 300000 bytes; at most 262144 are read"},
      {"{{range 1000000000000}}{{end}}", "template: tmpl: takes over 1000000 steps"},
      {"{{range 1000}}{{printf \"%9999d\" 1}}{{end}}",
       "template: tmpl: functions make over 1048576 bytes of text"},
      {"{{range 100}}{{$.s}}{{end}}", "template: tmpl: the text grows over 1048576 bytes"},
  };
  const json::Value data = json::Object{{"s", std::string(20'000, 'y')}};
  for (const auto& [text, expected] : rows) {
    auto out = render_go(text, data);
    ASSERT_FALSE(out.has_value()) << text.substr(0, 80);
    EXPECT_EQ(out.error().message, expected);
    EXPECT_EQ(out.error().code, ErrorCode::kTooLarge);
  }
  EXPECT_EQ(render_go("{{" + deep + "}}", data).error().message,
            "template: tmpl:1: max expression depth exceeded");
  EXPECT_EQ(
      render_go(R"({{define "t"}}{{template "t"}}{{end}}{{template "t"}})", data).error().message,
      "template: tmpl:1:25: executing \"t\" at <{{template \"t\"}}>: exceeded maximum "
      "template depth (250)");
}

TEST(Template, IsExecutedAsOftenAsWanted) {
  auto parsed = Template::parse("{{.a}}");
  ASSERT_TRUE(parsed.has_value());
  EXPECT_EQ(parsed->execute(read(R"({"a":1})")).value(), "1");
  EXPECT_EQ(parsed->execute(read(R"({"a":2})")).value(), "2");
}

TEST(Template, TakesFunctionsOfADialect) {
  go::Functions functions;
  functions["env"] = go::constant_function(go::Value(std::string_view("dev")));
  auto parsed = Template::parse("{{env}} {{len env}}", {}, functions);
  ASSERT_TRUE(parsed.has_value());
  EXPECT_EQ(parsed->execute(go::Value()).value(), "dev 3");
  EXPECT_EQ(Template::parse("{{env 1}}", {}, functions)->execute(go::Value()).error().message,
            "template: tmpl:1:2: executing \"tmpl\" at <env>: wrong number of args for env: want 0 "
            "got 1");
}

}  // namespace
}  // namespace slipway::lang
