package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
)

// generator writes random templates by the grammar, with data to go with them. Half of them are tame: names exist
// and types fit, mostly. In the others names, types, literals and argument counts are often wrong, and some are
// damaged afterwards.
type generator struct {
	*rand.Rand
	tame      bool
	vars      []string // in scope
	templates []string // names that {{template}} may use
	ranges    int      // loops around
}

func generate(seed uint64, index int) testCase {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, uint64(index)))}
	g.tame = g.chance(2)
	data, err := json.Marshal(g.data())
	if err != nil {
		panic(err)
	}
	text := g.text()
	for recursive(text) {
		text = g.text()
	}
	return testCase{ID: fmt.Sprintf("%d/%d", seed, index), Text: strings.ToValidUTF8(text, "\uFFFD"), Data: data,
		Ints: g.IntN(3) == 0}
}

func (g *generator) text() string {
	g.vars, g.templates, g.ranges = nil, nil, 0
	text := g.template()
	if !g.tame && g.chance(3) {
		text = g.damage(text)
	}
	return text
}

func pick[T any](g *generator, from []T) T { return from[g.IntN(len(from))] }

func (g *generator) chance(oneIn int) bool { return g.IntN(oneIn) == 0 }

var words = []string{"", "a", "abc", "x y", "dev", "podinfo", "0", "1", "true", "é", "日本", "a\tb", "l1\nl2", `say "hi"`, "it's",
	"<b>&</b>", "100%", "a+b=c", "\x00\x7f", "\u00a0\u200b\ufeff", "back`tick", `back\slash`, "%d %s", "{{.a}}", "😀", "=\u2028"}

var numbers = []any{0, 1, 2, 3, -1, 7, 10, 42, 100, 1000, 65, 233, 8364, 128512, 1000000, 123456789, -5,
	0.5, 1.5, -2.25, 3.14159, 1e-7, 1e21, 1e20, 1e100, 123456.789, 0.1, 2.5e-5, 9007199254740993, 18446744073709551615.0}

var keys = []string{"a", "b", "c", "d", "list", "map", "name", "n", "s", "nil", "t", "Key_1", "é"}

func (g *generator) data() any {
	if !g.tame && g.chance(12) {
		return g.value(2)
	}
	out := map[string]any{}
	for _, key := range keys {
		switch {
		case !g.tame && g.chance(4):
		case key == "list":
			out[key] = g.list(2)
		case key == "map":
			out[key] = g.object(2)
		case key == "n":
			out[key] = pick(g, numbers)
		case key == "s", key == "name":
			out[key] = pick(g, words)
		case key == "nil":
			out[key] = nil
		case key == "t":
			out[key] = g.chance(2)
		default:
			out[key] = g.value(2)
		}
	}
	return out
}

func (g *generator) list(depth int) any {
	out := make([]any, g.IntN(5))
	for i := range out {
		out[i] = g.value(depth - 1)
	}
	return out
}

func (g *generator) object(depth int) any {
	out := map[string]any{}
	for range g.IntN(5) {
		out[pick(g, keys)] = g.value(depth - 1)
	}
	return out
}

func (g *generator) value(depth int) any {
	switch n := g.IntN(10); {
	case n < 3:
		return pick(g, words)
	case n < 6:
		return pick(g, numbers)
	case n == 6:
		return g.chance(2)
	case n == 7:
		return nil
	case n == 8 && depth > 0:
		return g.list(depth)
	case depth > 0:
		return g.object(depth)
	}
	return "leaf"
}

var texts = []string{" ", "\n", "text", "  two  ", "}", "{", "a{b}c", "\t\n ", "é日", "$x", "-", "\"", "rate(x[5m])", "} }", "\r\n"}

func (g *generator) template() string {
	var b strings.Builder
	for i := range max(0, g.IntN(5)-2) {
		name := fmt.Sprintf("t%d", i)
		if !g.tame && g.chance(8) {
			name = pick(g, []string{"tmpl", "t0", "", "a\\\"b"})
		}
		b.WriteString(g.open() + `define "` + name + `"` + g.close())
		b.WriteString(g.inOwnScope(func() string { return g.list_(1) }))
		b.WriteString("{{end}}")
		g.templates = append(g.templates, name)
	}
	g.vars = []string{"$"}
	b.WriteString(g.list_(g.IntN(4)))
	return b.String()
}

