package oip

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/apache/arrow-go/v18/arrow/array"
)

// infinity stands for Infinity in plain JSON: it is read as infinite, and written by nobody else.
const infinity = "1e999"

// plain turns what Python writes for numbers that JSON does not have into JSON: NaN into null,
// Infinity into a number that is too large. Texts stay as they are.
func plain(data []byte) []byte {
	if !bytes.Contains(data, []byte("NaN")) && !bytes.Contains(data, []byte("Infinity")) {
		return data
	}
	out := make([]byte, 0, len(data)+len(data)/8)
	for len(data) > 0 {
		n := 1
		switch {
		case data[0] == '"':
			n = textLength(data)
			out = append(out, data[:n]...)
		case bytes.HasPrefix(data, []byte("NaN")):
			n = len("NaN")
			out = append(out, "null"...)
		case bytes.HasPrefix(data, []byte("Infinity")):
			n = len("Infinity")
			out = append(out, infinity...)
		default:
			out = append(out, data[0])
		}
		data = data[n:]
	}
	return out
}

// textLength is the length of the text at the beginning of JSON, with its quotes.
func textLength(data []byte) int {
	for i := 1; i < len(data); i++ {
		switch data[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(data)
}

// space is what may stand between elements.
const space = ", \t\r\n"

// JSON appends all elements of valid JSON: in one list, row by row, or nested exactly as the shape
// says. Any other nesting contradicts the shape, and its elements may belong elsewhere.
func (b *Builder) JSON(data []byte) {
	if data = bytes.TrimLeft(data, space); len(data) == 0 || data[0] != '[' {
		b.fail("input %q has no list of data", b.tensor.Name)
		return
	}
	if bytes.TrimLeft(data[1:], space)[0] == '[' {
		b.list(data, b.tensor.Shape)
	} else {
		b.list(data, nil)
	}
}

// list reads the list at the beginning of data, which has these dimensions, or none where all
// elements are in one list. It returns what follows.
func (b *Builder) list(data []byte, dims []int64) []byte {
	data = bytes.TrimLeft(data[1:], space)
	items := int64(0)
	for ; b.err == nil && data[0] != ']'; items++ {
		switch nested := data[0] == '['; {
		case nested && len(dims) > 1:
			data = b.list(data, dims[1:])
		case nested || len(dims) > 1:
			b.contradict()
		default:
			token := tokenOf(data)
			b.token(string(token))
			data = data[len(token):]
		}
		data = bytes.TrimLeft(data, space)
	}
	if len(dims) > 0 && items != dims[0] {
		b.contradict()
	}
	if b.err != nil {
		return nil
	}
	return data[1:]
}

// contradict reports lists that are not those of the shape.
func (b *Builder) contradict() {
	b.fail("the nested lists of input %q contradict its shape %v: send the elements in one list, row "+
		"by row, or nest them exactly like the shape", b.tensor.Name, b.tensor.Shape)
}

// tokenOf is the text, number or word at the beginning of valid JSON.
func tokenOf(data []byte) []byte {
	if data[0] == '"' {
		return data[:textLength(data)]
	}
	if end := bytes.IndexAny(data, ",]} \t\r\n"); end > 0 {
		return data[:end]
	}
	return data[:1]
}

// token appends an element.
func (b *Builder) token(token string) {
	if token == "null" {
		b.Missing()
		return
	}
	bits := 8 * b.format.size
	switch b.elements.(type) {
	case *array.StringBuilder:
		b.textToken(token)
	case *array.BooleanBuilder:
		text := whole(token)
		if slices.Contains([]string{"true", "false", "0", "1"}, text) {
			b.Bool(text == "true" || text == "1")
			return
		}
		b.takes(false)
	case *array.Int64Builder:
		if v, err := strconv.ParseInt(whole(token), 10, bits); b.takes(err == nil) {
			b.Int(v)
		}
	case *array.Uint64Builder:
		if v, err := strconv.ParseUint(whole(token), 10, bits); b.takes(err == nil) {
			b.Uint(v)
		}
	default:
		v, err := strconv.ParseFloat(token, bits)
		finite := err == nil && !math.IsNaN(v) && !math.IsInf(v, 0)
		if b.takes(finite || token == infinity || token == "-"+infinity) {
			b.Float(v)
		}
	}
}

// whole is the text of a number without a fraction of zero, such as 3 for 3.0, which clients send
// that know no types; other texts stay.
func whole(token string) string {
	const exact = 1 << 53
	if v, err := strconv.ParseFloat(token, 64); err == nil && strings.ContainsAny(token, ".eE") &&
		v == math.Trunc(v) && math.Abs(v) <= exact {
		return strconv.FormatFloat(v+0, 'f', -1, 64) // and -0 is 0
	}
	return token
}

// textToken appends a text. A number stands for its text, because clients that know no types send
// numbers.
func (b *Builder) textToken(token string) {
	text := token
	var err error
	if token[0] == '"' {
		err = json.Unmarshal([]byte(token), &text)
	} else {
		_, err = strconv.ParseFloat(token, 64)
	}
	if b.takes(err == nil) {
		b.Text([]byte(text))
	}
}
