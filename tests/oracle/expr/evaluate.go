package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/file"
)

// The environment and functions are Argo Rollouts' (utils/evaluate), told again.

func evaluate(asked question) (value bool, problem, text string) {
	env := environment(readResult(asked))
	program, failure := expr.Compile(asked.Condition, expr.Env(env))
	var output any
	if failure == nil {
		output, failure = expr.Run(program, env)
	}
	if failure != nil {
		var located *file.Error
		if errors.As(failure, &located) {
			return false, located.Message, failure.Error()
		}
		return false, failure.Error(), failure.Error()
	}
	if boolean, ok := output.(bool); ok {
		return boolean, "", ""
	}
	problem = fmt.Sprintf("expected bool, but got %T", output)
	return false, problem, problem
}

func environment(result any) map[string]any {
	isNil := result == nil
	return map[string]any{
		"result":  result,
		"asInt":   asInt,
		"asFloat": asFloat,
		"isNaN":   math.IsNaN,
		"isInf":   func(f float64) bool { return math.IsInf(f, 0) },
		"isNil":   func(any) bool { return isNil },
		"default": func(_ any, otherwise any) any {
			if isNil {
				return otherwise
			}
			return result
		},
	}
}

func asInt(in any) int64 {
	if text, ok := in.(string); ok {
		number, problem := strconv.ParseInt(text, 10, 64)
		if problem != nil {
			panic(problem)
		}
		return number
	}
	switch value := reflect.ValueOf(in); {
	case !value.IsValid() || value.Type().PkgPath() != "":
	case value.CanInt():
		return value.Int()
	case value.CanUint():
		return int64(value.Uint())
	case value.CanFloat():
		return int64(value.Float())
	}
	panic(fmt.Sprintf("asInt() not supported on %v %v", reflect.TypeOf(in), in))
}

func asFloat(in any) float64 {
	if text, ok := in.(string); ok {
		number, problem := strconv.ParseFloat(text, 64)
		if problem != nil {
			panic(problem)
		}
		return number
	}
	switch value := reflect.ValueOf(in); {
	case !value.IsValid() || value.Type().PkgPath() != "":
	case value.CanInt():
		return float64(value.Int())
	case value.CanUint():
		return float64(value.Uint())
	case value.CanFloat():
		return value.Float()
	}
	panic(fmt.Sprintf("asFloat() not supported on %v %v", reflect.TypeOf(in), in))
}

// readResult gives the result the type a provider would give it: a list of nothing but numbers is []float64 (or []int),
// any other comes from JSON as []any.
func readResult(asked question) any {
	if len(asked.Result) == 0 {
		return nil
	}
	decoder := json.NewDecoder(bytes.NewReader(asked.Result))
	decoder.UseNumber()
	var raw any
	if problem := decoder.Decode(&raw); problem != nil {
		panic(problem)
	}
	result := typed(raw, asked.Ints)
	list, ok := result.([]any)
	if !ok {
		return result
	}
	if floats, ok := all[float64](list); ok {
		return floats
	}
	if ints, ok := all[int](list); ok {
		return ints
	}
	return list
}

func typed(raw any, ints bool) any {
	switch value := raw.(type) {
	case json.Number:
		if ints && !strings.ContainsAny(value.String(), ".eE") {
			if number, problem := strconv.Atoi(value.String()); problem == nil {
				return number
			}
		}
		number, _ := value.Float64()
		return number
	case string:
		// JSON has no such numbers; the generator writes them so, and the test tells slipway its own way.
		switch value {
		case "\x01NaN":
			return math.NaN()
		case "\x01+Inf":
			return math.Inf(1)
		case "\x01-Inf":
			return math.Inf(-1)
		}
		return value
	case []any:
		out := make([]any, len(value))
		for i, item := range value {
			out[i] = typed(item, ints)
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(value))
		for key, item := range value {
			out[key] = typed(item, ints)
		}
		return out
	}
	return raw
}

func all[T any](list []any) ([]T, bool) {
	out := make([]T, len(list))
	for i, item := range list {
		value, ok := item.(T)
		if !ok {
			return nil, false
		}
		out[i] = value
	}
	return out, true
}
