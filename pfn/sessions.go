package pfn

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"

	"golang.org/x/sys/cpu"

	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn/internal/ort"
	"github.com/pfnamp/pfnamp/pfn/internal/quantized"
)

// graphs are the loaded graphs of a model. Those that encode a context have their name and serve
// one Fit at a time; those that read queries have their name and precision, and stay.
type graphs struct {
	mu       sync.Mutex
	sessions map[string]*ort.Session
}

// take returns a graph that encodes a context, for one Fit; give returns it.
func (m *Model) take(ctx context.Context, name string) (*ort.Session, error) {
	m.graphs.mu.Lock()
	session := m.graphs.sessions[name]
	delete(m.graphs.sessions, name)
	m.graphs.mu.Unlock()
	if session != nil {
		return session, nil
	}
	return m.contextSession(ctx, name)
}

// give keeps a graph for the next Fit, or frees it.
func (m *Model) give(name string, session *ort.Session) error {
	m.graphs.mu.Lock()
	defer m.graphs.mu.Unlock()
	if m.options.Refit && m.graphs.sessions[name] == nil {
		m.graphs.sessions[name] = session
		return nil
	}
	return session.Close()
}

// keep returns a graph that reads queries for contexts of a precision; it stays loaded. The caller
// keeps the model open.
func (m *Model) keep(ctx context.Context, name, precision string) (*ort.Session, error) {
	precision = m.queryPrecision(precision)
	key := name + " " + precision
	m.graphs.mu.Lock()
	defer m.graphs.mu.Unlock()
	if session := m.graphs.sessions[key]; session != nil {
		return session, nil
	}
	graph, err := m.bundle.Graph(name)
	if err == nil && precision == Int8 {
		graph, _, err = m.rounded(name, graph, quantized.ByRow)
	}
	if err != nil {
		return nil, err
	}
	session, err := m.session(ctx, name, graph, m.querying)
	if err != nil {
		return nil, err
	}
	m.graphs.sessions[key] = session
	if name == models.QueryGraph {
		if m.bundle.Size() > largeGraphs {
			debug.FreeOSMemory() // the library has copied the graph
		}
	}
	return session, nil
}

// contextSession loads a graph that encodes a context, in the precision of the model. AutoPrecision
// leaves a graph without products to round as it is.
func (m *Model) contextSession(ctx context.Context, name string) (*ort.Session, error) {
	graph, err := m.bundle.Graph(name)
	if err == nil && m.precision.rounds {
		rounded, products, failed := m.rounded(name, graph, quantized.ByTensor)
		switch {
		case failed != nil:
			err = failed
		case products > 0:
			graph = rounded
		case !m.precision.lenient:
			err = &PrecisionError{Int8, fmt.Sprintf("the %s graph of model %s has no product with a "+
				"constant matrix of 32 rows and columns or more", name, m.Name())}
		case name == models.ContextGraph:
			m.precision.plain.Store(true)
		}
	}
	if err != nil {
		return nil, err
	}
	return m.session(ctx, name, graph, m.encoding)
}

// rounded returns a graph with 8-bit products, and their number.
func (m *Model) rounded(name string, graph []byte, by quantized.Scaling) ([]byte, int, error) {
	rounded, products, err := quantized.Graph(graph, m.bundle.Manifest.Opset, by)
	if err != nil {
		err = fmt.Errorf("model %s: %s graph: %w", m.Name(), name, err)
	}
	return rounded, products, err
}

func (m *Model) session(
	ctx context.Context, name string, graph []byte, opt ort.SessionOptions,
) (*ort.Session, error) {
	ctx, stop := m.within(ctx, "loading its "+name+" graph", 0, 0)
	defer stop()
	session, err := m.runtime.NewSession(ctx, graph, opt)
	if err != nil {
		return nil, fmt.Errorf("model %s: %s graph: %w", m.Name(), name, err)
	}
	return session, nil
}

// Load loads the query graph that Options.Late has left; if it is loaded, or the context needs
// none, it does nothing. With own, it also opens the companion and lets it read the table.
// Predictions do so when needed. Errors are those of Open and Fit.
func (c *Context) Load(ctx context.Context, own bool) error {
	if own {
		if with, err := c.Companion(ctx); err != nil {
			return err
		} else if with != nil {
			if err := with.Load(ctx, false); err != nil {
				return err
			}
		}
	}
	if c.Members() == 0 || c.hierarchy != nil && c.nodes == nil {
		return nil
	}
	if err := c.model.acquire(); err != nil {
		return err
	}
	defer c.model.closing.RUnlock()
	_, err := c.model.loadQuery(ctx, c.precision)
	return err
}

func (m *Model) loadQuery(ctx context.Context, precision string) (*ort.Session, error) {
	return m.keep(ctx, models.QueryGraph, precision)
}

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

// queryPrecision returns the precision of graphs that read query rows of contexts of a precision. A
// state may come from a processor with other instructions.
func (m *Model) queryPrecision(context string) string {
	if context == Int8 && m.bundle.GraphSize(models.QueryGraph) >= m.precision.least &&
		noInt8(m.precision.device) == "" {
		return Int8
	}
	return Float32
}
