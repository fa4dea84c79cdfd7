package oip

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
)

// infinity stands for Infinity in plain JSON: it is read as infinite, and written by nobody else.
const infinity = "1e999"

// Plain turns what Python writes for numbers that JSON does not have into JSON: NaN into null,
// Infinity into a number that is too large. Texts stay as they are.
func Plain(data []byte) []byte {
	if !bytes.Contains(data, []byte("NaN")) && !bytes.Contains(data, []byte("Infinity")) {
		return data
	}
	out := make([]byte, 0, len(data)+len(data)/8)
	for i := 0; i < len(data); {
		rest := data[i:]
		switch {
		case rest[0] == '"':
			n := textLength(rest)
			out = append(out, rest[:n]...)
			i += n
		case bytes.HasPrefix(rest, []byte("NaN")):
			out = append(out, "null"...)
			i += len("NaN")
		case bytes.HasPrefix(rest, []byte("Infinity")):
			out = append(out, infinity...)
			i += len("Infinity")
		default:
			out = append(out, rest[0])
			i++
		}
	}
	return out
}

// textLength is the length of the JSON text at the beginning of data, with its quotes.
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

// Token is the text, number, word or bracket at the beginning of valid JSON.
func Token(data []byte) []byte {
	switch data[0] {
	case '"':
		return data[:textLength(data)]
	case '{', '}', ':':
		return data[:1]
	}
	if end := bytes.IndexAny(data, ",]} \t\r\n"); end >= 0 {
		return data[:end]
	}
	return data
}

// appendToken appends an element and reports whether it is of the type of the builder.
func appendToken(builder array.Builder, token []byte) bool {
	if string(token) == "null" {
		builder.AppendNull()
		return true
	}
	switch b := builder.(type) {
	case *array.StringBuilder:
		return appendString(b, token)
	case *array.BooleanBuilder:
		text := whole(string(token))
		b.Append(text == "true" || text == "1")
		return slices.Contains([]string{"true", "false", "0", "1"}, text)
	case *array.Float64Builder:
		v, ok := float(token, 64)
		b.Append(v)
		return ok
	case *array.Float32Builder:
		v, ok := float(token, 32)
		b.Append(float32(v))
		return ok
	}
	return appendInteger(builder, whole(string(token)))
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

// appendString appends a text; the empty text is a missing value. A number stands for its text,
// because clients that know no types send numbers.
func appendString(b *array.StringBuilder, token []byte) bool {
	text := string(token)
	if token[0] == '"' {
		if json.Unmarshal(token, &text) != nil {
			return false
		}
	} else if _, err := strconv.ParseFloat(text, 64); err != nil {
		return false
	}
	if text == "" {
		b.AppendNull()
	} else {
		b.Append(text)
	}
	return true
}

// float reads a number of so many bits.
func float(token []byte, bits int) (float64, bool) {
	v, err := strconv.ParseFloat(string(token), bits)
	if text := string(token); text == infinity || text == "-"+infinity {
		return v, true
	}
	return v, err == nil && !math.IsNaN(v) && !math.IsInf(v, 0)
}

// appendInteger appends an integer and reports whether it fits.
func appendInteger(builder array.Builder, token string) bool {
	bits := builder.Type().(arrow.FixedWidthDataType).BitWidth()
	signed, err := strconv.ParseInt(token, 10, bits)
	unsigned, other := strconv.ParseUint(token, 10, bits)
	switch b := builder.(type) {
	case *array.Int8Builder:
		b.Append(int8(signed))
	case *array.Int16Builder:
		b.Append(int16(signed))
	case *array.Int32Builder:
		b.Append(int32(signed))
	case *array.Int64Builder:
		b.Append(signed)
	case *array.Uint8Builder:
		b.Append(uint8(unsigned))
		err = other
	case *array.Uint16Builder:
		b.Append(uint16(unsigned))
		err = other
	case *array.Uint32Builder:
		b.Append(uint32(unsigned))
		err = other
	case *array.Uint64Builder:
		b.Append(unsigned)
		err = other
	}
	return err == nil
}

// AppendJSON appends the elements of an array, separated by commas: of the types that a response
// has. Numbers that JSON does not have are null, all others read back to the same bits.
func AppendJSON(data []byte, elements arrow.Array) []byte {
	for i := range elements.Len() {
		if i > 0 {
			data = append(data, ',')
		}
		switch a := elements.(type) {
		case *array.Float64:
			if v := a.Value(i); v-v != 0 { // of NaN and infinities it is NaN
				data = append(data, "null"...)
			} else {
				data = strconv.AppendFloat(data, v, 'g', -1, 64)
			}
		case *array.Int64:
			data = strconv.AppendInt(data, a.Value(i), 10)
		case *array.Boolean:
			data = strconv.AppendBool(data, a.Value(i))
		case *array.String:
			text, _ := json.Marshal(a.Value(i)) // a string has its JSON
			data = append(data, text...)
		}
	}
	return data
}
