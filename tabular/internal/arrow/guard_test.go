package arrow

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// stream is an Arrow stream of two batches of three numbers and texts.
func stream(t testing.TB, options ...ipc.Option) []byte {
	s := arrow.NewSchema([]arrow.Field{{Name: "n", Type: arrow.PrimitiveTypes.Float64},
		{Name: "s", Type: arrow.BinaryTypes.String}}, nil)
	b := array.NewRecordBuilder(memory.DefaultAllocator, s)
	defer b.Release()
	b.Field(0).(*array.Float64Builder).AppendValues([]float64{1, 2, 3}, nil)
	b.Field(1).(*array.StringBuilder).AppendValues([]string{"a", "bb", ""}, nil)
	rec := b.NewRecordBatch()
	var out bytes.Buffer
	w := ipc.NewWriter(&out, append(options, ipc.WithSchema(s))...)
	if err := errors.Join(w.Write(rec), w.Write(rec), w.Close()); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// readMessages reads all messages and returns how many there are.
func readMessages(data []byte) (int, error) {
	m := &messages{r: bytes.NewReader(data), size: -1}
	for n := 0; ; n++ {
		if _, err := m.Message(); errors.Is(err, io.EOF) {
			return n, nil
		} else if err != nil {
			return n, err
		}
	}
}

func TestMessages(t *testing.T) {
	for name, option := range map[string]ipc.Option{"zstd": ipc.WithZstd(), "lz4": ipc.WithLZ4(),
		"plain": ipc.WithAllocator(memory.DefaultAllocator)} {
		data := stream(t, option)
		if n, err := readMessages(data); n != 3 || err != nil {
			t.Errorf("%s: %d messages, error %v", name, n, err)
		}
		for cut := 1; cut < len(data)-8; cut++ {
			n, err := readMessages(data[:cut])
			if n == 3 && err != nil || n < 3 && err == nil && cut > 8 && !between(data, cut) {
				t.Errorf("%s, cut at %d: %d messages, error %v", name, cut, n, err)
			}
		}
	}
}

// between tells whether a position is between two messages.
func between(data []byte, at int) bool {
	return binary.LittleEndian.Uint32(data[at:]) == continuation
}

func TestBudget(t *testing.T) {
	b := budget{left: 10}
	if n := len(b.Allocate(10)); n != 10 {
		t.Errorf("%d bytes instead of 10", n)
	}
	defer func() {
		if err, ok := recover().(error); !ok || !strings.Contains(err.Error(), "64 times") {
			t.Errorf("got %v", err)
		}
	}()
	b.Allocate(1)
}

func TestNewFileRefuses(t *testing.T) {
	tail := func(size uint32, end string) string {
		return string(binary.LittleEndian.AppendUint32([]byte("ARROW1\x00\x00junkjunk"), size)) + end
	}
	for file, want := range map[string]string{
		"ARROW1":            "too short",
		tail(8, "ARROW2"):   "cut off",
		tail(1e6, magic):    "footer has 1000000 bytes",
		tail(0, magic):      "footer has 0 bytes",
		tail(8, magic):      "",
		tail(1<<31, magic):  "footer has 2147483648 bytes",
		tail(7, "ARROW1\n"): "cut off",
	} {
		_, err := newFile(io.NewSectionReader(strings.NewReader(file), 0, int64(len(file))))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", file, err, want)
		}
	}
}

// TestArrays checks that an index outside its dictionary is found, in each dictionary anew.
func TestArrays(t *testing.T) {
	typ := &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8,
		ValueType: arrow.BinaryTypes.String}
	indexed := func(index int8) arrow.Array {
		values, _, err := array.FromJSON(memory.DefaultAllocator, typ.ValueType,
			strings.NewReader(`["a", "b"]`))
		if err != nil {
			t.Fatal(err)
		}
		data := array.NewData(typ.IndexType, 1, []*memory.Buffer{nil,
			memory.NewBufferBytes([]byte{byte(index)})}, nil, 0, 0)
		return array.NewDictionaryArray(typ, array.NewInt8Data(data), values)
	}
	c := Reader{dictionaries: map[int]arrow.ArrayData{}}
	for index, want := range map[int8]bool{0: true, 1: true, 2: false, -1: false} {
		if err := c.checkArray(indexed(index), 0); (err == nil) != want {
			t.Errorf("index %d of 2 values: error %v", index, err)
		}
	}
}

// FuzzMessages checks that no stream makes the reading of messages panic.
func FuzzMessages(f *testing.F) {
	f.Add(stream(f))
	f.Add(stream(f, ipc.WithZstd()))
	f.Add([]byte("\xff\xff\xff\xff\x08\x00\x00\x00\x04\x00\x00\x00\x00\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if n, err := readMessages(data); err == nil && n > len(data)/16 {
			t.Errorf("%d messages in %d bytes", n, len(data))
		}
	})
}
