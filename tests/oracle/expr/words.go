package main

var numbers = []string{"0", "1", "2", "3", "10", "-1", "0.5", "0.95", "1.0", "1e3", "1_000", "0x10", "0b11", "0o17",
	"9223372036854775807", "1e308", ".5", "100"}

var texts = []string{"''", "'a'", "\"ok\"", "'hello'", "`raw`", "'a,b'", "'x\\ty'", "'\\u00e9'", "'Z'", "'7'", "'3.5'", "','",
	"'l'", "'é'", "\"it's\"", "'\\x41'", "'aGk='"}

var patterns = []string{"'^a'", "'l+'", "'[0-9]'", "'('", "'[a'", "'a**'", "'\\\\d+'", "'.*'", "'('+'a)'", "'a)'", "'*'", "'a{2,1}'",
	"'(?P<n>a)'", "'\\\\'", "'(?<=a)'", "'x{1001}'", "'[z-a]'", "'\\\\q'", "'(?<n>l)'", "'(?<n'", "'(?P<n'", "'(?P<1>a)'", "'(?i)A'", "'\\\\C'",
	"'a{,2}'", "'a{2}{3}'", "'[[:alpha:]]'", "'[[:foo:]]'", "'(?z)a'", "'(?:a'", "'\\\\pL'", "'\\\\pX'", "'\\\\p{Foo}'", "'x**y'", "'+'", "'|'", "'$^'", "'\\\\b'", "'[^\\\\d]'"}

