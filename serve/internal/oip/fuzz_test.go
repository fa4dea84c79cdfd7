package oip

import (
	"math"
	"testing"

	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// FuzzRequest: whatever is sent is a request whose tensors have as many elements as their shapes
// say, or an error.
func FuzzRequest(f *testing.F) {
	for _, body := range []string{
		`{"inputs":[{"name":"a","datatype":"FP64","shape":[2],"data":[1,NaN]}],"outputs":[{"name":"mean"}]}`,
		`{"inputs":[{"name":"x","datatype":"INT8","shape":[1,2],"data":[[1,-2.0]]}]}`,
		`{"inputs":[{"name":"b","datatype":"BYTES","shape":[3],"data":["\u00e9",null,"\"["]}]}`,
		`{"inputs":[{"name":"c","datatype":"BOOL","shape":[2],"parameters":{"binary_data_size":2}}]}` +
			"\x00\x01",
		`{"inputs":[{"name":"t","datatype":"BYTES","shape":[1],"parameters":{"binary_data_size":5}}]}` +
			"\x01\x00\x00\x00x",
	} {
		f.Add([]byte(body), len(body))
		f.Add([]byte(body), len(body)-2)
		f.Add([]byte(body), len(body)-5)
	}
	f.Fuzz(func(t *testing.T, body []byte, header int) {
		r, err := ParseRequest(body, header, free)
		if err != nil {
			if _, ok := err.(*Error); !ok {
				t.Errorf("%T: %v", err, err)
			}
			return
		}
		for _, in := range r.Inputs {
			if n, err := count(in.Name, in.Shape); err != nil || n != in.Elements.Len() {
				t.Errorf("%d elements of shape %v: %v", in.Elements.Len(), in.Shape, err)
			}
		}
		if record, err := Record(r.Inputs, []string{"a", "x"}); err == nil && record.NumCols() == 0 {
			t.Error("a table without columns")
		}
	})
}

// What is written reads back: numbers to the last bit, others as null.
func TestAppendJSON(t *testing.T) {
	b := array.NewFloat64Builder(memory.DefaultAllocator)
	values := []float64{0, math.Copysign(0, -1), 1.0 / 3, 1e-310, math.MaxFloat64, math.NaN(),
		math.Inf(-1)}
	b.AppendValues(values, nil)
	const want = "0,-0,0.3333333333333333,1e-310,1.7976931348623157e+308,null,null"
	if got := string(appendJSON(nil, b.NewArray())); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// Bare words of Python become JSON, and texts stay.
func TestPlain(t *testing.T) {
	for text, want := range map[string]string{
		`[NaN,-Infinity,"NaN \" Infinity"]`: `[null,-1e999,"NaN \" Infinity"]`, `["NaN`: `["NaN`,
		`{"NaN":NaN}`: `{"NaN":null}`, `"\`: `"\`, ``: ``, `NaN"\\"NaN`: `null"\\"null`,
	} {
		if got := string(plain([]byte(text))); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// free is memory without a limit.
func free(int64) error { return nil }

// Whole numbers keep their sign and have the bytes of their datatype, and are counted as they are
// held.
func TestWholeNumbers(t *testing.T) {
	var taken int64
	b, err := NewBuilder("n", "INT16", []int64{2}, func(bytes int64) error {
		taken += bytes
		return nil
	})
	if err != nil || taken != 2*16 {
		t.Fatalf("%d bytes, %v", taken, err)
	}
	b.Binary([]byte{0xfe, 0xff, 3, 0})
	if made, err := b.Tensor(); err != nil || made.Elements.String() != "[-2 3]" {
		t.Errorf("%v, %v", made.Elements, err)
	}
	for _, v := range []int64{-129, 128} {
		b, _ := NewBuilder("n", "INT8", []int64{1}, free)
		b.Int(v)
		if _, err := b.Tensor(); err == nil {
			t.Errorf("%d is an INT8", v)
		}
	}
}

// A number that FP32 does not hold is refused instead of rounded.
func TestNarrowNumbers(t *testing.T) {
	for v, fits := range map[float64]bool{0.5: true, 0.1: false, 1e300: false,
		float64(float32(0.1)): true, math.NaN(): true, math.Inf(1): true} {
		b, _ := NewBuilder("n", "FP32", []int64{1}, free)
		b.Float(v)
		if _, err := b.Tensor(); (err == nil) != fits {
			t.Errorf("%v as FP32: %v", v, err)
		}
	}
}
