package pfn

import (
	"bytes"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/internal/orttest"
	"github.com/pfnamp/pfnamp/internal/wire"
	"github.com/pfnamp/pfnamp/models"
)

// The float16 numbers NaN and zero.
var halfNaN, halfZero = []byte{0x00, 0x7e}, []byte{0, 0}

// poison overwrites the float16 weights of an ONNX graph, in place.
func poison(t *testing.T, model, weight []byte) {
	t.Helper()
	count := 0
	fields(model, 7, func(graph []byte) {
		fields(graph, 5, func(tensor []byte) {
			fields(tensor, 9, func(raw []byte) {
				half := bytes.Contains(tensor, []byte(".half"))
				for i := 0; half && i+1 < len(raw); i += 2 {
					count += copy(raw[i:], weight)
				}
			})
		})
	})
	if count == 0 {
		t.Fatal("no weights found")
	}
}

// fields calls visit for every field of a message that has this number and is a byte string.
func fields(message []byte, want protowire.Number, visit func([]byte)) {
	_ = wire.Each(message, func(f wire.Field) error {
		if f.Number == want && f.Bytes != nil {
			visit(f.Bytes)
		}
		return nil
	})
}

// poisoned is the embedded bundle with one value for all weights of one graph.
func poisoned(t *testing.T, name string, weight []byte) *models.Bundle {
	t.Helper()
	return loaded(t, withGraph(t, filepath.Join("..", "models", "default"), name,
		func(graph []byte) []byte {
			poison(t, graph, weight)
			return graph
		}))
}

// withGraph copies a bundle with a graph changed.
func withGraph(t *testing.T, bundle, name string, change func([]byte) []byte) string {
	t.Helper()
	dir := t.TempDir()
	must.Succeed(t, orttest.WithGraph(bundle, dir, name, change))
	return dir
}

// The error of a network that returns NaN names the model, and TestMain that everything is freed.
func TestFaultyModel(t *testing.T) {
	for _, name := range []string{models.ContextGraph, models.QueryGraph} {
		m := openLoaded(t, poisoned(t, name, halfNaN), Options{})
		c, err := m.Fit(t.Context(), synthetic(1, 20, 3))
		if name == models.QueryGraph {
			must.Succeed(t, err)
			_, err = c.Predict(t.Context(), synthetic(2, 5, 3).X)
		}
		if _, ok := errors.AsType[*ModelError](err); !ok {
			t.Errorf("NaN in the %s graph gives %v", name, err)
		}
	}
}

// Verify of a model with other weights finds them in the network and after it, not before.
func TestVerifyFindsOtherWeights(t *testing.T) {
	b := poisoned(t, models.QueryGraph, halfZero)
	report, err := Verify(t.Context(), b, Options{Library: orttest.Library(t)})
	must.Succeed(t, err)
	if report.OK() {
		t.Error("the report is OK")
	}
	for _, s := range report.Cases[0].Parts {
		after := strings.HasPrefix(s.Name, "network") || strings.HasPrefix(s.Name, "result: ")
		if after == s.OK && !strings.HasSuffix(s.Name, "tails") {
			t.Errorf("%s: difference %g, ok = %v", s.Name, s.MaxDiff, s.OK)
		}
	}
}
