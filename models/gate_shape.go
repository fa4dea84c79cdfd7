package models

import (
	"encoding/binary"
	"fmt"
)

// shapeTable finds constant shapes of absurd size, such as an Expand to 2^38 elements, which
// onnxruntime would evaluate while loading the graph.
type shapeTable struct {
	products map[string]int64 // product of the values of small integer constants, by name
	uses     map[string]string
}

func newShapeTable() shapeTable {
	return shapeTable{products: map[string]int64{}, uses: map[string]string{}}
}

// shapeInput is the number of the input with a shape, by operator of the default domain.
var shapeInput = map[string]int{"ConstantOfShape": 0, "Expand": 1, "Tile": 1}

// maxShapeValues limits the size of constants that may be shapes.
const maxShapeValues = 16

// use records that a node takes a shape from one of its inputs.
func (t *shapeTable) use(n nodeRecord) {
	i, ok := shapeInput[n.op.name]
	if ok && n.op.domain == "" && i < len(n.inputs) && n.inputs[i] != "" {
		t.uses[n.inputs[i]] = n.op.name
	}
}

// constant records the value of a Constant node, and refuses generators with an absurd shape.
func (t *shapeTable) constant(n nodeRecord, attribute []byte) error {
	if n.op.domain != "" || len(n.outputs) == 0 {
		return nil
	}
	var name string
	product, values := int64(1), 0
	err := eachField(attribute, func(f field) error {
		switch f.num {
		case 1:
			name = string(f.bytes)
		case 5:
			if n.op.name == "Constant" {
				t.tensor(n.outputs[0], f.bytes)
			}
		case 8:
			return eachInt(f, func(v uint64) error {
				product, values = saturate(product, v), values+1
				return nil
			})
		}
		return nil
	})
	if err != nil || values == 0 {
		return err
	}
	switch {
	case n.op.name == "Constant" && name == "value_ints" && values <= maxShapeValues:
		t.note(n.outputs[0], product)
	case name == "shape" && product > maxConstantShape:
		return fmt.Errorf("%s asks for %d elements or more", n.op.name, product)
	}
	return nil
}

// tensor records the product of the values of a small int64 tensor.
func (t *shapeTable) tensor(name string, data []byte) {
	product, values := int64(1), 0
	ints := false
	_ = eachField(data, func(f field) error { // the tensor itself is checked elsewhere
		switch f.num {
		case 2:
			ints = f.varint == 7
		case 7:
			return eachInt(f, func(v uint64) error {
				product, values = saturate(product, v), values+1
				return nil
			})
		case 9:
			if len(f.bytes) > 8*maxShapeValues {
				return nil
			}
			for raw := f.bytes; len(raw) >= 8; raw = raw[8:] {
				product, values = saturate(product, binary.LittleEndian.Uint64(raw)), values+1
			}
		}
		return nil
	})
	if ints && values > 0 && values <= maxShapeValues {
		t.note(name, product)
	}
}

// note keeps the largest product under a name, since names may repeat in sub-graphs.
func (t *shapeTable) note(name string, product int64) {
	t.products[name] = max(t.products[name], product)
}

// check compares all used shapes with the limit.
func (t *shapeTable) check() error {
	for name, op := range t.uses {
		if product := t.products[name]; product > maxConstantShape {
			return fmt.Errorf("%s asks for %d elements or more", op, product)
		}
	}
	return nil
}

// saturate multiplies; it treats negative and zero factors as one and stops at 2^40.
func saturate(a int64, factor uint64) int64 {
	if factor == 0 || factor > 1<<63 {
		return a
	}
	if product, ok := multiply(a, factor); ok {
		return product
	}
	return 1 << 40
}
