package models

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/pfnamp/pfnamp/internal/wire"
)

// plan is a source of decisions: bytes one after the other, then zeros.
type plan struct{ steps []byte }

func (p *plan) next(n int) int {
	if len(p.steps) == 0 || n == 0 {
		return 0
	}
	v := int(p.steps[0])
	p.steps = p.steps[1:]
	if len(p.steps) > 0 && n > 256 {
		v = v<<8 | int(p.steps[0])
		p.steps = p.steps[1:]
	}
	return v % n
}

// editFields changes one field of a protobuf message or, mostly, of a message in it.
func editFields(data []byte, p *plan, depth int) []byte {
	fields, err := wire.Fields(data)
	if err != nil || len(fields) == 0 {
		return data
	}
	i := p.next(len(fields))
	f := &fields[i]
	if f.Kind == protowire.BytesType && depth < 8 && p.next(8) > 0 {
		f.Bytes = editFields(f.Bytes, p, depth+1)
		return join(fields)
	}
	other := p.next(len(fields))
	switch p.next(8) {
	case 0: // left out
		fields = append(fields[:i], fields[i+1:]...)
	case 1: // twice
		fields = append(fields, *f)
	case 2:
		fields[i], fields[other] = fields[other], fields[i]
	case 3: // of another kind
		f.Number = protowire.Number(1 + p.next(30))
	case 4: // a number by far
		f.Varint = []int64{0, 1, 1 << 31, 1 << 39, 1<<63 - 1, -1}[p.next(6)]
		f.Kind = protowire.VarintType
	case 5: // what another one holds
		f.Bytes, f.Kind = fields[other].Bytes, protowire.BytesType
	case 6: // cut
		f.Bytes = f.Bytes[:p.next(len(f.Bytes)+1)]
	default: // in itself
		f.Bytes, f.Kind = data, protowire.BytesType
	}
	return join(fields)
}

// join writes fields as a message.
func join(fields []wire.Field) []byte {
	var m message
	for _, f := range fields {
		if f.Kind == protowire.BytesType {
			m = m.Bytes(f.Number, f.Bytes)
		} else {
			m = m.Int(f.Number, f.Varint)
		}
	}
	return m
}

// FuzzGate edits the fields of a real graph: the gate returns, and takes no more memory than a
// multiple of the file.
func FuzzGate(f *testing.F) {
	var graphs [][]byte
	for _, name := range []string{"tiny/query.onnx", "tabpfn-tiny/context.onnx"} {
		graph, err := os.ReadFile(filepath.Join("..", "testdata", filepath.FromSlash(name)))
		if err != nil {
			f.Fatal(err)
		}
		graphs = append(graphs, graph)
	}
	f.Add(byte(0), byte(1), []byte{3, 1, 0, 7})
	f.Fuzz(func(t *testing.T, which, edits byte, steps []byte) {
		graph, p := graphs[int(which)%len(graphs)], &plan{steps}
		for range 1 + edits%4 {
			if graph = editFields(graph, p, 0); len(graph) > 4<<20 {
				return
			}
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_ = CheckGraph(graph)
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; took > 1<<20+32*uint64(len(graph)) {
			t.Errorf("%d bytes allocated for a graph of %d", took, len(graph))
		}
	})
}
