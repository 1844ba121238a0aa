package main

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/kube-openapi/pkg/common"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"k8s.io/kubernetes/pkg/generated/openapi"
)

// Go types whose JSON form is not the one of their fields.
var words = map[reflect.Type]string{
	reflect.TypeOf(metav1.Time{}):                                  "time",
	reflect.TypeOf(metav1.MicroTime{}):                             "microTime",
	reflect.TypeOf(metav1.Duration{}):                              "string",
	reflect.TypeOf(metav1.FieldsV1{}):                              "any",
	reflect.TypeOf(resource.Quantity{}):                            "quantity",
	reflect.TypeOf(intstr.IntOrString{}):                           "intOrString",
	reflect.TypeOf(runtime.RawExtension{}):                         "any",
	reflect.TypeOf(apiextensionsv1.JSON{}):                         "any",
	reflect.TypeOf(apiextensionsv1.JSONSchemaPropsOrArray{}):       "any",
	reflect.TypeOf(apiextensionsv1.JSONSchemaPropsOrBool{}):        "any",
	reflect.TypeOf(apiextensionsv1.JSONSchemaPropsOrStringArray{}): "any",
}

var scalars = map[reflect.Kind]string{
	reflect.String:    "string",
	reflect.Bool:      "bool",
	reflect.Int:       "int64",
	reflect.Uint16:    "int32",
	reflect.Int32:     "int32",
	reflect.Int64:     "int64",
	reflect.Float64:   "double",
	reflect.Interface: "any",
}

// collector gathers the lines of every named type reachable from those visited.
type collector struct {
	definitions map[string]common.OpenAPIDefinition
	types       map[string][]string
	problems    []error
}

func newCollector() *collector {
	ref := func(path string) spec.Ref { return spec.MustCreateRef(path) }
	return &collector{definitions: openapi.GetOpenAPIDefinitions(ref), types: map[string][]string{}}
}

func (c *collector) err() error { return errors.Join(c.problems...) }

func (c *collector) problem(format string, args ...any) {
	c.problems = append(c.problems, fmt.Errorf(format, args...))
}

// visit renders one struct type. A type without an OpenAPI definition takes the schema of the place that uses it,
// and must have the same one everywhere.
func (c *collector) visit(t reflect.Type, inherited *spec.Schema) {
	name := componentName(t)
	definition, builtIn := c.definitions[t.PkgPath()+"."+t.Name()]
	if builtIn {
		if _, done := c.types[name]; done {
			return
		}
		inherited = &definition.Schema
		c.types[name] = nil // a recursive type meets itself
	}
	if inherited == nil {
		c.problem("%s: no schema", name)
		return
	}
	lines := []string{"type " + name + mapTypeOf(inherited)}
	for _, field := range fieldsOf(t) {
		schema, known := inherited.Properties[field.json]
		if !known {
			c.problem("%s.%s: not in the schema", name, field.json)
			continue
		}
		field.required = slices.Contains(inherited.Required, field.json)
		field.zeroDefault = builtIn
		lines = append(lines, " "+field.json+" "+c.typeOf(field.goType, &schema)+renderAttributes(field, &schema))
	}
	if before := c.types[name]; before != nil && !slices.Equal(before, lines) {
		c.problem("%s: two schemas\n%s\n%s", name, strings.Join(before, "\n"), strings.Join(lines, "\n"))
	}
	c.types[name] = lines
}

// typeOf returns the table's word for a type, and visits the struct types in it.
func (c *collector) typeOf(t reflect.Type, schema *spec.Schema) string {
	if word, ok := words[t]; ok {
		return word
	}
	switch t.Kind() {
	case reflect.Pointer:
		return c.typeOf(t.Elem(), schema)
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return "bytes"
		}
		return "[]" + c.typeOf(t.Elem(), itemsOf(schema))
	case reflect.Map:
		if t.Key().Kind() != reflect.String {
			c.problem("%s: a map whose keys are not strings", t)
		}
		return "map[]" + c.typeOf(t.Elem(), valuesOf(schema))
	case reflect.Struct:
		c.visit(t, schema)
		return componentName(t)
	}
	word, ok := scalars[t.Kind()]
	if !ok {
		c.problem("%s: no word for a %s", t, t.Kind())
	}
	return word
}

// componentName is the name of a Go type in Kubernetes' OpenAPI: the host of its import path reversed, dots between.
func componentName(t reflect.Type) string {
	parts := strings.Split(t.PkgPath(), "/")
	host := strings.Split(parts[0], ".")
	slices.Reverse(host)
	return strings.Join(append(append(host, parts[1:]...), t.Name()), ".")
}