func (g *generator) inOwnScope(write func() string) string {
	vars, ranges := g.vars, g.ranges
	g.vars, g.ranges = []string{"$"}, 0
	defer func() { g.vars, g.ranges = vars, ranges }()
	return write()
}

func (g *generator) list_(depth int) string {
	var b strings.Builder
	for range 1 + g.IntN(3) {
		b.WriteString(g.item(depth))
	}
	return b.String()
}

func (g *generator) open() string {
	return pick(g, []string{"{{", "{{", "{{ ", "{{ ", "{{- ", "{{-\n"})
}

func (g *generator) close() string {
	return pick(g, []string{"}}", "}}", " }}", " }}", " -}}", "\n-}}", "\t}}"})
}

func (g *generator) item(depth int) string {
	switch n := g.IntN(16); {
	case n < 4:
		return pick(g, texts)
	case n < 9 || depth == 0:
		return g.open() + g.pipeline(2) + g.close()
	case n == 9:
		return g.assignment()
	case n == 10:
		return pick(g, []string{"{{/* note */}}", "{{- /* a\nb */ -}}", "{{/**/}}", "{{/* }} */}}"})
	case n == 11:
		return g.call(depth)
	case n == 12 && g.ranges > 0:
		return "{{if " + g.pipeline(1) + "}}{{" + pick(g, []string{"break", "continue"}) + "}}{{end}}"
	}
	return g.control(depth)
}

func (g *generator) assignment() string {
	if len(g.vars) > 1 && g.chance(2) {
		return g.open() + pick(g, g.vars) + " = " + g.pipeline(2) + g.close()
	}
	name := pick(g, []string{"$x", "$y", "$é", "$v1"})
	text := g.open() + name + pick(g, []string{" := ", ":=", " :="}) + " " + g.pipeline(2) + g.close()
	g.vars = append(g.vars, name)
	return text
}

func (g *generator) call(depth int) string {
	if g.chance(3) {
		name := pick(g, []string{"b0", "b1", "b2", "b3", "t0"})
		return "{{block \"" + name + "\" " + g.pipeline(1) + "}}" +
			g.inOwnScope(func() string { return g.list_(depth - 1) }) + "{{end}}"
	}
	name := "t0"
	if len(g.templates) > 0 {
		name = pick(g, g.templates)
	}
	if g.chance(3) {
		return g.open() + `template "` + name + `"` + g.close()
	}
	return g.open() + `template "` + name + `" ` + g.pipeline(1) + g.close()
}

func (g *generator) control(depth int) string {
	scope := len(g.vars)
	defer func() { g.vars = g.vars[:scope] }()
	switch g.IntN(3) {
	case 0:
		return g.rangeLoop(depth)
	case 1:
		return g.branch("with", depth)
	}
	return g.branch("if", depth)
}

func (g *generator) branch(keyword string, depth int) string {
	head := keyword + " "
	if g.chance(5) {
		head += "$w := "
		g.vars = append(g.vars, "$w")
	}
	text := g.open() + head + g.pipeline(2) + g.close() + g.list_(depth-1)
	for g.chance(4) {
		text += g.open() + "else " + keyword + " " + g.pipeline(1) + g.close() + g.list_(depth-1)
	}
	if g.chance(2) {
		text += g.open() + "else" + g.close() + g.list_(depth-1)
	}
	return text + "{{end}}"
}

func (g *generator) rangeLoop(depth int) string {
	head := "range "
	switch g.IntN(5) {
	case 0:
		head += "$i, $e := "
		g.vars = append(g.vars, "$i", "$e")
	case 1:
		head += "$e := "
		g.vars = append(g.vars, "$e")
	case 2:
		if len(g.vars) > 1 {
			head += pick(g, g.vars) + " = "
		}
	}
	over := pick(g, []string{".list", ".map", ".", "$", "3", "(len .s)", ".d", "(slice .list 1)", "nil", "(index .map \"a\")", ".nil",
		"'a'", "(index .s 0)", "-1", "2.5"})
	if g.tame {
		over = pick(g, []string{".list", ".map", "3", "(len $.name)", "$.list", "(slice $.list 0)", "$.map", ".nil"})
	} else if g.chance(3) {
		over = g.pipeline(1)
		if strings.ContainsAny(over, "0123456789") { // a large number would take for ever
			over = ".list"
		}
	}
	text := g.open() + head + over + g.close()
	g.ranges++
	text += g.list_(depth - 1)
	g.ranges--
	if g.chance(3) {
		text += "{{else}}" + g.list_(depth-1)
	}
	return text + "{{end}}"
}
