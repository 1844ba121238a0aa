#include "lang/expr/condition.h"

#include <gtest/gtest.h>

#include "lang/expr/limits.h"

namespace slipway::lang::expr {
namespace {

constexpr Time kNow{std::chrono::seconds(1'700'000'000)};

// "true", "false", or "error: message".
std::string answer(std::string_view condition, std::string_view result = "null",
                   bool ints = false) {
  const auto json = json::read(result, {.allow_nan = true});
  EXPECT_TRUE(json) << result;
  const auto value = evaluate_condition(condition, Value::from_json(*json, ints), kNow);
  if (!value) return "error: " + value.error().message;
  return *value ? "true" : "false";
}

struct Case {
  std::string_view condition;
  std::string_view result;
  std::string_view want;
};

void expect_all(std::initializer_list<Case> cases) {
  for (const Case& c : cases)
    EXPECT_EQ(answer(c.condition, c.result), c.want) << c.condition << " of " << c.result;
}

TEST(Condition, JudgesWhatProvidersGive) {
  expect_all(
      {{"result[0] >= 0.95", "[0.97]", "true"},
       {"result[0] >= 0.95", "[NaN]", "false"},
       {"len(result) == 0 || result[0] >= 0.95", "[]", "true"},
       {"result[-1] == 2 and mean(result) == 1.5", "[1, 2]", "true"},
       {"result.status == 'ok' && result.n >= 3", R"({"status": "ok", "n": 3})", "true"},
       {"any(result, .v > 3) and count(result, .v > 0) == 2", R"([{"v": 1}, {"v": 4}])", "true"},
       {"result matches '^he' and result contains 'll'", R"("hello")", "true"},
       {"asInt(result) > 5 && asFloat(result) < 7.5", R"("7")", "true"},
       {"asInt(result) == 1", R"("1")", "true"},
       {"asInt(result) == 1", "1", "true"},
       {"asInt(result) == 1", "1.123", "true"},
       {"default(result, 0) < 0.05", "null", "true"},
       {"isNaN(result)", "NaN", "true"},
       {"isInf(result)", "-Infinity", "true"},
       {"result", "true", "true"}});
}

TEST(Condition, CanBeCheckedBeforeThereIsAResult) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"result[0] < 0.95", ""},
      {"result.a.b == 'x' and any(result, .v > 3)", ""},
      {"result", ""},
      {"result[0] <", "unexpected token EOF"},
      {"foo(result)", "unknown name foo"},
      {"1 + 2", "expected bool, but got int"},
      {"nil", "expected bool, but got nil"},
      {"'a' < 3", "invalid operation: < (mismatched types string and int)"},
      {"", "unexpected token EOF"}};
  for (const auto& [condition, message] : cases) {
    const auto checked = check_condition(condition);
    EXPECT_EQ(checked ? "" : checked.error().message, message) << condition;
  }
}

TEST(Condition, ChecksTypesAgainstTheResultItself) {
  expect_all(
      {{"result >= 0.95", "[1]",
        "error: invalid operation: >= (mismatched types []float64 and float64)"},
       {"result[0] == 1", "1", "error: type float64[int] is undefined"},
       {"result == '1'", "1", "error: invalid operation: == (mismatched types float64 and string)"},
       {"isNil(result) || result < 0.05", "null",
        "error: invalid operation: < (mismatched types unknown and float64)"},
       {"isNil(result) || result < 0.05", "0.01", "true"},
       {"result + 1 > 0", R"(["a"])",
        "error: invalid operation: + (mismatched types []interface {} and int)"},
       {"unknown", "1", "error: unknown name unknown"},
       {"upper(result) == 'A'", "1",
        "error: cannot use float64 as argument (type string) to call upper "},
       {"all(result, 1)", "[1]", "error: predicate should return boolean (got int)"},
       {"'a' matches '('", "1", "error: error parsing regexp: missing closing ): `(`"},
       {"len(result) > 0", "1", "error: invalid argument for len (type float64)"}});
}

TEST(Condition, MustBeABoolean) {
  expect_all({{"1", "1", "error: expected bool, but got int"},
              {"result", "null", "error: expected bool, but got <nil>"},
              {"[result]", "1", "error: expected bool, but got []interface {}"},
              {"asInt('7')", "1", "error: expected bool, but got int64"}});
}

TEST(Condition, FailsInGosWordsWhileItRuns) {
  expect_all(
      {{"result[0] >= 0.95", "[]", "error: index out of range: 0 (array length is 0)"},
       {"result.b > 0", R"({"a": 1})", "error: invalid operation: <nil> > int"},
       {"result.b.c == nil", R"({"a": 1})", "error: cannot fetch c from <nil>"},
       {"result.b?.c == nil", R"({"a": 1})", "true"},
       {"asInt(result) == 1", R"("x")", R"(error: strconv.ParseInt: parsing "x": invalid syntax)"},
       {"reduce([], # + #acc) == 1", "1", "error: reduce of empty array with no initial value"},
       {"not result.a", R"({"a": 1})",
        "error: interface conversion: interface {} is float64, not bool"},
       {"filter(result, # > 5)[0] == 1", "[1]", "error: reflect: slice index out of range"}});
  EXPECT_EQ(answer("isNaN(result)", "1", true),
            "error: interface conversion: interface {} is int, not float64");
}

TEST(Condition, FoldsConstantsBeforeItRuns) {
  expect_all({{"false && result.a.b.c", R"({"a": 1})", "false"},
              {"1 % 0 == 0", "1", "error: integer divide by zero"},
              {"true || 1 % 0 == 0", "1", "error: integer divide by zero"},
              {"false && (result.n == 1)", R"({})", "false"},
              {"result / 0 > 1", "5", "true"},
              {"sum(1..1000000) == 500000500000", "1", "true"}});
}

TEST(Condition, DoesIntegersOnlyWhenAskedTo) {
  EXPECT_EQ(answer("type(result) == 'float'", "1"), "true");
  EXPECT_EQ(answer("type(result) == 'int'", "1", true), "true");
  EXPECT_EQ(answer("result % 2 == 1", "7", true), "true");
  EXPECT_EQ(answer("result % 2 == 1", "7"),
            "error: invalid operation: % (mismatched types float64 and int)");
}

TEST(Condition, KnowsItsOperators) {
  for (const std::string_view condition :
       {"1/2 == 0.5",
        "2 ** 3 == 8",
        "2 ^ -1 == 0.5",
        "-2 ** 2 == -4",
        "7 % 4 == 3",
        "1 < 2 < 3",
        "3 in 1..5",
        "len(9223372036854775807..(-9223372036854775807 - 1)) == 2",
        "'a' in ['a', 'b']",
        "'a' in {a: 1}",
        "4 not in [1]",
        "nil ?? true",
        "(false ?: 2) == 2",
        "'abc' startsWith 'a' && 'abc' endsWith 'c'",
        "[1, 2.0] == [1.0, 2]",
        "'abc'[1:] == 'bc'",
        "[1, 2, 3][-2:] == [2, 3]",
        "let x = 2; x * x == 4",
        "if false { false } else if true { true } else { false }",
        "true ? true : 1 > 0",
        "[3, 1, 2] | sort() | first() == 1",
        "not (1 > 2) and !false",
        "0x1F == 31 && 1_000 == 1e3",
        R"("\u0041\x42" == 'AB' /* a comment */)",
        "`a``b` == 'a`b'",
        "{a: 1}.a == 1"})
    EXPECT_EQ(answer(condition), "true") << condition;
}

TEST(Condition, KnowsItsFunctions) {
  for (const std::string_view condition :
       {"none([], true) and one([1, 2], # == 1)",
        "map([1, 2], # * 2) == [2, 4]",
        "find([1, 2], # > 1) == 2 and findIndex([1, 2], # > 1) == 1",
        "findLast([1, 2, 3], # < 3) == 2",
        "groupBy([1, 2, 3], # > 1)[true] == [2, 3]",
        "sortBy([3, 1, 2], -#) == [3, 2, 1]",
        "reduce([1, 2, 3], #acc + #, 10) == 16",
        "max([1, [5, 2]]) == 5",
        "median([3, 1, 2]) == 2",
        "trim('  a ') == 'a' and trim('--a', '-') == 'a'",
        "trim('éaé', 'é') == 'a' and trim(' a\u3000') == 'a'",
        "trim('aé'[:2], 'ü'[:1]) == 'a'",
        "'é'[:1] matches '[^\\\\d]' and 'é'[:1] matches '^\uFFFD$'",
        "upper('é') == 'É'",
        "split('a,b', ',') == ['a', 'b']",
        "replace('aaa', '', '-') == '-a-a-a-'",
        "repeat('ab', 2) == 'abab'",
        "join(['a', 'b'], '-') == 'a-b'",
        "lastIndexOf('abab', 'b') == 3",
        "toJSON({b: [1.5, nil], a: '<'}) contains 'u003c'",
        "fromJSON('[1, {\"a\": 2}]')[1].a == 2",
        "fromBase64(toBase64('hi')) == 'hi'",
        "keys({a: 1}) == ['a']",
        "fromPairs(toPairs({a: 1}))['a'] == 1",
        "uniq([1, 1.0, 2]) == [1, 2]",
        "flatten([1, [2, [3]]]) == [1, 2, 3]",
        "concat([1], [2]) == [1, 2]",
        "bitand(6, 3) == 2 and bitnot(0) == -1",
        "string([1, nil, 'a', 2.5]) == '[1 <nil> a 2.5]'",
        "duration('90m').Hours() == 1.5",
        "date('2024-02-29') + duration('24h') == date('2024-03-01')",
        "date('31/12/2024', '02/01/2006').Month().String() == 'December'",
        "now().Unix() == 1700000000",
        "get({a: 1}, 'b') == nil",
        "take([1, 2], 1) == [1]"})
    EXPECT_EQ(answer(condition), "true") << condition;
}

TEST(Condition, ShowsWhereItIsWrong) {
  const auto value = evaluate_condition("result > 0 and\n\tresult[0] == 1", Value(1.0), kNow);
  ASSERT_FALSE(value);
  EXPECT_EQ(value.error().text(),
            "type float64[int] is undefined (2:8)\n |  result[0] == 1\n | .......^");
  EXPECT_EQ(value.error().line, 2);
  EXPECT_EQ(value.error().column, 8);
}

TEST(Condition, StaysWithinItsLimits) {
  const std::string deep(2'000, '(');
  const std::string long_source(kMaxSource + 1, ' ');
  std::string wide = "1";
  for (int i = 0; i < 5'100; ++i) wide += "..1";
  std::string overloads = "result";
  for (int i = 0; i < 30; ++i) overloads = "sort(" + overloads + ")";
  std::string doubled = "result[0] > 1";
  for (int i = 0; i < 60; ++i) doubled = "(" + doubled + " ?: false)";
  std::string texts = "let a = repeat('x', 900000); ";
  for (char name = 'a'; name < 'z'; ++name)
    texts += std::string("let ") + static_cast<char>(name + 1) + " = " + name + " + " + name + "; ";
  const std::pair<std::string, std::string_view> cases[] = {
      {deep, "nested deeper"},
      {long_source, "more than 65536"},
      {wide, "nested deeper"},
      {overloads + " == 1", "too complicated"},
      {doubled, "too complicated"},
      {texts + "len(z) > 0", "texts of more than"},
      {"len(1..2000000) > 1", "memory budget exceeded"},
      {"repeat('ab', 600000) == ''", "memory budget exceeded"},
      {"all(1..3000, all(1..3000, # > 0))", "memory budget exceeded"},
      {"let x = 1..3000; all(x, all(x, # > 0))", "steps"},
      {"len(reduce(1..2000, [#acc], 0)) == 1", "a value is nested deeper"},
  };
  for (const auto& [condition, want] : cases)
    EXPECT_NE(answer(condition, "[2, 1]").find(want), std::string::npos)
        << condition.substr(0, 60) << ": " << answer(condition, "[2, 1]");
}

TEST(TimeExpression, GivesATime) {
  const auto start = evaluate_time("now() - duration('1h')", kNow);
  ASSERT_TRUE(start) << start.error().text();
  EXPECT_EQ(*start, kNow - std::chrono::hours(1));
  EXPECT_EQ(evaluate_time("date('2024-01-01T00:00:00+01:00')", kNow).value(),
            Time(std::chrono::seconds(1'704'063'600)));
  EXPECT_EQ(evaluate_time("1", kNow).error().message, "expected time.Time, but got int");
  EXPECT_EQ(evaluate_time("result", kNow).error().message, "unknown name result");
}

TEST(NoData, IsNilOrAnEmptyList) {
  EXPECT_TRUE(is_no_data(Value()));
  EXPECT_TRUE(is_no_data(Value::from_json(json::Array{})));
  EXPECT_FALSE(is_no_data(Value(0.0)));
  EXPECT_FALSE(is_no_data(Value::from_json(json::Object{})));
}

}  // namespace
}  // namespace slipway::lang::expr
