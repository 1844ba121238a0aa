package main

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"strings"
)

// Conditions from a grammar: most are well typed, some ask for a value of the wrong sort, some have a character too many
// or too few. What Go leaves to chance (the order of maps) or to the machine (addresses, the clock) is not asked for.

type generator struct {
	*rand.Rand
	shape     string   // of the result
	variables []string // declared by let
	loops     int      // predicates around us
}

func generate(count int, random *rand.Rand) {
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	for i := range count {
		g := &generator{Rand: random}
		result, ints := g.result()
		condition := g.boolean(1 + g.Intn(4))
		switch g.Intn(30) {
		case 0, 1:
			condition = g.damaged(condition)
		case 2:
			condition = g.anything(2)
		case 3:
			condition = g.pick(rare...)
		}
		if problem := encoder.Encode(question{ID: i, Condition: condition, Result: result, Ints: ints}); problem != nil {
			fmt.Fprintln(os.Stderr, problem)
			os.Exit(3)
		}
	}
}

func (g *generator) pick(words ...string) string { return words[g.Intn(len(words))] }

func (g *generator) one(makers ...func() string) string { return makers[g.Intn(len(makers))]() }

// result is what a provider may give; its shape tells the grammar how to reach into it.
func (g *generator) result() (json.RawMessage, bool) {
	ints := g.Intn(4) == 0
	g.shape = g.pick("number", "numbers", "numbers", "object", "object", "records", "text", "mixed", "bool", "null")
	var value any
	switch g.shape {
	case "number":
		value = g.jsonNumber()
	case "numbers":
		list := []any{}
		for range g.Intn(6) {
			list = append(list, g.jsonNumber())
		}
		value = list
	case "object":
		value = g.object()
	case "records":
		list := []any{}
		for range g.Intn(4) {
			list = append(list, g.object())
		}
		value = list
	case "text":
		value = g.pick("", "ok", "hello", "7", "3.5", "Straße", "a,b,c", "1e3", "  padded ", "\x01NaN")
	case "mixed":
		value = []any{g.jsonNumber(), "x", nil, true, []any{1.0, 2.0}}[:g.Intn(6)]
	case "bool":
		value = g.Intn(2) == 0
	}
	text, _ := json.Marshal(value)
	return text, ints
}

func (g *generator) jsonNumber() any {
	numbers := []any{json.Number("0"), json.Number("1"), json.Number("-1"), json.Number("2"), json.Number("0.95"),
		json.Number("0.5"), json.Number("3"), json.Number("100"), json.Number("1e3"), json.Number("2.0"),
		json.Number("-7.25"), json.Number("1e-7"), json.Number("123456789012"), "\x01NaN", "\x01+Inf", "\x01-Inf"}
	return numbers[g.Intn(len(numbers))]
}

func (g *generator) object() map[string]any {
	all := map[string]any{"a": g.jsonNumber(), "b": g.jsonNumber(), "name": g.pick("ok", "bad", "x"), "flag": g.Intn(2) == 0,
		"none": nil, "list": []any{g.jsonNumber(), g.jsonNumber()}, "inner": map[string]any{"c": g.jsonNumber()}}
	for key := range all {
		if g.Intn(9) == 0 {
			delete(all, key)
		}
	}
	return all
}

