package main

import (
	"reflect"
	"strings"
)

// field is one JSON field as encoding/json sees it, with what its schema adds.
type field struct {
	json          string
	goType        reflect.Type
	omitempty     bool
	omitzero      bool
	patchStrategy string
	patchMergeKey string
	proto         string // field numbers of its protobuf form, from the outermost message in; empty without one
	required      bool
	zeroDefault   bool // openapi-gen states the zero value as the default of fields that are always written
}

// fieldsOf lists the JSON fields of a struct in Go's order, embedded structs in their place.
func fieldsOf(t reflect.Type) []field {
	return fieldsWithin(t, "", true)
}

// fieldsWithin lists the fields of a struct that is, in protobuf, the message at a path of field numbers, or none.
func fieldsWithin(t reflect.Type, path string, message bool) []field {
	var fields []field
	for i := range t.NumField() {
		member := t.Field(i)
		name, options, _ := strings.Cut(member.Tag.Get("json"), ",")
		if name == "-" || !member.IsExported() && !member.Anonymous {
			continue
		}
		proto := ""
		if number := protoNumber(member.Tag); message && number != "" {
			proto = path + number
		}
		if member.Anonymous && name == "" {
			fields = append(fields, fieldsWithin(pointee(member.Type), proto+".", proto != "")...)
			continue
		}
		if name == "" {
			name = member.Name
		}
		fields = append(fields, field{
			json:          name,
			goType:        member.Type,
			omitempty:     hasOption(options, "omitempty"),
			omitzero:      hasOption(options, "omitzero"),
			patchStrategy: member.Tag.Get("patchStrategy"),
			patchMergeKey: member.Tag.Get("patchMergeKey"),
			proto:         proto,
		})
	}
	return fields
}

// protoNumber reads 3 from `protobuf:"bytes,3,opt,name=spec"`.
func protoNumber(tag reflect.StructTag) string {
	parts := strings.Split(tag.Get("protobuf"), ",")
	if len(parts) < 2 {
		return ""
	}
	return parts[1]
}

func pointee(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Pointer {
		return t.Elem()
	}
	return t
}

func hasOption(options, option string) bool {
	for _, have := range strings.Split(options, ",") {
		if have == option {
			return true
		}
	}
	return false
}
