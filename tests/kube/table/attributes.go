package main

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"
)

// Formats that the table's type words already say.
var impliedFormats = map[string]bool{
	"": true, "int32": true, "int64": true, "double": true, "byte": true, "date-time": true, "int-or-string": true,
}

func renderAttributes(f field, schema *spec.Schema) string {
	var out strings.Builder
	flag := func(name string, on bool) {
		if on {
			out.WriteString(" " + name)
		}
	}
	value := func(name, text string) { flag(name+"="+text, text != "") }

	flag("required", f.required)
	flag("omitempty", f.omitempty)
	flag("omitzero", f.omitzero)
	flag("pointer", f.goType.Kind() == reflect.Pointer)
	value("proto", f.proto)
	value("patch", f.patchStrategy)
	value("key", f.patchMergeKey)
	value("list", extension(schema, "x-kubernetes-list-type"))
	value("keys", extension(schema, "x-kubernetes-list-map-keys"))
	out.WriteString(mapTypeOf(schema))
	value("default", renderDefault(f, schema))
	renderLimits(&out, "", schema)
	if items := itemsOf(schema); items != nil {
		renderLimits(&out, "items.", items)
	}
	if values := valuesOf(schema); values != nil {
		renderLimits(&out, "values.", values)
	}
	return out.String()
}

func renderLimits(out *strings.Builder, prefix string, schema *spec.Schema) {
	if len(schema.Enum) > 0 {
		fmt.Fprintf(out, " %senum=%s", prefix, renderEnum(schema.Enum))
	}
	if schema.Pattern != "" {
		fmt.Fprintf(out, " %spattern=%s", prefix, compactJSON(schema.Pattern))
	}
	number := func(name string, limit *float64) {
		if limit != nil {
			fmt.Fprintf(out, " %s%s=%s", prefix, name, strconv.FormatFloat(*limit, 'f', -1, 64))
		}
	}
	count := func(name string, limit *int64) {
		if limit != nil {
			fmt.Fprintf(out, " %s%s=%d", prefix, name, *limit)
		}
	}
	number("min", schema.Minimum)
	number("max", schema.Maximum)
	count("minLength", schema.MinLength)
	count("maxLength", schema.MaxLength)
	count("minItems", schema.MinItems)
	count("maxItems", schema.MaxItems)
	count("minProperties", schema.MinProperties)
	count("maxProperties", schema.MaxProperties)
	if !impliedFormats[schema.Format] {
		fmt.Fprintf(out, " %sformat=%s", prefix, schema.Format)
	}
}

func renderEnum(values []any) string {
	texts := make([]string, len(values))
	for i, value := range values {
		texts[i] = fmt.Sprint(value)
	}
	return strings.Join(texts, "|")
}

// renderDefault leaves out the default that openapi-gen gives every field Go always writes: the reader can tell it.
func renderDefault(f field, schema *spec.Schema) string {
	if schema.Default == nil {
		return ""
	}
	text := compactJSON(schema.Default)
	always := f.goType.Kind() == reflect.Struct || f.goType.Kind() != reflect.Pointer && !f.omitempty
	if f.zeroDefault && always && (text == `""` || text == "0" || text == "false" || text == "{}") {
		return ""
	}
	return text
}

// compactJSON writes a value as one word: blanks can only be inside strings, where they may be escaped.
func compactJSON(value any) string {
	var out strings.Builder
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic(err)
	}
	return strings.ReplaceAll(strings.TrimSuffix(out.String(), "\n"), " ", `\u0020`)
}

func mapTypeOf(schema *spec.Schema) string {
	if text := extension(schema, "x-kubernetes-map-type"); text != "" {
		return " map=" + text
	}
	return ""
}

func extension(schema *spec.Schema, name string) string {
	switch value := schema.Extensions[name].(type) {
	case nil:
		return ""
	case []any:
		return strings.Trim(strings.ReplaceAll(fmt.Sprint(value), " ", ","), "[]")
	default:
		return fmt.Sprint(value)
	}
}

func itemsOf(schema *spec.Schema) *spec.Schema {
	if schema == nil || schema.Items == nil {
		return nil
	}
	return schema.Items.Schema
}

func valuesOf(schema *spec.Schema) *spec.Schema {
	if schema == nil || schema.AdditionalProperties == nil {
		return nil
	}
	return schema.AdditionalProperties.Schema
}
