package quantized

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pfnamp/pfnamp/internal/orttest"
	"github.com/pfnamp/pfnamp/internal/wire"
)

type message = wire.Message

// constant is a TensorProto of float32 elements.
func constant(name string, values []float32, shape ...int64) message {
	var m message
	for _, d := range shape {
		m = m.Int(1, d)
	}
	return m.Int(2, typeFloat).Text(8, name).Bytes(9, floats(values))
}

// call is a NodeProto whose attributes are integers.
func call(op, output string, inputs []string, attributes map[string]int64) message {
	m := orttest.Node(op, append(inputs, output)...)
	for name, v := range attributes {
		m = m.Bytes(5, message{}.Text(1, name).Int(3, v).Int(20, 2))
	}
	return m
}

func modelOf(nodes, constants []message) []byte {
	g := orttest.Graph{Nodes: nodes, Constants: constants, Outputs: []message{message{}.Text(1, "y")}}
	return g.Model()
}

// parsed are the nodes and constants of a model.
func parsed(t *testing.T, model []byte) (nodes []node, constants map[string]tensor) {
	t.Helper()
	constants = map[string]tensor{}
	for _, part := range sure(wire.Fields(model)) {
		if part.Number != 7 {
			continue
		}
		for _, f := range sure(wire.Fields(part.Bytes)) {
			switch f.Number {
			case 1:
				nodes = append(nodes, sure(parseNode(f.Bytes)))
			case 5:
				c := sure(parseTensor(f.Bytes))
				constants[c.name] = c
			}
		}
	}
	return nodes, constants
}

func sure[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func normal(n int) []float32 {
	r := rand.New(rand.NewPCG(1, 2))
	values := make([]float32, n)
	for i := range values {
		values[i] = float32(r.NormFloat64())
	}
	return values
}

// Products with large constants are replaced, and everything else stays as it is.
func TestGraph(t *testing.T) {
	const in, out = 48, 64
	weights := normal(in * out)
	transposed := make([]float32, in*out) // a row for every output
	for k := range in {
		for j := range out {
			transposed[j*in+k] = weights[k*out+j]
		}
	}
	gemm := func(output, matrix, bias string, attributes map[string]int64) message {
		return call("Gemm", output, []string{"x", matrix, bias}, attributes)
	}
	model := modelOf([]message{
		call("MatMul", "a", []string{"x", "plain"}, nil),
		gemm("b", "turned", "bias", map[string]int64{"transB": 1}),
		gemm("c", "turned", "bias", map[string]int64{"transB": 1}),
		gemm("d", "shared", "bias", map[string]int64{"transA": 1}), // not replaced
		call("MatMul", "e", []string{"x", "small"}, nil),           // not replaced
		gemm("f", "shared", "bias", nil),
		gemm("g", "shared", "a", nil), // a bias that is computed
		call("Relu", "y", []string{"x"}, nil),
	}, []message{constant("plain", weights, in, out), constant("turned", transposed, out, in),
		constant("shared", weights, in, out), constant("small", normal(8*8), 8, 8),
		constant("bias", normal(out), out)})
	rewritten, products, err := Graph(model, 17, ByTensor)
	if err != nil || products != 4 {
		t.Fatalf("%d products, %v", products, err)
	}
	nodes, constants := parsed(t, rewritten)
	var ops []string
	for _, n := range nodes {
		ops = append(ops, n.op)
	}
	const eight = "DynamicQuantizeMatMul"
	want := []string{eight, eight, eight, "Gemm", "MatMul", eight, "Gemm", "Relu"}
	if !slices.Equal(ops, want) {
		t.Errorf("the nodes are %v", ops)
	}
	b, matrix := nodes[1], prefix+"turned/transposed"
	inputs := []string{"x", matrix, matrix + "/scale", "", "bias"}
	if b.domain != domain || b.outputs[0] != "b" || !slices.Equal(b.inputs, inputs) {
		t.Errorf("the node is %+v", b)
	}
	for name, there := range map[string]bool{"plain": false, "turned": false, "shared": true,
		"small": true, "bias": true} {
		if _, ok := constants[name]; ok != there {
			t.Errorf("constant %s: %v", name, ok)
		}
	}
	for _, name := range []string{prefix + "plain", matrix, prefix + "shared"} {
		checkRounding(t, constants[name], constants[name+"/scale"], weights)
	}
	if !bytes.Contains(rewritten, []byte(domain)) {
		t.Error("the domain of the new nodes is not declared")
	}
}

// checkRounding compares the rounded matrix with the exact one: half a step is the most that
// rounding moves an element.
func checkRounding(t *testing.T, rounded, scales tensor, exact []float32) {
	t.Helper()
	steps := make([]float32, rounded.shape[1])
	scales.read(steps, 0)
	for i, v := range exact {
		step := float64(steps[i%len(steps)])
		if e := math.Abs(float64(int8(rounded.raw[i]))*step - float64(v)); e > step/2*(1+1e-5) {
			t.Fatalf("%s: element %d is off by %g, a step is %g", rounded.name, i, e, step)
		}
	}
}

// Weights that are kept as float16 behind a Cast are rounded too.
func TestGraphHalf(t *testing.T) {
	const size = 32
	raw := make([]byte, 0, 2*size*size)
	for range size * size {
		raw = binary.LittleEndian.AppendUint16(raw, 0x3800) // 0.5
	}
	half := message{}.Int(1, size).Int(1, size).Int(2, typeHalf).Text(8, "half").Bytes(9, raw)
	_, products, err := Graph(modelOf([]message{
		call("Cast", "w", []string{"half"}, map[string]int64{"to": typeFloat}),
		call("MatMul", "y", []string{"x", "w"}, nil)}, []message{half}), 17, ByTensor)
	if err != nil || products != 1 {
		t.Errorf("%d products, %v", products, err)
	}
}

// A matrix with a number that is not finite stays as it is.
func TestGraphNotFinite(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1)} {
		weights := normal(32 * 32)
		weights[7] = float32(bad)
		_, products, err := Graph(modelOf([]message{call("MatMul", "y", []string{"x", "w"}, nil)},
			[]message{constant("w", weights, 32, 32)}), 17, ByTensor)
		if err != nil || products != 0 {
			t.Errorf("%g: %d products, %v", bad, products, err)
		}
	}
}

func FuzzGraph(f *testing.F) {
	f.Add(modelOf([]message{call("MatMul", "y", []string{"x", "w"}, nil)},
		[]message{constant("w", normal(128*128), 128, 128)}))
	f.Add(modelOf([]message{call("MatMul", "y", []string{"x", "w"}, nil)},
		[]message{constant("w", normal(32*32), 32, 32)}))
	f.Add([]byte("no model"))
	f.Fuzz(func(t *testing.T, model []byte) {
		for _, by := range []Scaling{ByTensor, ByRow} {
			again, products, err := Graph(model, 17, by)
			if err == nil && products == 0 && len(again) < len(model) {
				t.Errorf("%d bytes of %d are left", len(again), len(model))
			}
		}
	})
}
