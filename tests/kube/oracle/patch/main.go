// Command patch writes cases for the tests of src/api: inputs, and what Kubernetes' own libraries make of them.
//
//	go run ./oracle/patch ../../src/api/testdata [SEED]
//
// Cases are drawn from a seed, 7 for the files that are checked in, so a second run writes the same files.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"strconv"
)

type object = map[string]any

func main() {
	seed := int64(7)
	if len(os.Args) < 2 || len(os.Args) > 3 {
		fmt.Fprintln(os.Stderr, "usage: patch FOLDER [SEED]")
		os.Exit(2)
	}
	if len(os.Args) == 3 {
		seed = must1(strconv.ParseInt(os.Args[2], 10, 64))
	}
	for name, cases := range map[string]func(*rand.Rand) []object{
		"json_patch":      jsonPatchCases,
		"merge_patch":     mergePatchCases,
		"strategic_patch": strategicCases,
		"managed_fields":  managedCases,
		"selectors":       selectorCases,
	} {
		write(filepath.Join(os.Args[1], name+".json"), cases(rand.New(rand.NewSource(seed))))
	}
}

// One case a line: differences stay readable.
func write(path string, cases []object) {
	var out bytes.Buffer
	out.WriteString("[\n")
	for i, one := range cases {
		line, err := json.Marshal(one)
		must(err)
		out.Write(line)
		if i+1 < len(cases) {
			out.WriteByte(',')
		}
		out.WriteByte('\n')
	}
	out.WriteString("]\n")
	must(os.WriteFile(path, out.Bytes(), 0o644))
	fmt.Printf("%s: %d cases\n", filepath.Base(path), len(cases))
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func decode(text []byte) any {
	var value any
	must(json.Unmarshal(text, &value))
	return value
}

func copyOf(value object) object {
	text, err := json.Marshal(value)
	must(err)
	return decode(text).(object)
}

// guarded runs what may panic upstream (nil dereferences in old libraries) and drops the case when it does.
func guarded(run func() object) (result object) {
	defer func() {
		if recover() != nil {
			result = nil
		}
	}()
	return run()
}
