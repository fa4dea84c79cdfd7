//go:build cgo

package quantized

import (
	"math"
	"slices"
	"testing"

	"golang.org/x/sys/cpu"

	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/internal/orttest"
	"github.com/pfnamp/pfnamp/pfn/internal/ort"
)

const in, out, rows = 160, 144, 37

// perceptron returns the model y = (relu(x·V + b) + x·U)·W·W, with x of rows × 160.
func perceptron(opset int) []byte {
	size := func(width int64) message {
		shape := message{}.Bytes(1, message{}.Text(2, "rows")).Bytes(1, message{}.Int(1, width))
		return message{}.Bytes(1, message{}.Int(1, typeFloat).Bytes(2, shape))
	}
	var graph message
	for _, n := range []message{
		call("Gemm", "h", []string{"x", "V", "b"}, map[string]int64{"transB": 1}),
		call("Relu", "r", []string{"h"}, nil),
		call("MatMul", "u", []string{"x", "U"}, nil),
		call("Add", "s", []string{"r", "u"}, nil),
		call("MatMul", "z", []string{"s", "W"}, nil),
		call("MatMul", "y", []string{"z", "W"}, nil), // the last product stays as it is
	} {
		graph = graph.Bytes(1, n)
	}
	for _, c := range []message{
		constant("V", normal(in*out), out, in), constant("b", normal(out), out),
		constant("U", normal(in*out), in, out), constant("W", normal(out*out), out, out)} {
		graph = graph.Bytes(5, c)
	}
	graph = graph.Text(2, "perceptron").Bytes(11, message{}.Text(1, "x").Bytes(2, size(in))).
		Bytes(12, message{}.Text(1, "y").Bytes(2, size(out)))
	return message{}.Int(1, 8).Bytes(7, graph).
		Bytes(8, message{}.Text(1, "").Int(2, int64(opset)))
}

// run computes y of some rows.
func run(t *testing.T, model []byte, threads int, x []float32) []float32 {
	t.Helper()
	lib, _, err := ort.Find(orttest.Library(t), "cpu")
	must.Succeed(t, err)
	rt, err := ort.Start(lib)
	must.Succeed(t, err)
	defer rt.Close()
	s, err := rt.NewSession(t.Context(), model, ort.SessionOptions{Device: "cpu", Threads: threads})
	must.Succeed(t, err)
	defer s.Close()
	y, err := s.Run(t.Context(), map[string]ort.Tensor{
		"x": {Shape: []int64{int64(len(x) / in), in}, Data: x}})
	must.Succeed(t, err)
	return y[0].Data
}

// Products by row are those of float32 up to rounding, of rows of every size, and a row has the
// same bits in every block of rows and with every number of threads.
func TestByRow(t *testing.T) {
	if !cpu.X86.HasAVX512VNNI && !cpu.X86.HasAVXVNNI && !cpu.ARM64.HasASIMDDP {
		t.Skip("this processor has no instructions for 8-bit products")
	}
	x := normal(rows * in)
	clear(x[:in]) // a row of zeros
	for i, v := range x[in : 2*in] {
		x[in+i] = 1e6 * v
		x[2*in+i] = 1e-6 * v
	}
	for _, opset := range []int{17, 18} {
		model := perceptron(opset)
		rounded, products, err := Graph(model, opset, ByRow)
		if err != nil || products != 3 {
			t.Fatalf("%d products, %v", products, err)
		}
		want, got := run(t, model, 2, x), run(t, rounded, 2, x)
		for i := range rows {
			var largest, off float64
			for j := range out {
				largest = max(largest, math.Abs(float64(want[i*out+j])))
				off = max(off, math.Abs(float64(got[i*out+j]-want[i*out+j])))
			}
			if !(off <= 0.05*largest) || i > 0 && off == 0 {
				t.Errorf("opset %d, row %d is off by %g of %g", opset, i, off, largest)
			}
		}
		if one := run(t, rounded, 1, x); !slices.Equal(one, got) {
			t.Error("results depend on the number of threads")
		}
		for _, span := range [][2]int{{0, 2}, {3, 20}, {30, rows}} {
			few := run(t, rounded, 2, x[span[0]*in:span[1]*in])
			if !slices.Equal(few, got[span[0]*out:span[1]*out]) {
				t.Errorf("rows %v depend on the other rows", span)
			}
		}
		if len(rounded) > len(model)*3/5 { // W stays, beside its 8-bit copy
			t.Errorf("%d bytes of %d are left", len(rounded), len(model))
		}
	}
}

// Small products stay as they are.
func TestByRowSmall(t *testing.T) {
	model := modelOf([]message{call("MatMul", "h", []string{"x", "w"}, nil),
		call("MatMul", "y", []string{"h", "h"}, nil)},
		[]message{constant("w", normal(128*127), 128, 127)})
	if _, products, err := Graph(model, 17, ByRow); err != nil || products != 0 {
		t.Errorf("%d products, %v", products, err)
	}
}
