package strictjson

import (
	"encoding/json"
	"testing"

	"github.com/pfnamp/pfnamp/internal/must"
)

// outer has every shape of field that is compared.
type outer struct {
	A int              `json:"a"`
	B *inner           `json:"b,omitempty"`
	C []inner          `json:"c"`
	D map[string]inner `json:"d"`
}

type inner struct {
	X string `json:"x"`
}

func TestDecode(t *testing.T) {
	var v outer
	full := `{"a":1,"b":{"x":"y"},"c":[{"x":""}],"d":{"k":{"x":"z"}}}`
	if err := Decode([]byte(full), &v); err != nil || v.B.X != "y" || v.D["k"].X != "z" {
		t.Errorf("%+v, %v", v, err)
	}
	must.Succeed(t, Decode([]byte(`{"a":1,"c":[],"d":{}}`), &v))
	for data, want := range map[string]string{
		`{"a":1,"c":[],"d":{}} {}`:         "the JSON is invalid from byte 23 of line 1 on",
		"{\"a\":1,\n\"c\n\":[]}":           "the JSON is invalid from byte 3 of line 2 on",
		`{"a":1,`:                          "the JSON is cut short",
		`{"a":1,"c":[]}`:                   `field "d" is missing`,
		`{"a":1,"c":[],"d":{},"e":2}`:      "unknown field e",
		`{"A":1,"a":1,"c":[],"d":{}}`:      "unknown field A",
		`{"a":1,"a":2,"c":[],"d":{}}`:      `field "a" appears twice`,
		`{"a":null,"c":[],"d":{}}`:         `field "a" is null`,
		`{"a":1,"b":null,"c":[],"d":{}}`:   `field "b" is null`,
		`{"a":1,"b":{},"c":[],"d":{}}`:     `field "b.x" is missing`,
		`{"a":1,"c":[{"y":1}],"d":{}}`:     `field "c[0].x" is missing`,
		`{"a":1,"c":[],"d":{"k":{"w":1}}}`: `field "d.k.x" is missing`,
		`{"a":"1","c":[],"d":{}}`:          `field "a" is a text, not a whole number`,
		`{"a":1.5,"c":[],"d":{}}`:          `field "a" is a number 1.5, not a whole number`,
		`{"a":1,"c":[{"x":true}],"d":{}}`:  `field "c.x" is true or false, not a text`,
		`{"a":1,"c":{},"d":{}}`:            `field "c"`,
		`{"a":1,"c":3,"d":{}}`:             `field "c" is a number, not a list`,
		`{"a":1,"c":[],"d":[]}`:            `field "d" is a list, not an object`,
		`[]`:                               `it is not an object`,
		`null`:                             `it is not an object`,
	} {
		must.Fail(t, data, Decode([]byte(data), &v), want)
	}
}

// Fields of a struct that is embedded are those of the struct that embeds it.
func TestDecodeEmbedded(t *testing.T) {
	var v struct {
		inner
		Y int `json:"y"`
	}
	if err := Decode([]byte(`{"x":"a","y":2}`), &v); err != nil || v.X != "a" || v.Y != 2 {
		t.Errorf("%+v, %v", v, err)
	}
	for data, want := range map[string]string{
		`{"y":2}`:                    `field "x" is missing`,
		`{"x":null,"y":2}`:           `field "x" is null`,
		`{"x":"a","y":2,"inner":{}}`: "unknown field inner",
	} {
		must.Fail(t, data, Decode([]byte(data), &v), want)
	}
}

// An error has the position of the fault even without the text.
func TestWordedSyntax(t *testing.T) {
	err := json.Unmarshal([]byte(`{"a":1,}`), &struct{}{})
	if got := Worded(err); got.Error() != "the JSON is invalid from byte 8 on" {
		t.Errorf("%v", got)
	}
}