func (g *generator) boolean(depth int) string {
	if g.Intn(70) == 0 {
		return g.anything(depth - 1)
	}
	if depth <= 0 {
		return g.one(
			func() string { return g.pick("true", "false") },
			func() string { return g.number(0) + g.comparison() + g.number(0) },
			func() string { return g.text(0) + g.pick(" == ", " != ", " < ") + g.text(0) },
			func() string { return g.reach("bool") },
			func() string { return g.reach("") + g.pick(" == nil", " != nil", " == 1", " > 0") })
	}
	return g.one(
		func() string { return g.number(depth-1) + g.comparison() + g.number(depth-1) },
		func() string { return g.number(depth-1) + g.comparison() + g.number(depth-1) },
		func() string { return g.number(0) + g.comparison() + g.number(0) + g.comparison() + g.number(0) },
		func() string {
			return g.boolean(depth-1) + g.pick(" and ", " or ", " && ", " || ", " == ", " != ") + g.boolean(depth-1)
		},
		func() string { return g.pick("not ", "!") + "(" + g.boolean(depth-1) + ")" },
		func() string {
			return g.text(depth-1) + g.pick(" contains ", " startsWith ", " endsWith ", " == ", " < ", " not contains ", " in ", " matches ") +
				g.text(depth-1)
		},
		func() string { return g.text(depth-1) + " matches " + g.pick(patterns...) },
		func() string { return g.anything(depth-1) + g.pick(" in ", " not in ") + g.list(depth-1) },
		func() string { return g.anything(depth-1) + g.pick(" == ", " != ") + g.anything(depth-1) },
		func() string {
			return g.pick("all", "none", "any", "one") + "(" + g.list(depth-1) + ", " + g.predicate(depth-1) + ")"
		},
		func() string {
			name := g.pick("all", "none", "any")
			list := g.list(0)
			return name + "(" + list + ", " + g.predicate(0) + ")" + g.pick(" and ", " or ", " && ", " || ") + name + "(" + list + ", " + g.predicate(0) + ")"
		},
		func() string {
			return "(" + g.boolean(depth-1) + " ? " + g.boolean(depth-1) + " : " + g.boolean(depth-1) + ")"
		},
		func() string {
			return "if " + g.boolean(0) + " { " + g.boolean(depth-1) + " } else { " + g.boolean(depth-1) + " }"
		},
		func() string {
			return "count(" + g.list(depth-1) + ", " + g.predicate(depth-1) + ")" + g.comparison() + g.pick("0", "1", "2", "3")
		},
		func() string { return g.pick("isNaN", "isInf") + "(" + g.number(depth-1) + ")" },
		func() string { return "isNil(" + g.anything(0) + ")" },
		func() string {
			return g.pick("hasPrefix", "hasSuffix") + "(" + g.text(depth-1) + ", " + g.text(0) + ")"
		},
		func() string { return g.let(depth, g.boolean) })
}

func (g *generator) comparison() string { return g.pick(" < ", " <= ", " > ", " >= ", " == ", " != ") }

func (g *generator) let(depth int, body func(int) string) string {
	name := g.pick("x", "y", "total", "s")
	value := g.one(func() string { return g.number(depth - 1) }, func() string { return g.list(depth - 1) },
		func() string { return g.text(depth - 1) })
	g.variables = append(g.variables, name)
	inside := body(depth - 1)
	g.variables = g.variables[:len(g.variables)-1]
	return "(let " + name + " = " + value + "; " + inside + ")"
}

func (g *generator) predicate(depth int) string {
	g.loops++
	inside := g.boolean(depth - 1)
	g.loops--
	if g.Intn(3) == 0 {
		return "{" + inside + "}"
	}
	return inside
}

func (g *generator) mapped(depth int) string {
	g.loops++
	inside := g.one(func() string { return g.number(depth - 1) }, func() string { return "#" }, func() string { return g.anything(depth - 1) },
		func() string { return g.text(depth - 1) }, func() string { return "#index" })
	g.loops--
	return inside
}

