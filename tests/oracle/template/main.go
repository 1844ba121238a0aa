// What Go's own text/template makes of test cases, and where the cases come from.
//
//	oracle generate SEED COUNT     prints cases, one JSON object a line: {"id","text","data","ints"}
//	oracle answer                  reads cases, prints {"id","text"} or {"id","error"} for each, in the same order
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"text/template"
)

const maxOutput = 1 << 20

type testCase struct {
	ID   string          `json:"id"`
	Text string          `json:"text"`
	Data json.RawMessage `json:"data"`
	Ints bool            `json:"ints,omitempty"`
}

type answer struct {
	ID    string  `json:"id"`
	Text  *string `json:"text,omitempty"`
	Error *string `json:"error,omitempty"`
}

// number gives an integer the type that slipway's `ints` gives it.
func number(text json.Number, ints bool) any {
	if ints {
		if n, err := strconv.ParseInt(string(text), 10, 0); err == nil {
			return int(n)
		}
		if n, err := strconv.ParseUint(string(text), 10, 64); err == nil {
			return n
		}
	}
	f, _ := text.Float64()
	return f
}

// typed replaces numbers, and cuts off the spare capacity of slices, which a template could see by slicing.
func typed(value any, ints bool) any {
	switch v := value.(type) {
	case json.Number:
		return number(v, ints)
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = typed(v[i], ints)
		}
		return out
	case map[string]any:
		for key := range v {
			v[key] = typed(v[key], ints)
		}
	}
	return value
}

func decode(c testCase) (any, error) {
	decoder := json.NewDecoder(strings.NewReader(string(c.Data)))
	decoder.UseNumber()
	var data any
	err := decoder.Decode(&data)
	return typed(data, c.Ints), err
}

type limited struct{ strings.Builder }

func (l *limited) Write(p []byte) (int, error) {
	if l.Len()+len(p) > maxOutput {
		return 0, errors.New("too much output")
	}
	return l.Builder.Write(p)
}

func render(c testCase) (text string, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	data, err := decode(c)
	if err != nil {
		return "", err
	}
	t, err := template.New("tmpl").Parse(c.Text)
	if err != nil {
		return "", err
	}
	var out limited
	err = t.Execute(&out, data)
	return out.String(), err
}

func answerAll() error {
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	decoder, encoder := json.NewDecoder(in), json.NewEncoder(out)
	for decoder.More() {
		var c testCase
		if err := decoder.Decode(&c); err != nil {
			return err
		}
		a := answer{ID: c.ID}
		if text, err := render(c); err != nil {
			message := err.Error()
			a.Error = &message
		} else {
			a.Text = &text
		}
		if err := encoder.Encode(a); err != nil {
			return err
		}
	}
	return nil
}

func generateAll(seed uint64, count int) error {
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	encoder := json.NewEncoder(out)
	for i := range count {
		if err := encoder.Encode(generate(seed, i)); err != nil {
			return err
		}
	}
	return nil
}

func run(args []string) error {
	if len(args) == 3 && args[0] == "generate" {
		seed, err := strconv.ParseUint(args[1], 10, 64)
		if err != nil {
			return err
		}
		count, err := strconv.Atoi(args[2])
		if err != nil {
			return err
		}
		return generateAll(seed, count)
	}
	if len(args) == 1 && args[0] == "answer" {
		return answerAll()
	}
	return errors.New("usage: oracle generate SEED COUNT | oracle answer")
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "oracle:", err)
		os.Exit(1)
	}
}
