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
	required      bool
	zeroDefault   bool // openapi-gen states the zero value as the default of fields that are always written
}

// fieldsOf lists the JSON fields of a struct in Go's order, embedded structs in their place.
func fieldsOf(t reflect.Type) []field {
	var fields []field
	for i := range t.NumField() {
		member := t.Field(i)
		name, options, _ := strings.Cut(member.Tag.Get("json"), ",")
		if name == "-" || !member.IsExported() && !member.Anonymous {
			continue
		}
		if member.Anonymous && name == "" {
			fields = append(fields, fieldsOf(pointee(member.Type))...)
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
		})
	}
	return fields
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