func (g *generator) number(depth int) string {
	if g.Intn(70) == 0 {
		return g.anything(depth - 1)
	}
	if depth <= 0 {
		return g.one(
			func() string { return g.pick(numbers...) },
			func() string { return g.reach("number") },
			func() string { return g.reach("number") })
	}
	return g.one(
		func() string {
			return g.number(depth-1) + g.pick(" + ", " - ", " * ", " / ", " % ", " ** ", " ^ ") + g.number(depth-1)
		},
		func() string {
			return "(" + g.number(depth-1) + g.pick(" + ", " - ", " * ", " / ") + g.number(depth-1) + ")"
		},
		func() string { return "-" + g.number(depth-1) },
		func() string {
			return "len(" + g.one(func() string { return g.list(depth - 1) }, func() string { return g.text(depth - 1) }) + ")"
		},
		func() string {
			return g.pick("sum", "mean", "median", "min", "max", "count") + "(" + g.list(depth-1) + ")"
		},
		func() string { return "sum(" + g.list(depth-1) + ", " + g.mapped(depth-1) + ")" },
		func() string {
			return g.pick("min", "max", "mean", "median") + "(" + g.number(depth-1) + ", " + g.number(depth-1) + ")"
		},
		func() string {
			return g.pick("abs", "ceil", "floor", "round", "int", "float", "asInt", "asFloat") + "(" + g.number(depth-1) + ")"
		},
		func() string { return g.pick("int", "float", "asInt", "asFloat") + "(" + g.text(0) + ")" },
		func() string { return "count(" + g.list(depth-1) + ", " + g.predicate(depth-1) + ")" },
		func() string {
			return g.pick("findIndex", "findLastIndex", "find", "findLast") + "(" + g.list(depth-1) + ", " + g.predicate(depth-1) + ")"
		},
		func() string { return "reduce(" + g.list(depth-1) + ", # + #acc" + g.pick("", ", 0", ", 1.5") + ")" },
		func() string {
			return g.pick("indexOf", "lastIndexOf") + "(" + g.text(depth-1) + ", " + g.text(0) + ")"
		},
		func() string { return "default(result, " + g.number(0) + ")" },
		func() string { return g.list(depth-1) + "[" + g.pick("0", "-1", "1", "5", "1.0") + "]" },
		func() string { return g.pick("first", "last") + "(" + g.list(depth-1) + ")" },
		func() string { return "(" + g.reach("number") + " ?? " + g.number(0) + ")" },
		func() string {
			return g.pick("bitand", "bitor", "bitxor", "bitshl", "bitshr", "bitushr", "bitnand") + "(" + g.number(0) + ", " + g.number(0) + ")"
		},
		func() string {
			return g.list(depth-1) + " | " + g.pick("sum()", "len()", "max()", "count(# > 1)", "map(# * 2) | sum()", "filter(# > 0) | len()")
		},
		func() string { return "len(" + g.pick("keys", "values", "toPairs") + "(" + g.mapping(depth-1) + "))" },
		func() string { return g.let(depth, g.number) })
}

func (g *generator) text(depth int) string {
	if g.Intn(70) == 0 {
		return g.anything(depth - 1)
	}
	if depth <= 0 {
		return g.one(
			func() string { return g.pick(texts...) },
			func() string { return g.pick(texts...) },
			func() string { return g.reach("text") })
	}
	return g.one(
		func() string { return g.text(depth-1) + " + " + g.text(depth-1) },
		func() string {
			return g.pick("upper", "lower", "trim", "trimPrefix", "trimSuffix", "toBase64", "fromBase64") + "(" + g.text(depth-1) + ")"
		},
		func() string {
			return g.pick("trim", "trimPrefix", "trimSuffix") + "(" + g.text(depth-1) + ", " + g.text(0) + ")"
		},
		func() string {
			return "replace(" + g.text(depth-1) + ", " + g.text(0) + ", " + g.text(0) + g.pick("", ", 1", ", -1", ", 0") + ")"
		},
		func() string {
			return "repeat(" + g.text(0) + ", " + g.pick("0", "2", "-1", "1000000", "2000000", "1.5") + ")"
		},
		func() string {
			return "join(" + g.one(func() string { return "split(" + g.text(0) + ", " + g.text(0) + ")" }, func() string { return g.list(depth - 1) }) + g.pick("", ", '-'") + ")"
		},
		func() string { return g.pick("string", "toJSON", "type") + "(" + g.anything(depth-1) + ")" },
		func() string { return g.text(depth-1) + "[" + g.pick("0:2", ":1", "1:", "-2:", ":", "5:1") + "]" },
		func() string { return "(" + g.reach("text") + " ?? " + g.text(0) + ")" })
}

