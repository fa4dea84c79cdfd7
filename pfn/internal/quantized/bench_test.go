package quantized

import "testing"

// BenchmarkGraph rounds a matrix of 1,024 × 512, as plain products and those of Gemm have it.
func BenchmarkGraph(b *testing.B) {
	const in, out = 1024, 512
	weights := normal(in * out)
	for name, turned := range map[string]int64{"plain": 0, "transposed": 1} {
		matrix := constant("w", weights, in, out)
		if turned == 1 {
			matrix = constant("w", weights, out, in)
		}
		model := modelOf([]message{
			call("Gemm", "h", []string{"x", "w"}, map[string]int64{"transB": turned}),
			call("MatMul", "y", []string{"h", "h"}, nil)}, []message{matrix})
		b.Run(name, func(b *testing.B) {
			b.SetBytes(4 * in * out)
			for b.Loop() {
				if _, products, err := Graph(model, ByRow); err != nil || products != 1 {
					b.Fatal(products, err)
				}
			}
		})
	}
}
