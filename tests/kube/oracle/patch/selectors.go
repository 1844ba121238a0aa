package main

import (
	"math/rand"

	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
)

var selectorWords = []string{"app", "a.b/c", "=", "==", "!=", "in", "notin", "(", ")", ",", "!", ">", "<", " ", "x", "y-1", "5", "-x", "a b", "", "=!", "é", "x/"}

var writtenSelectors = []string{"", "app", "!app", "app=web", "app==web", "app!=web", "app in (a,b)", "app notin (b,a)", "app in ()", "app in (,a)",
	"app in (a,)", "app in (a,,b)", "app in a", "app in (a", "app in (a b)", "x>5", "x<5", "x>a", "x>", "app=", "app=,b", "a=b,c", "a=b,", ",a", "a,,b",
	"=a", "a=b=c", "a in (in,notin)", "in", "notin in (x)", "a===b", "a=!b", "!!a", "! a", "a\tin\n(x)", "a/b/c=d", "A_b.c-d=E", "-a=b", "a=-b", "a b"}

func selectorCases(r *rand.Rand) (cases []object) {
	sets := []labels.Set{{}, {"app": "web"}, {"app": "a", "x": "6"}, {"x": "5"}, {"x": "four", "a": "b"}, {"a": ""}, {"in": "x", "app": ""}, {"c": "1", "a": "b"}}
	texts := append([]string{}, writtenSelectors...)
	for i := 0; i < 400; i++ {
		text := ""
		for j := 0; j < 1+r.Intn(7); j++ {
			text += pick(r, selectorWords...)
		}
		texts = append(texts, text)
	}
	for _, text := range texts {
		one := object{"labels": text}
		if selector, err := labels.Parse(text); err != nil {
			one["error"] = err.Error()
		} else {
			matches := []any{}
			for _, set := range sets {
				matches = append(matches, selector.Matches(set))
			}
			one["matches"] = matches
		}
		cases = append(cases, one)
	}
	for i := 0; i < 200; i++ {
		text := ""
		for j := 0; j < 1+r.Intn(6); j++ {
			text += pick(r, "a", "metadata.name", "=", "==", "!=", ",", `\`, `\,`, `\=`, "x", "é", "!")
		}
		one := object{"fields": text}
		if selector, err := fields.ParseSelector(text); err != nil {
			one["error"] = err.Error()
		} else {
			terms := []any{}
			for _, term := range selector.Requirements() {
				terms = append(terms, []any{term.Field, string(term.Operator), term.Value})
			}
			one["terms"] = terms
		}
		cases = append(cases, one)
	}
	return cases
}
