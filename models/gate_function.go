package models

import (
	"errors"
	"fmt"
)

// operator names an operator or a local function.
type operator struct{ domain, name, overload string }

// nodeRecord is what the gate keeps of a node during its check.
type nodeRecord struct {
	op      operator
	inputs  []string
	outputs []string
	owner   int
}

// contribOperators are the allowed operators of com.microsoft: fusions that onnxruntime's own
// optimiser and quantiser write into a saved graph.
var contribOperators = map[string]bool{
	"Attention": true, "BiasGelu": true, "BiasSoftmax": true, "DequantizeLinear": true,
	"DynamicQuantizeMatMul": true, "FastGelu": true, "FusedGemm": true, "FusedMatMul": true,
	"Gelu": true, "MatMulIntegerToFloat": true, "MatMulNBits": true, "MultiHeadAttention": true,
	"QLinearAdd": true, "QLinearMul": true, "QuantizeLinear": true, "QuickGelu": true,
	"RotaryEmbedding": true, "SimplifiedLayerNormalization": true,
	"SkipLayerNormalization": true,
}

// canonicalDomain maps both spellings of the default domain to one.
func canonicalDomain(domain string) string {
	if domain == "ai.onnx" {
		return ""
	}
	return domain
}

// functionTable collects local functions and their calls.
type functionTable struct {
	index map[operator]int
	calls map[[2]int]callCount // caller and the operator's number
	ops   map[operator]int     // numbers of the operators seen
}

type callCount struct {
	op    operator
	count int64
}

func newFunctionTable() functionTable {
	return functionTable{index: map[operator]int{}, calls: map[[2]int]callCount{},
		ops: map[operator]int{}}
}

// call records a node: its body and its operator.
func (t *functionTable) call(n nodeRecord) {
	number, ok := t.ops[n.op]
	if !ok {
		number = len(t.ops)
		t.ops[n.op] = number
	}
	key := [2]int{n.owner, number}
	c := t.calls[key]
	t.calls[key] = callCount{n.op, c.count + 1}
}

// function reads FunctionProto and pushes its nodes.
func (g *gate) function(f field) error {
	owner := len(g.functions.index)
	if owner >= maxFunctions {
		return fmt.Errorf("it has more than %d local functions", maxFunctions)
	}
	var op operator
	parent := item{owner: owner}
	err := eachField(f.bytes, func(f field) error {
		switch f.num {
		case 1:
			op.name = string(f.bytes)
		case 7:
			return g.push(nodeItem, f, parent)
		case 9:
			return g.opsetImport(f, false)
		case 10:
			op.domain = canonicalDomain(string(f.bytes))
		case 11:
			return g.push(attributeItem, f, parent)
		case 13:
			op.overload = string(f.bytes)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if _, ok := g.functions.index[op]; ok || op.name == "" {
		return fmt.Errorf("it is malformed: the local function %q is unnamed or defined twice", op.name)
	}
	if admittedDomain(op.domain) {
		return fmt.Errorf("the local function %q redefines the domain %q", op.name, op.domain)
	}
	g.functions.index[op] = owner
	return nil
}

func admittedDomain(domain string) bool {
	return domain == "" || domain == "ai.onnx.ml" || domain == "com.microsoft"
}

// check resolves all calls. Every operator must be standard, allowed or local. Local functions must
// not call each other in a circle, nor multiply beyond maxExpandedNodes when inlined.
func (t *functionTable) check(domains map[string]bool) error {
	local := map[string]bool{}
	for op := range t.index {
		local[op.domain] = true
	}
	for domain := range domains {
		if !admittedDomain(domain) && !local[domain] {
			return fmt.Errorf("it uses the foreign operator domain %q", domain)
		}
	}
	edges := make([][]callCount, len(t.index)+1)
	for key, call := range t.calls {
		op := call.op
		if _, ok := t.index[op]; !ok && !admittedDomain(op.domain) {
			return fmt.Errorf("it uses the operator %q of the foreign domain %q", op.name, op.domain)
		}
		if op.domain == "com.microsoft" && !contribOperators[op.name] {
			return fmt.Errorf("the operator %q of com.microsoft is not allowed", op.name)
		}
		edges[key[0]+1] = append(edges[key[0]+1], call)
	}
	return t.expand(edges)
}

// expand computes the size of every body after inlining, callees first. edges[i+1] are the calls of
// function i, edges[0] those of the main graph. If a round settles nothing, there is a circle.
func (t *functionTable) expand(edges [][]callCount) error {
	sizes := make([]int64, len(edges)) // 0 = unknown
	for settled := 0; settled < len(edges); {
		before := settled
		for i := range edges {
			if sizes[i] != 0 {
				continue
			}
			if size, ok := t.size(edges[i], sizes); ok {
				if size > maxExpandedNodes {
					return fmt.Errorf("local functions expand to more than %d nodes",
						maxExpandedNodes)
				}
				sizes[i] = size
				settled++
			}
		}
		if settled == before {
			return errors.New("local functions call each other in a circle")
		}
	}
	return nil
}

// size adds up one body; it returns false if a callee is unknown. Sizes are at most
// maxExpandedNodes and counts at most maxNodes, so nothing overflows.
func (t *functionTable) size(calls []callCount, sizes []int64) (int64, bool) {
	total := int64(1)
	for _, call := range calls {
		each := int64(1)
		if callee, ok := t.index[call.op]; ok {
			if each = sizes[callee+1]; each == 0 {
				return 0, false
			}
		}
		total += call.count * each
	}
	return total, true
}
