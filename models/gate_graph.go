package models

import (
	"errors"
	"fmt"
	"slices"
)

// graph checks GraphProto. It keeps the names of the main graph's inputs and outputs.
func (g *gate) graph(it item) error {
	if it.depth > maxSubgraphDepth {
		return fmt.Errorf("sub-graphs are nested deeper than %d", maxSubgraphDepth)
	}
	main := it.owner < 0 && it.depth == 0
	return eachField(it.data, func(f field) error {
		switch f.num {
		case 1:
			return g.push(nodeItem, f, it)
		case 5:
			return g.push(tensorItem, f, it)
		case 15:
			return g.push(sparseItem, f, it)
		case 11, 12, 13:
			return g.value(f, main)
		}
		return nil
	})
}

// value reads ValueInfoProto.
func (g *gate) value(f field, main bool) error {
	var v valueInfo
	err := eachField(f.bytes, func(f field) error {
		switch f.num {
		case 1:
			v.name = string(f.bytes)
		case 2:
			return eachField(f.bytes, func(f field) error { return tensorType(f, &v) })
		}
		return nil
	})
	if err != nil || !main {
		return err
	}
	switch f.num {
	case 11:
		g.info.inputs = append(g.info.inputs, v)
	case 12:
		g.info.outputs = append(g.info.outputs, v)
	}
	return nil
}

// tensorType reads one field of TypeProto. It refuses sequences, maps and optionals, which nest.
func tensorType(f field, v *valueInfo) error {
	switch f.num {
	case 1:
		return eachField(f.bytes, func(f field) error {
			if f.num == 1 {
				v.elemType = int64(f.varint)
			}
			return nil
		})
	case 4, 5, 8, 9:
		return fmt.Errorf("value %q is not a dense tensor", v.name)
	}
	return nil
}

// node checks NodeProto: its operator must have a known domain. It pushes its attributes.
func (g *gate) node(it item) error {
	if g.info.nodes++; g.info.nodes > maxNodes {
		return fmt.Errorf("it has more than %d nodes", maxNodes)
	}
	n := nodeRecord{owner: it.owner}
	var attributes []field
	err := eachField(it.data, func(f field) error {
		switch f.num {
		case 1:
			n.inputs = append(n.inputs, string(f.bytes))
		case 2:
			n.outputs = append(n.outputs, string(f.bytes))
		case 4:
			n.op.name = string(f.bytes)
		case 5:
			attributes = append(attributes, f)
		case 7:
			n.op.domain = canonicalDomain(string(f.bytes))
		case 8:
			n.op.overload = string(f.bytes)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if n.op.name == "" {
		return errors.New("it is malformed: a node has no operator")
	}
	for _, f := range attributes {
		if err := g.push(attributeItem, f, it); err != nil {
			return err
		}
		if err := g.shapes.constant(n, f.bytes); err != nil {
			return err
		}
	}
	g.functions.call(n)
	g.shapes.use(n)
	return nil
}

// attribute checks AttributeProto. It pushes tensors and graphs inside it.
func (g *gate) attribute(it item) error {
	inner := it
	inner.depth++
	var singles []field
	err := eachField(it.data, func(f field) error {
		switch f.num {
		case 5, 6, 22: // t, g, sparse_tensor: a second one would be merged into the first
			same := func(seen field) bool { return seen.num == f.num }
			if slices.ContainsFunc(singles, same) {
				return errors.New("it is malformed: an attribute has two values")
			}
			singles = append(singles, f)
		}
		switch f.num {
		case 5, 10:
			return g.push(tensorItem, f, it)
		case 6, 11:
			return g.push(graphItem, f, inner)
		case 14, 15:
			return errors.New("an attribute holds a type")
		case 22, 23:
			return g.push(sparseItem, f, it)
		}
		return nil
	})
	return err
}

// sparse checks SparseTensorProto, whose dense shape has the same limits.
func (g *gate) sparse(it item) error {
	elements := int64(1)
	return eachField(it.data, func(f field) error {
		switch f.num {
		case 1, 2:
			return g.push(tensorItem, f, it)
		case 3:
			return eachInt(f, func(dim uint64) error {
				var ok bool
				if elements, ok = multiply(elements, dim); !ok {
					return errors.New("a sparse tensor has an impossible shape")
				}
				return nil
			})
		}
		return nil
	})
}
