package main

import (
	"strconv"
	"strings"
)

func (g *generator) pipeline(depth int) string {
	text := g.command(depth)
	for g.chance(4) {
		text += pick(g, []string{" | ", "|", " |"}) + g.stage(depth)
	}
	return text
}

// stage is a command that a value is piped into.
func (g *generator) stage(depth int) string {
	if g.tame {
		return pick(g, []string{"print", "printf \"%v\"", "printf \"<%q>\"", "not", "html", "js", "urlquery", "println", "or \"\"", "and 1",
			"printf " + strconv.Quote(g.directive()), "print 1 2", "eq nil"})
	}
	return pick(g, []string{"print", "printf \"%v\"", "printf \"%q\"", "len", "not", "html", "js", "urlquery", "println",
		"index .list", "index .map", "eq 1", "eq \"a\"", "ne nil", "lt 2", "and true", "or false", "slice .s", "slice", "call",
		"printf", ".a", "$", g.function(depth)})
}

func (g *generator) command(depth int) string {
	if g.chance(2) {
		return g.function(depth)
	}
	word := g.operand(depth)
	if !g.tame && g.chance(25) {
		word += " " + g.operand(depth)
	}
	return word
}

var functions = map[string][2]int{ // fewest and most arguments
	"and": {1, 3}, "or": {1, 3}, "not": {1, 1}, "len": {1, 1}, "index": {1, 3}, "slice": {1, 4}, "print": {0, 4},
	"println": {0, 3}, "html": {0, 2}, "js": {0, 2}, "urlquery": {0, 2}, "call": {1, 2}, "eq": {1, 3}, "ne": {2, 2},
	"lt": {2, 2}, "le": {2, 2}, "gt": {2, 2}, "ge": {2, 2}, "printf": {0, 4},
}

var functionNames = []string{"and", "or", "not", "len", "index", "slice", "print", "println", "html", "js", "urlquery", "call",
	"eq", "ne", "lt", "le", "gt", "ge", "printf", "printf", "printf", "eq", "index", "index"}

// tameFunction is a call that succeeds with most data.
func (g *generator) tameFunction(depth int) string {
	any := func() string { return g.operand(depth - 1) }
	number := func() string { return pick(g, []string{"1", "0", "-7", "42", "(len $.name)", "0x1F", "'x'"}) }
	text := func() string {
		return pick(g, []string{"$.s", "$.name", "\"abc\"", "(print $.n)", "(printf \"%v\" $.a)", "`z`"})
	}
	switch g.IntN(12) {
	case 0:
		return pick(g, []string{"and ", "or "}) + any() + " " + any()
	case 1:
		return pick(g, []string{"eq ", "ne ", "lt ", "le ", "gt ", "ge "}) + number() + " " + number()
	case 2:
		return pick(g, []string{"eq ", "ne ", "lt ", "le ", "gt ", "ge "}) + text() + " " + text()
	case 3:
		return "index " + pick(g, []string{"$.map", ".map"}) + " " + pick(g, []string{`"a"`, `"b"`, `"missing"`, "$.s"})
	case 4:
		return "slice " + text() + pick(g, []string{"", " 0", " 0 0"})
	case 5:
		return "len " + pick(g, []string{"$.list", "$.map", "$.s", text()})
	case 6:
		return pick(g, []string{"print ", "println ", "html ", "js ", "urlquery ", "not "}) + any()
	case 7:
		return "print " + any() + " " + any() + " " + any()
	case 8:
		return "eq " + number() + " " + number() + " " + number()
	}
	args := ""
	for range 1 + g.IntN(3) {
		args += " " + any()
	}
	return "printf " + strconv.Quote(g.format()) + args
}

func (g *generator) function(depth int) string {
	if g.tame {
		return g.tameFunction(depth)
	}
	name := pick(g, functionNames)
	bounds := functions[name]
	count := bounds[0] + g.IntN(bounds[1]-bounds[0]+1)
	if g.chance(30) {
		count += g.IntN(3) - 1
	}
	if g.chance(200) {
		name = "nosuch"
	}
	args := []string{name}
	switch {
	case name == "printf" && !g.chance(20):
		args = append(args, strconv.Quote(g.format()))
	case (name == "index" || name == "slice") && count > 0 && !g.chance(6):
		args = append(args, pick(g, []string{".list", ".map", ".s", ".name", "$.list", "(index .list 0)", "\"héllo\"", ".d"}))
		for i := 1; i < count; i++ {
			args = append(args, pick(g, []string{"0", "1", "2", "3", "-1", "\"a\"", "\"name\"", ".n", "1.0", "nil", "'b'", "(len .s)", "$.t"}))
		}
		return strings.Join(args, " ")
	case name == "call" || name == "eq":
		count = max(count, 1)
	}
	for i := 0; i < count; i++ {
		args = append(args, g.operand(depth-1))
	}
	return strings.Join(args, " ")
}