func (g *generator) list(depth int) string {
	if g.Intn(70) == 0 {
		return g.anything(depth - 1)
	}
	if depth <= 0 {
		return g.one(
			func() string { return g.reach("list") },
			func() string {
				return g.pick("[]", "[1, 2, 3]", "[1, 2.5]", "['a', 'b']", "[1, 'a', nil]", "1..5", "0..-1", "[[1, 2], [3]]", "[true]", "[0.5, result]", "[3, 1, 2]", "[0.5, 1.5]")
			},
			func() string { return g.reach("list") })
	}
	return g.one(
		func() string { return "filter(" + g.list(depth-1) + ", " + g.predicate(depth-1) + ")" },
		func() string { return "map(" + g.list(depth-1) + ", " + g.mapped(depth-1) + ")" },
		func() string {
			return "map(filter(" + g.list(depth-1) + ", " + g.predicate(depth-1) + "), " + g.mapped(depth-1) + ")"
		},
		func() string {
			return g.pick("reverse", "uniq", "flatten", "sort", "concat") + "(" + g.list(depth-1) + ")"
		},
		func() string { return "concat(" + g.list(depth-1) + ", " + g.list(depth-1) + ")" },
		func() string { return "sort(" + g.list(depth-1) + ", " + g.pick("'asc'", "'desc'", "'up'") + ")" },
		func() string {
			return "sortBy(" + g.list(depth-1) + ", " + g.mapped(depth-1) + g.pick("", ", 'desc'", ", 'asc'") + ")"
		},
		func() string { return "take(" + g.list(depth-1) + ", " + g.pick("0", "1", "2", "9", "-1") + ")" },
		func() string { return g.list(depth-1) + "[" + g.pick("0:2", ":1", "1:", "-2:", ":", "5:1") + "]" },
		func() string { return "[" + g.anything(depth-1) + ", " + g.anything(depth-1) + "]" },
		func() string { return g.number(0) + ".." + g.number(0) },
		func() string {
			return g.pick("split", "splitAfter") + "(" + g.text(depth-1) + ", " + g.text(0) + g.pick("", ", 2", ", 0", ", -1") + ")"
		},
		func() string { return "sort(keys(" + g.mapping(depth-1) + "))" })
}

func (g *generator) mapping(depth int) string {
	if depth <= 0 {
		return g.one(func() string { return g.reach("map") }, func() string { return g.pick("{}", "{a: 1, 'b': 2}", "{a: nil}", "{1: true}", "{a: {c: 1}}") })
	}
	return g.one(
		func() string {
			return "{a: " + g.anything(depth-1) + ", (" + g.text(0) + "): " + g.anything(depth-1) + "}"
		},
		func() string { return "groupBy(" + g.list(depth-1) + ", " + g.mapped(depth-1) + ")" },
		func() string {
			return "fromPairs(" + g.pick("[['a', 1]]", "[[1, 2], ['b', 3]]", "[[1]]", "[1]", "toPairs({a: 1})") + ")"
		},
		func() string {
			return "fromJSON(" + g.pick("'{\"a\": 1}'", "'[1,'", "'{\"a\" 1}'", "'nul'", "'1 2'", "''", "'{\"a\":[1,{}]}'", "'-'", "'\"\\\\x\"'", "'tru'", "'{'", "'[1,]'", "'{\"a\":1,}'", "'1.'", "'1e+'",
				"'\"\\\\u12\"'", "'\"\\\\u00e9\"'", "'\"open'", "'nulL'", "'[1 2]'", "'01'", "'1e999'", "' {} x'", "'{1:2}'", "'é'", "'\"\\\\'") + ")"
		})
}

