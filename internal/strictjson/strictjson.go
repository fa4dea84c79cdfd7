// Package strictjson decodes JSON strictly: every field must be present, and no other.
package strictjson

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// Decode fills v, a pointer to a struct, from JSON in which every object has exactly the fields of
// its struct: none unknown, none missing, none twice, spelled as in the json tags. Only a field
// marked omitempty may be missing; no field may be null.
func Decode(data []byte, v any) error {
	var valid json.RawMessage
	if err := json.Unmarshal(data, &valid); err != nil {
		return faultOf(data, err)
	}
	if err := checkDuplicates(data); err != nil {
		return err
	}
	if err := checkFields(data, reflect.TypeOf(v).Elem(), ""); err != nil {
		return err
	}
	return Worded(json.Unmarshal(data, v))
}

// faultOf returns where a text is not JSON.
func faultOf(data []byte, err error) error {
	fault, ok := errors.AsType[*json.SyntaxError](err)
	if !ok {
		return Worded(err)
	}
	before := data[:min(max(int(fault.Offset)-1, 0), len(data))]
	if strings.HasPrefix(fault.Error(), "unexpected end") {
		return errors.New("the JSON is cut short")
	}
	return fmt.Errorf("the JSON is invalid from byte %d of line %d on",
		len(before)-bytes.LastIndexByte(before, '\n'), 1+bytes.Count(before, []byte("\n")))
}

// kinds are the names of Go's kinds of values in terms of JSON.
var kinds = map[reflect.Kind]string{
	reflect.Bool: "true or false", reflect.String: "a text", reflect.Slice: "a list",
	reflect.Float32: "a number", reflect.Float64: "a number",
	reflect.Struct: "an object", reflect.Map: "an object",
}

// values are our names of package json's kinds of values.
var values = map[string]string{"string": "a text", "bool": "true or false", "array": "a list",
	"object": "an object"}

// Worded rewrites an error of package json: it names the value's kind and the expected kind in
// terms of JSON, or the unknown field.
func Worded(err error) error { return wordedAt("", err) }

// wordedAt is Worded for a value inside the field path.
func wordedAt(path string, err error) error {
	wrong, ok := errors.AsType[*json.UnmarshalTypeError](err)
	if err != nil && !ok {
		if fault, syntax := errors.AsType[*json.SyntaxError](err); syntax {
			return fmt.Errorf("the JSON is invalid from byte %d on", fault.Offset)
		}
		if name, unknown := strings.CutPrefix(err.Error(), "json: "); unknown {
			return errors.New(name)
		}
	}
	if !ok {
		return err
	}
	want := cmp.Or(kinds[wrong.Type.Kind()], "a whole number in its range") // integers have several
	is := cmp.Or(values[wrong.Value], "a "+wrong.Value)                     // of a number, it follows
	field := strings.Trim(path+"."+wrong.Field, ".")
	if field == "" {
		return fmt.Errorf("it is %s, not %s", is, want)
	}
	return fmt.Errorf("the field %q is %s, not %s", field, is, want)
}

// checkDuplicates refuses objects that repeat a field in valid JSON.
func checkDuplicates(data []byte) error {
	type frame struct {
		seen map[string]bool // nil for arrays
		key  bool            // the next string is a field name
	}
	var stack []frame
	dec := json.NewDecoder(bytes.NewReader(data))
	for {
		token, err := dec.Token()
		if err == io.EOF && len(stack) == 0 {
			return nil
		}
		if err != nil {
			return err
		}
		top := len(stack) - 1
		if name, ok := token.(string); ok && top >= 0 && stack[top].key {
			if stack[top].seen[name] {
				return fmt.Errorf("the field %q appears twice", name)
			}
			stack[top].seen[name] = true
			stack[top].key = false
			continue
		}
		switch token {
		case json.Delim('{'):
			stack = append(stack, frame{seen: map[string]bool{}, key: true})
			continue
		case json.Delim('['):
			stack = append(stack, frame{})
			continue
		case json.Delim('}'), json.Delim(']'):
			stack = stack[:top]
			top--
		}
		if top >= 0 {
			stack[top].key = stack[top].seen != nil
		}
	}
}

// checkFields compares the objects in data with their struct types.
func checkFields(data json.RawMessage, t reflect.Type, path string) error {
	switch kind := t.Kind(); {
	case kind == reflect.Pointer:
		return checkFields(data, t.Elem(), path)
	case kind == reflect.Struct:
		return checkObject(data, t, path)
	case kind != reflect.Map && kind != reflect.Slice, t.Elem().Kind() != reflect.Struct:
	case kind == reflect.Map:
		var items map[string]json.RawMessage
		if err := json.Unmarshal(data, &items); err != nil {
			return wordedAt(path, err)
		}
		for _, name := range slices.Sorted(maps.Keys(items)) {
			if err := checkFields(items[name], t.Elem(), path+"."+name); err != nil {
				return err
			}
		}
	default:
		var items []json.RawMessage
		if err := json.Unmarshal(data, &items); err != nil {
			return wordedAt(path, err)
		}
		for i, item := range items {
			if err := checkFields(item, t.Elem(), fmt.Sprintf("%s[%d]", path, i)); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkObject compares the names of one object with the json tags of one struct.
func checkObject(data json.RawMessage, t reflect.Type, path string) error {
	var object map[string]json.RawMessage
	if err := json.Unmarshal(data, &object); err != nil || object == nil {
		if path == "" {
			return errors.New("it is not an object")
		}
		return fmt.Errorf("the field %q is not an object", path)
	}
	prefix := strings.TrimPrefix(path+".", ".")
	for _, field := range reflect.VisibleFields(t) {
		name, option, _ := strings.Cut(field.Tag.Get("json"), ",")
		if field.Anonymous || name == "-" { // its fields follow, or it is not in the file
			continue
		}
		value, ok := object[name]
		switch {
		case !ok && option == "omitempty":
			continue
		case !ok:
			return fmt.Errorf("the field %q is missing", prefix+name)
		case bytes.Equal(value, []byte("null")):
			return fmt.Errorf("the field %q is null", prefix+name)
		}
		if err := checkFields(value, field.Type, prefix+name); err != nil {
			return err
		}
		delete(object, name)
	}
	if len(object) > 0 {
		names := strings.Join(slices.Sorted(maps.Keys(object)), ", ")
		return fmt.Errorf("unknown field %s%s", prefix, names)
	}
	return nil
}
