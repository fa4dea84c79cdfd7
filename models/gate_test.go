package models

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/internal/wire"
)

// nestedIn returns a graph with sub-graphs inside each other.
func nestedIn(depth int) message {
	g := graph(node("", "Relu"))
	for range depth {
		g = graph(node("", "If", message{}.Text(1, "then_branch").Bytes(6, g)))
	}
	return g
}

func TestGateAdmits(t *testing.T) {
	relu := graph(node("", "Relu"))
	cases := map[string]message{
		"minimal":        model(relu),
		"domain ai.onnx": model(graph(node("ai.onnx", "Relu"))),
		"fused operator": model(graph(node("com.microsoft", "FusedMatMul"))),
		"initialiser":    model(relu.Bytes(5, tensor("w", 24, 2, 3))),
		"nested":         model(nestedIn(maxSubgraphDepth)),
	}
	for name, m := range cases {
		if _, err := inspectGraph(m); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestGateRefuses(t *testing.T) {
	relu := graph(node("", "Relu"))
	float := message{}.Uint(1, 1).Uint(2, wire.Float)
	attribute := func(number protowire.Number, of message) message {
		return model(graph(node("", "Constant", message{}.Text(1, "value").Bytes(number, of))))
	}
	external := float.Uint(14, 1)
	cases := map[string]struct {
		model message
		want  string
	}{
		"empty":        {nil, "empty"},
		"random bytes": {message("\x12\x34random bytes, not a model"), "malformed"},
		"no graph":     {message{}.Uint(1, 8).Bytes(8, opset("", 17)), "no graph"},
		"truncated":    {model(relu)[:30], "malformed"},
		"group":        {append(model(relu), 0x0b), "malformed"},
		"graph as int": {message{}.Uint(1, 8).Bytes(8, opset("", 17)).Uint(7, 3), "no nodes"},
		"old IR":       {withIR(3, relu), "IR version"},
		"new IR":       {withIR(99, relu), "IR version"},
		"no opset":     {message{}.Uint(1, 8).Bytes(7, relu), "default operator set"},
		"old opset":    {message{}.Uint(1, 8).Bytes(8, opset("", 7)).Bytes(7, relu), "opset 7"},
		"new opset":    {message{}.Uint(1, 8).Bytes(8, opset("", 77)).Bytes(7, relu), "opset 77"},
		"no nodes":     {model(graph()), "no nodes"},
		"many nodes": {model(graph(slices.Repeat([]message{node("", "Relu")}, maxNodes+1)...)),
			"more than 100000 nodes"},
		"no operator":     {model(graph(message{}.Text(1, "x"))), "has no operator"},
		"training":        {model(relu).Bytes(20, nil), "training"},
		"domain":          {model(graph(node("evil", "Run"))), "foreign domain"},
		"import":          {model(relu).Bytes(8, opset("evil", 1)), "foreign operator domain"},
		"local functions": {model(relu).Bytes(25, message{}.Text(1, "f")), "local functions"},
		"external":        {model(relu.Bytes(5, external)), "external data"},
		"external file":   {model(relu.Bytes(5, tensor("w", 4).Bytes(13, nil))), "external data"},
		"external sparse": {model(relu.Bytes(15, message{}.Bytes(2, external))), "external data"},
		"memory":          {model(relu).Text(6, "*/_ORT_MEM_ADDR_/*"), "memory addresses"},
		"nested too deep": {model(nestedIn(maxSubgraphDepth + 1)), "nested deeper"},
	}
	for number, of := range map[protowire.Number]message{5: external, 10: external,
		6: graph().Bytes(5, external), 11: graph().Bytes(5, external),
		22: message{}.Bytes(1, external), 23: message{}.Bytes(1, external)} {
		cases[fmt.Sprint("attribute ", number)] = struct {
			model message
			want  string
		}{attribute(number, of), "external data"}
	}
	for name, c := range cases {
		_, err := inspectGraph(c.model)
		must.Fail(t, name, err, c.want)
	}
}

// Files that nest a million levels are refused in linear time without deep recursion.
func TestGateOnDeepFiles(t *testing.T) {
	start := time.Now()
	g := []byte(graph(node("", "Relu")))
	for range 3000 { // every level encloses all inner ones
		g = message{}.Bytes(1, message{}.Text(4, "If").Bytes(5, message{}.Bytes(6, g)))
	}
	_, err := inspectGraph(model(g))
	must.Fail(t, "3000 levels", err, "nested")
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("took %v", took)
	}
}

// Operators of com.microsoft are those that the optimiser and the quantiser of onnxruntime write.
// Others are refused, in bodies too.
func TestGateKnowsEveryOperator(t *testing.T) {
	within := map[string]func(n message) message{
		"graph": func(n message) message { return model(graph(n)) },
		"body": func(n message) message {
			return model(graph(node("", "If", message{}.Text(1, "then_branch").Bytes(6, graph(n)))))
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
			if _, err := inspectGraph(model(node("com.microsoft", op))); (err == nil) != admitted {
				t.Errorf("%q in a %s: %v", op, place, err)
			}
		}
	}
}

func FuzzCheckGraph(f *testing.F) {
	f.Add([]byte(model(graph(node("", "Relu")).Bytes(5, tensor("w", 24, 2, 3)))))
	f.Add([]byte(model(nestedIn(3))))
	f.Fuzz(func(t *testing.T, data []byte) {
		inspectGraph(data) // must return
	})
}
