// Command table prints the compact table of built-in kinds that slipway checks in as src/api/schema/builtin.table.
//
// Names, order, omitempty, pointers and patch strategies come from the Go types; everything else (required, list
// types, defaults, enums, patterns) from their OpenAPI definitions or, for the Gateway API, from its CRDs.
// Run it in its folder: `go run . >../../../src/api/schema/builtin.table`. With -dump it prints how Go writes a Pod
// template down: `go run . -dump >../../../src/runtime/workloads/deployments/pod_template.table`.
package main

import (
	"bufio"
	"fmt"
	"os"
	"reflect"
	"sort"
)

func main() {
	work := run
	if len(os.Args) > 1 && os.Args[1] == "-dump" {
		work = printDump
	}
	if err := work(); err != nil {
		fmt.Fprintln(os.Stderr, "table:", err)
		os.Exit(1)
	}
}

func run() error {
	crds, err := loadGatewayCRDs()
	if err != nil {
		return err
	}
	collector := newCollector()
	for _, kind := range kinds {
		collector.visit(reflect.TypeOf(kind.object), crds[kind.name])
	}
	for _, object := range extraTypes {
		collector.visit(reflect.TypeOf(object), nil)
	}
	if err := collector.err(); err != nil {
		return err
	}
	header, err := renderHeader()
	if err != nil {
		return err
	}
	return print(header, collector.types)
}

func print(header string, types map[string][]string) error {
	out := bufio.NewWriter(os.Stdout)
	fmt.Fprint(out, header)
	for _, kind := range kinds {
		fmt.Fprintf(out, "kind %s %s %s\n", kind.apiVersion, kind.name, componentName(reflect.TypeOf(kind.object)))
	}
	names := make([]string, 0, len(types))
	for name := range types {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		for _, line := range types[name] {
			fmt.Fprintln(out, line)
		}
	}
	return out.Flush()
}
