package parquet

import (
	"bytes"
	"encoding/binary"
	"io"
	"strings"
	"testing"
)

func fileOf(footer string) []byte {
	b := append([]byte(magic), footer...)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(footer)))
	return append(b, magic...)
}

func section(b []byte) *io.SectionReader {
	return io.NewSectionReader(bytes.NewReader(b), 0, int64(len(b)))
}

func TestOpenRefuses(t *testing.T) {
	tail := func(size uint32, end string) []byte {
		return append(binary.LittleEndian.AppendUint32([]byte("PAR1xxxx"), size), end...)
	}
	for _, c := range []struct {
		what string
		file []byte
		want string
	}{
		{"empty", nil, "too short"},
		{"two magics", []byte("PAR1PAR1"), "too short"},
		{"cut off", tail(4, "PAR"), "cut off"},
		{"another end", tail(4, "RIFF"), "cut off"},
		{"encrypted", tail(4, "PARE"), "encrypted"},
		{"no footer", tail(0, "PAR1"), "footer has 0 bytes"},
		{"footer longer than the file", tail(1<<30, "PAR1"), "footer has 1073741824 bytes"},
		{"no schema", fileOf("\x00"), "damaged"},
		{"list of 2^28 elements", fileOf("\x19\xfc\xff\xff\xff\x7f"), "damaged"},
		{"lists 100 deep", fileOf(strings.Repeat("\x19\x19", 100)), "damaged"},
		{"structs 100 deep", fileOf(strings.Repeat("\x1c", 100)), "damaged"},
		{"two schemas", fileOf("\x29\x1c\x00\x09\x04\x1c\x00\x00"), "damaged"},
		{"schema without a root", fileOf("\x29\x0c\x00"), "empty"},
		// SchemaElement: type 1 INT32, num_children 5 = 2, and no child follows
		{"children that are missing", fileOf("\x29\x1c\x55\x04\x00\x00"), "the schema is damaged"},
	} {
		_, err := openChecked(section(c.file))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.what, err, c.want)
		}
	}
}
