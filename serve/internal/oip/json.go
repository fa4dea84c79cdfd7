package oip

import (
	"bytes"
	"encoding/json"
	"math"
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

// JSON appends all elements of valid JSON: in one list, row by row, or nested exactly as the shape
// says. Any other nesting contradicts the shape, and its elements may belong elsewhere.
func (b *Builder) JSON(data []byte) {
	data = bytes.TrimSpace(data)
	if len(data) == 0 || data[0] != '[' {
		b.fail("input %q has no list of data", b.tensor.Name)
		return
	}
	var dims []int64 // none where all elements are in one list
	if bytes.TrimSpace(data[1:])[0] == '[' {
		dims = b.tensor.Shape
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	_, _ = d.Token() // the JSON is valid
	b.list(d, dims)
}

// list reads a list of these dimensions after its bracket.
func (b *Builder) list(d *json.Decoder, dims []int64) {
	items := int64(0)
	for ; b.err == nil && d.More(); items++ {
		token, _ := d.Token()
		switch nested := token == json.Delim('['); {
		case nested && len(dims) > 1:
			b.list(d, dims[1:])
		case nested || len(dims) > 1:
			b.contradict()
		default:
			b.token(token)
		}
	}
	if len(dims) > 0 && items != dims[0] {
		b.contradict()
	}
	_, _ = d.Token()
}

// contradict reports lists that are not those of the shape.
func (b *Builder) contradict() {
	b.fail("the nested lists of input %q contradict its shape %v: send the elements in one list, row "+
		"by row, or nest them exactly like the shape", b.tensor.Name, b.tensor.Shape)
}

func (b *Builder) token(token json.Token) {
	switch v := token.(type) {
	case nil:
		if b.takes(true) {
			b.elements.AppendNull()
		}
	case json.Number:
		b.number(v.String())
	case bool:
		b.Bool(v)
	case string:
		b.Text([]byte(v))
	default:
		b.takes(false)
	}
}

// number appends a number. In a tensor of texts it stands for its text, because clients that know
// no types send numbers.
func (b *Builder) number(text string) {
	bits := 8 * b.format.size
	switch b.elements.(type) {
	case *array.StringBuilder:
		b.Text([]byte(text))
	case *array.BooleanBuilder:
		if text = whole(text); b.takes(text == "0" || text == "1") {
			b.Bool(text == "1")
		}
	case *array.Int64Builder:
		if v, err := strconv.ParseInt(whole(text), 10, bits); b.takes(err == nil) {
			b.Int(v)
		}
	case *array.Uint64Builder:
		if v, err := strconv.ParseUint(whole(text), 10, bits); b.takes(err == nil) {
			b.Uint(v)
		}
	default:
		v, err := strconv.ParseFloat(text, bits)
		if b.takes(err == nil || text == infinity || text == "-"+infinity) {
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
