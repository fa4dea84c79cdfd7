package pfn

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"

	"golang.org/x/sys/cpu"

	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn/internal/ort"
	"github.com/pfnamp/pfnamp/pfn/internal/quantized"
)

// Precisions of the network. Whatever the precision, a prediction does not depend on other rows.
const (
	Float32       = "float32"   // the default
	Int8          = models.Int8 // its large matrix products on 8-bit integers: faster, less exact
	AutoPrecision = "auto"      // Int8 if processor and graph have products for it, or Float32
)

// leastRounded is the least size of a query graph, in bytes, that is rounded. For smaller ones,
// such as the embedded ones of 3 MB, rounding takes as long as it saves, and costs accuracy.
const leastRounded = 16 << 20

// Precisions lists the values of Options.Precision.
func Precisions() []string { return []string{Float32, Int8, AutoPrecision} }

// PrecisionError says why a model cannot use the requested precision.
type PrecisionError struct {
	Precision string // as asked for
	Reason    string
}

// Error returns one line.
func (e *PrecisionError) Error() string {
	return fmt.Sprintf("precision %q cannot be used: %s; use %s", e.Precision, e.Reason, Float32)
}

// precision is the precision of a model.
type precision struct {
	rounds  bool        // graphs that read a context get 8-bit products
	device  string      // of the model
	least   int64       // size of a query graph that is rounded
	lenient bool        // a graph without a product to round stays float32
	plain   atomic.Bool // the loaded context graph has no product to round
}

// String returns Int8 or Float32. With AutoPrecision it returns Int8 until the context graph is
// loaded and has no product to round.
func (p *precision) String() string {
	if p.rounds && !p.plain.Load() {
		return Int8
	}
	return Float32
}

// choosePrecision sets the precision of the model.
func (m *Model) choosePrecision(asked, device string) error {
	m.precision.device, m.precision.least = device, leastRounded
	reason := noInt8(device)
	switch asked {
	case "", Float32:
		return nil
	case Int8:
		if reason != "" {
			return &PrecisionError{asked, reason}
		}
		m.precision.rounds = true
	case AutoPrecision:
		m.precision.rounds, m.precision.lenient = reason == "", true
	default:
		return &PrecisionError{asked, "it is not one of " + strings.Join(Precisions(), ", ")}
	}
	return nil
}

// noInt8 says why 8-bit products cannot be used on a device, or "". On a processor without
// instructions for them, onnxruntime adds pairs of products in 16 bits, which overflow.
func noInt8(device string) string {
	switch {
	case device != "cpu":
		return "8-bit products need the device cpu, but the model runs on " + device
	case runtime.GOARCH == "amd64" && !cpu.X86.HasAVX512VNNI && !cpu.X86.HasAVXVNNI:
		return "sums of 8-bit products overflow without VNNI instructions, which this processor lacks"
	case runtime.GOARCH == "arm64" && !cpu.ARM64.HasASIMDDP && runtime.GOOS != "darwin":
		return "this processor has no dot-product instructions for 8-bit numbers"
	}
	return ""
}

// A rounding returns the graph of a name in a precision.
type rounding func(m *Model, name string, graph []byte) ([]byte, error)

// exactly is the rounding of Float32.
func exactly(_ *Model, _ string, graph []byte) ([]byte, error) { return graph, nil }

// roundingByRow is the rounding of a graph that reads query rows.
func roundingByRow(precision string) rounding {
	if precision == Float32 {
		return exactly
	}
	return func(m *Model, name string, graph []byte) ([]byte, error) {
		rounded, _, err := quantized.Graph(graph, quantized.ByRow)
		if err != nil {
			return nil, fmt.Errorf("model %s: %s graph: %w", m.Name(), name, err)
		}
		return rounded, nil
	}
}

// queryPrecision returns the precision of graphs that read query rows of contexts of a precision. A
// state may come from a processor with other instructions.
func (m *Model) queryPrecision(context string) string {
	if context == Int8 && m.bundle.GraphSize(models.QueryGraph) >= m.precision.least &&
		noInt8(m.precision.device) == "" {
		return Int8
	}
	return Float32
}

// contextSession loads a graph that reads a context, in the precision of the model.
func (m *Model) contextSession(ctx context.Context, name string) (*ort.Session, error) {
	round := exactly
	if m.precision.rounds {
		round = roundedContext
	}
	return m.session(ctx, name, m.encoding, round)
}

// roundedContext is the rounding of a graph that reads a context. AutoPrecision leaves a graph
// without products to round as it is.
func roundedContext(m *Model, name string, graph []byte) ([]byte, error) {
	rounded, products, err := quantized.Graph(graph, quantized.ByTensor)
	switch {
	case err != nil:
		return nil, fmt.Errorf("model %s: %s graph: %w", m.Name(), name, err)
	case products > 0:
		return rounded, nil
	case !m.precision.lenient:
		return nil, &PrecisionError{Int8, fmt.Sprintf("the %s graph of model %s has no product with a "+
			"constant matrix of 32 rows and columns or more", name, m.Name())}
	}
	if name == models.ContextGraph {
		m.precision.plain.Store(true)
	}
	return graph, nil
}
