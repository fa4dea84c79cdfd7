package main

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/stdio"
	"github.com/pfnamp/pfnamp/internal/must"
)

// mistaken is a stream that panics when it is written to, or when its text has been read.
type mistaken struct{ text *strings.Reader }

func (m mistaken) Read(p []byte) (int, error) {
	if n, err := m.text.Read(p); err == nil {
		return n, nil
	}
	panic("a mistake in reading")
}

func (mistaken) Write([]byte) (int, error) { panic("a mistake in writing") }

// TestPanicIsReported: a panic, in the main goroutine or in another one, is exit status 4 and one
// JSON object that names the model, and no file is left.
func TestPanicIsReported(t *testing.T) {
	besideTiny(t)
	for _, c := range []struct{ line, input, doing string }{
		{"predict - t.csv -y y", "", "reading"},
		{"predict t.csv - -y y --chains 20 --batch 1024 -o o.csv --plot p.png --summary s.csv",
			"a\n" + strings.Repeat("1."+strings.Repeat("0", 100)+"\n", 3<<11), "reading"},
		{"evaluate t.csv -y y --splits 1 --bootstrap 0 --train-share 0.5 --chains 20 --steps 5", "",
			"writing"},
	} {
		var message bytes.Buffer
		std := stdio.Streams{In: mistaken{strings.NewReader(c.input)}, Out: mistaken{}, Err: &message}
		status := program(t.Context(), std, strings.Fields("pfnamp "+c.line+" --json --time-limit 1m"))
		var told fault.Error
		if err := json.Unmarshal(message.Bytes(), &told); err != nil {
			t.Errorf("%s: %v in\n%s", c.line, err, &message)
		}
		if status != fault.ExitModel || told.Code != fault.ExitModel || told.Kind != "internal" ||
			!strings.HasPrefix(told.Msg, "with model tiny 1: ") ||
			!strings.HasSuffix(told.Msg, "internal error: a mistake in "+c.doing) {
			t.Errorf("%s: exit status %d\n%s", c.line, status, &message)
		}
		if left := fileNames(t, "."); len(left) != 1 {
			t.Errorf("%s: left behind: %v", c.line, left)
		}
	}
	var message bytes.Buffer
	t.Setenv(fault.DebugVariable, "1")
	program(t.Context(), stdio.Streams{In: mistaken{strings.NewReader("")}, Out: io.Discard,
		Err: &message},
		strings.Fields("pfnamp predict - t.csv -y y"))
	must.Hold(t, "the stack", message.String(), "mistaken.Read")
}
