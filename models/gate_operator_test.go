package models

import (
	"strings"
	"testing"
)

// The gate looks at the shape of every operator that takes or has one, at its own place.
func TestGateKnowsEveryShape(t *testing.T) {
	for op, inputs := range map[string][]string{
		"ConstantOfShape": {"s"}, "Expand": {"x", "s"}, "Tile": {"x", "s"},
	} {
		n := message{}
		for _, input := range inputs {
			n = n.Text(1, input)
		}
		g := graph(n.Text(2, "y").Text(4, op))
		err := CheckGraph(model(g.Bytes(5, shapeTensor("s", 1<<19, 1<<19))))
		if err == nil || !strings.Contains(err.Error(), op+" asks for") {
			t.Errorf("%s of an absurd shape: %v", op, err)
		}
		if err := CheckGraph(model(g.Bytes(5, shapeTensor("s", 8, 8)))); err != nil {
			t.Errorf("%s: %v", op, err)
		}
	}
	for _, op := range []string{"RandomNormal", "RandomUniform"} {
		g := graph(node("", op, message{}.Text(1, "shape").Uint(8, 1<<38)))
		if err := CheckGraph(model(g)); err == nil || !strings.Contains(err.Error(), op+" asks for") {
			t.Errorf("%s of an absurd shape: %v", op, err)
		}
	}
}

// Operators of com.microsoft are those that the optimiser and the quantiser of onnxruntime write.
// Others are refused, in bodies and local functions too.
func TestGateKnowsEveryOperator(t *testing.T) {
	within := map[string]func(n message) message{
		"graph": func(n message) message { return model(graph(n)) },
		"body": func(n message) message {
			return model(graph(node("", "If", message{}.Text(1, "then_branch").Bytes(6, graph(n)))))
		},
		"function": func(n message) message {
			return model(graph(calls(1, "f")...)).Bytes(8, opset("local", 1)).Bytes(25, function("f", n))
		},
	}
	for place, model := range within {
		for op, admitted := range map[string]bool{
			"Attention": true, "BiasGelu": true, "BiasSoftmax": true, "DequantizeLinear": true,
			"DynamicQuantizeMatMul": true, "FastGelu": true, "FusedGemm": true, "FusedMatMul": true,
			"Gelu": true, "MatMulIntegerToFloat": true, "MatMulNBits": true, "MultiHeadAttention": true,
			"QLinearAdd": true, "QLinearMul": true, "QuantizeLinear": true, "QuickGelu": true,
			"RotaryEmbedding": true, "SimplifiedLayerNormalization": true, "SkipLayerNormalization": true,
			"Tokenizer": false, "BeamSearch": false, "GreedySearch": false, "Sampling": false,
			"ConvTransposeWithDynamicPads": false, "Inverse": false, "PythonOp": false, "": false,
		} {
			if err := CheckGraph(model(node("com.microsoft", op))); (err == nil) != admitted {
				t.Errorf("%q in a %s: %v", op, place, err)
			}
		}
	}
}