func (g *generator) anything(depth int) string {
	if depth <= 0 {
		return g.one(func() string { return g.reach("") }, func() string { return g.pick(numbers...) }, func() string { return g.pick(texts...) },
			func() string {
				return g.pick("nil", "true", "[]", "{}", "result", "$env.result", "unknown")
			})
	}
	return g.one(
		func() string { return g.boolean(depth - 1) }, func() string { return g.number(depth - 1) },
		func() string { return g.text(depth - 1) }, func() string { return g.list(depth - 1) },
		func() string { return g.mapping(depth - 1) },
		func() string { return "get(" + g.mapping(depth-1) + ", " + g.pick("'a'", "'zz'", "0", "nil") + ")" },
		func() string { return "get(" + g.list(depth-1) + ", " + g.pick("0", "-1", "7", "'a'", "1.0") + ")" },
		func() string {
			return "(" + g.boolean(depth-1) + " ? " + g.anything(depth-1) + " : " + g.anything(depth-1) + ")"
		},
		func() string { return "(" + g.anything(depth-1) + " ?: " + g.anything(depth-1) + ")" },
		func() string {
			return g.anything(depth-1) + g.pick(".a", "?.a", ".inner.c", "?.inner?.c", "['a']", "[0]", "?.[0]", ".name.x")
		},
		func() string {
			return "duration(" + g.pick("'1h'", "'90s'", "'1h30m'", "'5'", "'1x'", "''") + ")" + g.pick("", ".Hours()", ".Seconds()", " * 2", " + duration('1s')", ".String()", ".Nope()")
		},
		func() string {
			return "date(" + g.pick("'2024-02-29'", "'2023-02-29'", "'12:30:00'", "'2024-01-02T03:04:05Z'", "'Mon, 02 Jan 2006 15:04:05 MST'", "'x'") + ")" + g.pick("", ".Year()", ".Month().String()", ".Unix()", " - date('2024-01-01')", " + duration('36h')", ".Weekday()", ".Format('2006/1/2')")
		})
}

// pieces of the result by its shape and by the sort of value wanted.
var pieces = map[string]map[string][]string{
	"number":  {"number": {"result"}, "list": {"[result]"}},
	"numbers": {"number": {"result[0]", "result[-1]", "result[1]", "first(result)", "max(result)"}, "list": {"result", "result", "result[1:]"}},
	"mixed":   {"number": {"result[0]"}, "text": {"result[1]"}, "list": {"result", "result[4]"}, "bool": {"result[3]"}},
	"object": {"number": {"result.a", "result.b", "result['a']", "result.list[0]", "result.inner.c", "result?.inner.c"}, "text": {"result.name", "result.name"},
		"bool": {"result.flag"}, "list": {"result.list"}, "map": {"result", "result.inner"},
		"": {"result.none", "result.missing", "result.missing?.deep", "result.inner?.d", "result.none.x"}},
	"records": {"number": {"result[0].a", "result[0]?.b", "len(result)"}, "text": {"result[0].name"}, "bool": {"result[0].flag"},
		"list": {"result", "result[0].list"}, "map": {"result[0]"}},
	"text": {"text": {"result"}},
	"bool": {"bool": {"result"}},
}

// reach gives a piece of the result, of the sort wanted when there is one.
func (g *generator) reach(sort string) string {
	if g.loops > 0 && g.Intn(3) > 0 {
		return g.element(sort)
	}
	if len(g.variables) > 0 && g.Intn(4) == 0 {
		return g.pick(g.variables...)
	}
	known := pieces[g.shape]
	if g.Intn(12) == 0 || sort == "" {
		words := []string{"result"}
		for _, name := range []string{"", "number", "text", "bool", "list", "map"} {
			words = append(words, known[name]...)
		}
		return g.pick(words...)
	}
	if words := known[sort]; len(words) > 0 {
		return g.pick(words...)
	}
	return map[string]string{"number": "2", "text": "'ok'", "bool": "true", "list": "[2, 3]", "map": "{a: 1}"}[sort]
}

func (g *generator) element(sort string) string {
	if g.shape == "records" && g.Intn(4) > 0 {
		switch sort {
		case "number":
			return g.pick(".a", "#.b", ".inner?.c")
		case "text":
			return ".name"
		case "bool":
			return ".flag"
		case "list":
			return ".list"
		}
	}
	return g.pick("#", "#", "#", "#", "#index", "#[0]", ".a")
}

// damaged is the text with something wrong in it.
func (g *generator) damaged(text string) string {
	if text == "" {
		return "("
	}
	at := g.Intn(len(text))
	switch g.Intn(4) {
	case 0:
		return text[:at] + text[at+1:]
	case 1:
		return text[:at]
	case 2:
		words := strings.Fields(text)
		words[g.Intn(len(words))] = g.pick("and", "in", "not", "..", "let", "?.", "if", "#", "::len")
		return strings.Join(words, " ")
	}
	return text[:at] + g.pick("(", ")", "'", "#", "$", "&", "1", " ", "@", "..", ";", "?", "é", "\\", "[", "}", "|", ",", "0x", "\n") + text[at:]
}