// What a grammar would rarely put together.
var rare = []string{
	"1", "nil", "", " ", "unknown", "result.", "result[", "result[0", "1 +", "'abc", "\"\\q\"", "0x", "1e", "1__0", "08", "1.5.2", "a b",
	"#", "all(result, #)", "all(1, true)", "all(result)", "filter(result, nil)", "map([1], nil)", "sum([1], nil)", "count([true, false])",
	"let x = 1; x == 1", "let len = 1; true", "let result = 1; true", "let x = 1; let x = 2; true", "let x 1; true", "x == 1; true",
	"1 == 1; 2 == 2;", "true // comment", "/* c */ true", "/* open", "not true", "!!true", "not not true", "true and", "true ? 1 : 2",
	"1 ?? 2 == 1", "(1 ?? 2) == 1", "nil ?? true", "1 | len()", "[1,2] | len() == 2", "[1,2,] == [1,2]", "{a: 1,} == {'a': 1}",
	"{,}", "{a}", "{(1): 2} == nil", "1 % 0 == 0", "asInt(result) % 0 == 0", "result % 0", "1 / 0 > 5", "0 / 0 == 0", "-0.0 == 0",
	"9223372036854775807 + 1 < 0", "9223372036854775808 > 0", "2 ** 63 > 1", "2 ** -1 == 0.5", "-2 ** 2 == 4", "1..3 == [1,2,3]",
	"len(1..1000000) > 1", "len(1..999998) > 1", "3 in 1..5", "3.0 in 1..5", "result in [1, 2]", "result in ['a', 'b']", "'a' in {a: 1}",
	"1 in {a: 1}", "'a' in 'abc'", "nil in [nil]", "$env.result == result", "$env['result'] == result", "$env.nope", "$env?.nope == nil",
	"$env()", "result()", "asInt()", "asInt(1, 2)", "isNaN('x')", "isNaN(1)", "isNaN(nil)", "isInf(result)", "default(1)", "len(1)",
	"len()", "len(nil)", "upper(1)", "upper(nil)", "let f = upper; f('a') == 'A'", "let f = len; f('a') == 1", "let f = asInt; f('7') == 7",
	"upper == nil", "asInt == nil", "reduce([], # + #acc)", "reduce([1,2], #acc + #, 10) == 13", "sum(1..10) == 55", "sum(1..10, # * 2) == 110",
	"sum([1, 2, 3]) == 6", "sum([result, 1]) > 0", "find([1,2], # > 5) == nil", "filter([1,2], # > 5)[0] == nil", "first(filter([1], # > 5)) == nil",
	"[5, findLast([], true)] == [5, nil]", "[1, 2][0.0] == 1", "[1,2]['a']", "'abc'[0] == 'a'", "result[0:1] == result", "'héllo'[1:3] == 'é'",
	"[1,2,3][1:] == [2,3]", "groupBy([1,2,3], # > 1)[true] == [2,3]", "len(groupBy([0.0 / 0, 0.0 / 0], #)) == 2", "groupBy([[1]], #)", "sortBy([3,1,2], -#) == [3,2,1]",
	"sort([2, 'a'])", "sort([3,1,2], 'down')", "toJSON({b: [1.0, nil], a: '<'})  == '{}'", "toJSON(0.0 / 0)", "toJSON(asInt)", "fromJSON('[1, 2') == nil",
	"type(result) == 'float'", "type(nil) == 'nil'", "type(asInt('1')) == 'int'", "string([1, nil, 'a', 2.5, {b: 1}]) == ''", "string(1e21) == '1e+21'",
	"b'abc' matches 'b'", "b'\\xff' == b'\\377'", "b'abc' == 'abc'", "'a' matches result", "result matches 'a'", "1 matches 'a'", "nil contains 'a'",
	"if true { true } else { false }", "if 1 { true } else { false }", "if true { true }", "if false { 1 } else if true { true } else { false }",
	"1 < 2 < 3", "1 < 2 == true", "3 > 2 > 1 > 0", "1 not in [2]", "'a' not matches 'b'", "not 1 in [2]", "true == not false", "- -1 == 1",
	"[1, 2.0] == [1.0, 2]", "[1] == [1, 2]", "{a: 1} == {a: 1}", "{a: 1} == {a: 1.0}", "{a: 1} == nil", "[] == nil", "concat([]) == nil",
	"any(result, {let x = #; x > 1})", "any([1], #; true)", "map([1,2], #index) == [0,1]", "map([[1]], map(#, # + 1)) == [[2]]", "#acc", "all([1], #foo > 1)",
	"::len([1]) == 1", "result?.a", "result?.[0]", "result?.a?.b == nil", "result.a()", "'a'.b", "(1).x", "true.x", "nil.x", "nil?.x == nil",
	"trim('  a ') == 'a'", "split('a,b', ',') == ['a', 'b']", "split('abc', '') == ['a','b','c']", "join([1])", "join(['a', 'b'], '-') == 'a-b'",
	"replace('aaa', '', '-') == '-a-a-a-'", "repeat('ab', 3) == 'ababab'", "repeat('a', 2000000)", "repeat('ab', 600000) == ''", "max([]) == nil", "mean([]) == 0",
	"median([3, 1, 2]) == 2", "max([1, 'a'])", "max('a') == 'a'", "min(1, 'a')", "abs(-1) == 1", "round(2.5) == 3", "int('x')", "int('12') == 12", "int(2.9) == 2",
	"float('1e3') == 1000", "float('x')", "asFloat('inf') > 1", "asInt('1.5')", "asInt(nil)", "asInt([1])", "asInt(true)", "bitshl(1, 64) == 0", "bitshl(1, -1)",
	"bitnot(0) == -1", "bitand(1.5, 1)", "timezone('UTC') == nil", "duration('1h') > duration('30m')", "duration('1h') * 1.5 == 1", "duration('1h') / 2 > 1",
	"date('2024-01-01') < date('2024-01-02')", "date('2024-01-01').Year() == 2024", "date('2024-01-01').Foo()", "(date('2024-01-02') - date('2024-01-01')).Hours() == 24",
	"date('31/12/2024', '02/01/2006').Month().String() == 'December'", "date('x', '2006')", "len('héllo') == 5", "upper('straße') == 'STRASSE'", "upper('é') == 'É'",
	"'\\u{1F600}' == '😀'", "'\\u{110000}' == ''", "\"a\nb\" == ''", "`a``b` == 'a`b'", "result == result", "get(result, 'a') == nil", "get(nil, 1) == nil", "take([1,2], 1) == [1]",
	"take([1], -1)", "flatten([1,[2,[3]]]) == [1,2,3]", "uniq([1,1.0,2]) == [1,2]", "keys(1)", "toPairs({a: 1})[0][0] == 'a'", "fromPairs([['a', 1]]).a == 1", "fromPairs([['a', 1]])['a'] == 1",
	"all([1,2], # > 0) and all([1,2], # < 'a')", "none([], true)", "one([1,2], # == 1)", "count([1,2,3], # > 1) >= 2", "len(filter([1,2,3], # > 1)) == 2", "map(filter([1,2], # > 1), # * 2) == [4]",
	"last(filter([1,2], # > 0)) == 2", "filter(filter([1,2,3], # > 1), # < 3) == [2]", "sum(map([1,2], # * 2)) == 6", "true || unknown", "false && (1 % 0 == 0)", "true ? true : (1 % 0)",
}
