package arrow

import (
	"encoding/binary"
	"io"
	"strings"
	"testing"
)

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
		"ARROW1":                       "too short",
		tail(8, "ARROW2"):              "cut off",
		tail(1e6, string(magicFile)):   "footer has 1000000 bytes",
		tail(0, string(magicFile)):     "footer has 0 bytes",
		tail(8, string(magicFile)):     "",
		tail(1<<31, string(magicFile)): "footer has 2147483648 bytes",
		tail(7, "ARROW1\n"):            "cut off",
	} {
		_, err := newFile(io.NewSectionReader(strings.NewReader(file), 0, int64(len(file))))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", file, err, want)
		}
	}
}
