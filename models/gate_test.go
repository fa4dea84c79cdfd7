package models

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// nested returns a graph with sub-graphs inside each other.
func nested(depth int) message {
	g := graph(node("", "Relu"))
	for range depth {
		g = graph(node("", "If", message{}.Text(1, "then_branch").Bytes(6, g)))
	}
	return g
}

// chain returns a model whose local functions each call the next one, fan times.
func chain(depth, fan int) message {
	m := model(graph(calls(1, "f0")...)).Bytes(8, opset("local", 1))
	for i := range depth {
		body := calls(fan, fmt.Sprint("f", i+1))
		if i == depth-1 {
			body = []message{node("", "Relu")}
		}
		m = m.Bytes(25, function(fmt.Sprint("f", i), body...))
	}
	return m
}

func TestGateAdmits(t *testing.T) {
	relu := graph(node("", "Relu"))
	cases := map[string]message{
		"minimal":           model(relu),
		"domain ai.onnx":    model(graph(node("ai.onnx", "Relu"))),
		"fused operator":    model(graph(node("com.microsoft", "FusedMatMul"))),
		"initialiser":       model(relu.Bytes(5, tensor("w", 24, 2, 3))),
		"scalar":            model(relu.Bytes(5, tensor("w", 4))),
		"empty initialiser": model(relu.Bytes(5, tensor("w", 0, 0, 3))),
		"nested":            model(nested(maxSubgraphDepth)),
		"functions":         chain(maxFunctions, 1),
		"shape": model(graph(message{}.Text(1, "x").Text(1, "s").Text(4, "Expand")).
			Bytes(5, shapeTensor("s", 1024, 1024))),
	}
	for name, m := range cases {
		if err := CheckGraph(m); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestGateRefuses(t *testing.T) {
	relu := graph(node("", "Relu"))
	float := message{}.Uint(1, 1).Uint(2, typeFloat)
	constant := func(t message) message {
		return model(graph(node("", "Constant", message{}.Text(1, "value").Bytes(5, t))))
	}
	expand := graph(message{}.Text(1, "x").Text(1, "s").Text(2, "y").Text(4, "Expand"))
	both := tensor("w", 4).Bytes(4, make([]byte, 4))
	cases := map[string]struct {
		model message
		want  string
	}{
		"empty":             {nil, "empty"},
		"random bytes":      {message("\x12\x34random bytes, not a model"), "malformed"},
		"no graph":          {message{}.Uint(1, 8).Bytes(8, opset("", 17)), "no graph"},
		"two graphs":        {model(relu).Bytes(7, relu), "two main graphs"},
		"truncated":         {model(relu)[:30], "malformed"},
		"group":             {append(model(relu), 0x0b), "wire type"},
		"graph as int":      {message{}.Uint(7, 3), "not a message"},
		"old IR":            {withIR(3, relu), "IR version"},
		"new IR":            {withIR(99, relu), "IR version"},
		"no opset":          {message{}.Uint(1, 8).Bytes(7, relu), "default operator set"},
		"old opset":         {message{}.Uint(1, 8).Bytes(8, opset("", 7)).Bytes(7, relu), "opset 7"},
		"new opset":         {message{}.Uint(1, 8).Bytes(8, opset("", 77)).Bytes(7, relu), "opset 77"},
		"no nodes":          {model(graph()), "no nodes"},
		"no operator":       {model(graph(message{}.Text(1, "x"))), "has no operator"},
		"training":          {model(relu).Bytes(20, nil), "training"},
		"domain":            {model(graph(node("evil", "Run"))), "foreign domain"},
		"import":            {model(relu).Bytes(8, opset("evil", 1)), "foreign operator domain"},
		"contrib":           {model(graph(node("com.microsoft", "Tokenizer"))), "not allowed"},
		"few bytes":         {model(relu.Bytes(5, tensor("w", 20, 2, 3))), "shape needs 24"},
		"many bytes":        {model(relu.Bytes(5, tensor("w", 28, 2, 3))), "shape needs 24"},
		"no data":           {model(relu.Bytes(5, float.Text(8, "w"))), "has 0 values"},
		"negative dim":      {model(relu.Bytes(5, tensor("w", 0, 1<<64-1))), "shape is impossible"},
		"huge dims":         {model(relu.Bytes(5, tensor("w", 0, 1<<39, 1<<39))), "shape is impossible"},
		"overflow":          {model(relu.Bytes(5, tensor("w", 0, 1<<32, 1<<32))), "shape is impossible"},
		"type":              {model(relu.Bytes(5, message{}.Uint(2, 15))), "data type 15"},
		"no type":           {model(relu.Bytes(5, message{}.Bytes(9, nil))), "data type 0"},
		"two places":        {model(relu.Bytes(5, both)), "two places"},
		"two blocks":        {model(relu.Bytes(5, tensor("w", 4).Bytes(9, make([]byte, 4)))), "two data"},
		"segments":          {model(relu.Bytes(5, tensor("w", 4).Bytes(3, nil))), "segments"},
		"external":          {model(relu.Bytes(5, float.Uint(14, 1))), "external data"},
		"external file":     {model(relu.Bytes(5, tensor("w", 4).Bytes(13, nil))), "external data"},
		"memory":            {model(relu).Text(6, "*/_ORT_MEM_ADDR_/*"), "memory addresses"},
		"constant":          {constant(tensor("", 3, 1)), "shape needs 4"},
		"external constant": {constant(float.Uint(14, 1)), "external data"},
		"sparse": {model(relu.Bytes(15, message{}.Bytes(1, tensor("w", 3, 1)))),
			"shape needs 4"},
		"sparse shape": {model(relu.Bytes(15, message{}.Uint(3, 1<<62))), "sparse"},
		"two values": {model(graph(node("", "Constant",
			message{}.Bytes(5, tensor("", 4)).Bytes(5, tensor("", 4))))), "two values"},
		"sequence": {model(relu.Bytes(11, message{}.Text(1, "s").Bytes(2,
			message{}.Bytes(4, nil)))), "not a dense tensor"},
		"type attribute": {model(graph(node("", "Optional", message{}.Bytes(14, nil)))),
			"holds a type"},
		"nested too deep":    {model(nested(maxSubgraphDepth + 1)), "nested deeper"},
		"too many functions": {chain(maxFunctions+1, 1), "local functions"},
		"3000 functions":     {chain(3000, 1), "local functions"},
		"exponential":        {chain(40, 3), "expand to more"},
		"circle": {model(relu).Bytes(8, opset("local", 1)).
			Bytes(25, function("f", calls(1, "g")...)).
			Bytes(25, function("g", calls(1, "f")...)), "circle"},
		"own call":      {model(relu).Bytes(25, function("f", calls(1, "f")...)), "circle"},
		"twice defined": {chain(2, 1).Bytes(25, function("f1")), "defined twice"},
		"redefinition": {model(relu).Bytes(25, message{}.Text(1, "Relu").Text(10, "ai.onnx")),
			"redefines"},
		"expand": {model(expand.Bytes(5, shapeTensor("s", 1<<19, 1<<19))), "Expand asks for"},
		"overflowing expand": {model(expand.Bytes(5, shapeTensor("s", 1<<40, 1<<40, 1<<40))),
			"Expand asks for"},
		"random normal": {model(graph(node("", "RandomNormal",
			message{}.Text(1, "shape").Uint(8, 1<<38)))), "RandomNormal asks for"},
	}
	for name, c := range cases {
		err := CheckGraph(c.model)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %q does not contain %q", name, err, c.want)
		}
	}
}

// Files that nest a million levels are refused in linear time without deep recursion.
func TestGateOnDeepFiles(t *testing.T) {
	start := time.Now()
	g := []byte(graph(node("", "Relu")))
	for range 3000 { // every level encloses all inner ones
		g = message{}.Bytes(1, message{}.Text(4, "If").Bytes(5, message{}.Bytes(6, g)))
	}
	if err := CheckGraph(model(g)); err == nil || !strings.Contains(err.Error(), "nested") {
		t.Errorf("error %v", err)
	}
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("took %v", took)
	}
}

func TestGateAdmitsDefault(t *testing.T) {
	b, err := Default()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{ContextGraph, QueryGraph} {
		graph, err := b.Graph(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := CheckGraph(graph); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, cut := range []int{1, 100, len(graph) / 2, len(graph) - 1} {
			if CheckGraph(graph[:cut]) == nil {
				t.Errorf("%s cut to %d bytes is admitted", name, cut)
			}
		}
	}
}

func FuzzCheckGraph(f *testing.F) {
	f.Add([]byte(model(graph(node("", "Relu")).Bytes(5, tensor("w", 24, 2, 3)))))
	f.Add([]byte(chain(5, 2)))
	f.Add([]byte(model(nested(3))))
	f.Add([]byte(model(graph(node("", "Constant", message{}.Bytes(5, shapeTensor("s", 1, 2)))))))
	f.Fuzz(func(t *testing.T, data []byte) {
		CheckGraph(data) // must return
	})
}

func BenchmarkCheckGraph(b *testing.B) {
	bundle, err := Default()
	if err != nil {
		b.Fatal(err)
	}
	graph, err := bundle.Graph(ContextGraph)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(graph)))
	for b.Loop() {
		CheckGraph(graph)
	}
}