var literals = []string{"1", "0", "-1", "42", "3.5", "1e3", "0x1F", "-0x1e", "0b101", "0o17", "017", "1_000", "0x1p4", "'a'", "'é'",
	"1e400", "089", "'\\n'", "'\\x41'", "'ab'", "1i", "1+2i", "-1.5e2-3i", "0x1p-2+1i", "9223372036854775807", "9223372036854775808",
	"18446744073709551616", "1.", ".5", "1__0", "0x", "true", "false", "1e-320", "0x_1", "08", "+5", "+.5e1", "1_0.2_5", "0i",
	"\"\"", "\"abc\"", "\"a\\tb\\u00e9\\xff\"", "\"q\\\"q\"", "`raw`", "`a\nb`", "\"%d\"", "\"\\z\"", "\"日本\"", "\"<a href='x'>\"", "\"\\377\\400\""}

var fields = []string{".a", ".b", ".c", ".d", ".list", ".map", ".name", ".n", ".s", ".nil", ".t", ".missing", ".Key_1", ".é",
	".map.a", ".map.missing.x", ".a.b", ".a.b.c", ".n.x", ".nil.x", ".list.a"}

func (g *generator) operand(depth int) string {
	if g.tame && g.chance(2) {
		return pick(g, []string{"$.a", "$.b", "$.c", "$.d", "$.list", "$.map", "$.name", "$.n", "$.s", "$.t", "$.Key_1", "$.é", "$.map.a", "$.nil"})
	}
	switch n := g.IntN(20); {
	case n < 5:
		return g.literal()
	case n < 12 && !g.tame:
		return pick(g, fields)
	case n == 12:
		return "."
	case n < 15:
		return g.variable()
	case n == 15:
		return "nil"
	case depth > 0:
		text := "(" + g.pipeline(depth-1) + ")"
		if !g.tame && g.chance(4) {
			text += pick(g, fields)
		}
		return text
	}
	return pick(g, []string{"$.s", "$.n"})
}

func (g *generator) literal() string {
	if g.chance(3) {
		return strconv.Quote(pick(g, words))
	}
	if g.tame || g.chance(2) {
		return pick(g, literals[:14])
	}
	return pick(g, literals)
}

func (g *generator) variable() string {
	name := "$"
	if len(g.vars) > 0 {
		name = pick(g, g.vars)
	}
	if !g.tame && g.chance(40) {
		name = "$undefined"
	}
	if !g.tame && g.chance(3) {
		name += pick(g, fields)
	}
	return name
}

func (g *generator) format() string {
	var b strings.Builder
	for range 1 + g.IntN(3) {
		if g.chance(5) {
			b.WriteString(pick(g, []string{"x", " ", "%%", "é", "100% ", "%", "-"}))
		}
		b.WriteString(g.directive())
	}
	return b.String()
}

func (g *generator) directive() string {
	text := "%"
	for g.chance(3) {
		text += pick(g, []string{"+", "-", "#", "0", " "})
	}
	if g.chance(12) {
		text += pick(g, []string{"[1]", "[2]", "[3]", "[0]", "[x]", "[", "[9]", "[]", "[1]*", "[2]*.[1]*"})
	}
	if g.chance(4) {
		text += pick(g, []string{"1", "3", "8", "20", "*", "64", "9999999999"})
	}
	if g.chance(4) {
		text += "." + pick(g, []string{"", "0", "1", "2", "3", "6", "17", "20", "30", "*", "9999999999"})
	}
	if g.chance(60) {
		return text // no verb
	}
	return text + pick(g, []string{"v", "v", "s", "d", "q", "x", "X", "o", "O", "b", "c", "U", "e", "E", "f", "F", "g", "G", "t", "T", "w",
		"z", "日", "!"})
}

var shards = []string{"{{", "}}", "{{-", "-}}", "(", ")", "|", ",", ":=", "=", ".", "$", "\"", "'", "`", "{{end}}", "{{else}}",
	"{{define \"t0\"}}", "{{break}}", "{{continue}}", "/*", "*/", "\n", " ", "é", "\u2028", "@", "0", "x", "..", "$x", "nil", "{{template \"t9\"}}",
	"if", "range", "end", "%", "\\", "\x01", "1i", "else if ", "{{block \"z\" .}}", "🙂"}

// damage breaks a text in one to three places.
func (g *generator) damage(text string) string {
	for range 1 + g.IntN(3) {
		if text == "" {
			return pick(g, shards)
		}
		at := g.IntN(len(text) + 1)
		switch g.IntN(4) {
		case 0:
			text = text[:at]
		case 1:
			end := min(len(text), at+1+g.IntN(4))
			text = text[:at] + text[end:]
		case 2:
			end := min(len(text), at+1+g.IntN(12))
			text = text[:end] + text[at:]
		default:
			text = text[:at] + pick(g, shards) + text[at:]
		}
	}
	return text
}
