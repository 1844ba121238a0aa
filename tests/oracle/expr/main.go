// Command expr is what conditions are compared with: expr-lang's own engine, asked the way Argo Rollouts asks it.
//
//	expr eval                 one case a line on stdin, one answer a line on stdout
//	expr generate COUNT SEED  that many cases, the same for the same seed
//
// A case is {"id", "condition", "result", "ints"}, an answer {"id", "value"} or {"id", "error", "text"}.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"strconv"
)

const maxLine = 16 << 20

type question struct {
	ID        any             `json:"id"`
	Condition string          `json:"condition"`
	Result    json.RawMessage `json:"result"`
	Ints      bool            `json:"ints,omitempty"`
}

type answer struct {
	ID    any    `json:"id"`
	Value *bool  `json:"value,omitempty"`
	Error string `json:"error,omitempty"` // what Argo Rollouts reports
	Text  string `json:"text,omitempty"`  // with line, column and source
}

func main() {
	if len(os.Args) == 2 && os.Args[1] == "eval" {
		answerAll()
		return
	}
	if len(os.Args) == 4 && os.Args[1] == "generate" {
		count, problem := strconv.Atoi(os.Args[2])
		seed, other := strconv.ParseInt(os.Args[3], 10, 64)
		if problem == nil && other == nil {
			generate(count, rand.New(rand.NewSource(seed)))
			return
		}
	}
	fmt.Fprintln(os.Stderr, "usage: expr eval | expr generate COUNT SEED")
	os.Exit(64)
}

func answerAll() {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, maxLine)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for in.Scan() {
		var asked question
		if problem := json.Unmarshal(in.Bytes(), &asked); problem != nil {
			fmt.Fprintln(os.Stderr, problem)
			os.Exit(3)
		}
		given := answer{ID: asked.ID}
		value, problem, text := evaluate(asked)
		if problem == "" {
			given.Value = &value
		} else {
			given.Error, given.Text = problem, text
		}
		if problem := encoder.Encode(given); problem != nil {
			fmt.Fprintln(os.Stderr, problem)
			os.Exit(3)
		}
	}
}
