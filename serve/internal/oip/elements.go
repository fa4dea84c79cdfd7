package oip

import (
	"encoding/json"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// read returns the elements of a tensor: in one list, row by row, or nested exactly as the shape
// says. Any other nesting contradicts the shape, and its elements may belong elsewhere. The data
// are valid JSON.
func (t Tensor) read(data json.RawMessage) (arrow.Array, error) {
	typ, _, n, err := t.extent()
	if err != nil {
		return nil, err
	}
	builder := array.NewBuilder(memory.DefaultAllocator, typ)
	defer builder.Release()
	builder.Reserve(min(n, len(data)/2+1)) // an element has a byte, and one follows it
	r := &elementReader{name: t.Name, datatype: t.Datatype, shape: t.Shape, builder: builder, most: n}
	if err := r.read(data); err != nil {
		return nil, err
	}
	return builder.NewArray(), nil
}

// elementReader reads the lists of a tensor.
type elementReader struct {
	name     string
	datatype Datatype
	shape    []int64
	builder  array.Builder
	most     int

	found int
	open  []int64 // items of the lists that are open, the outermost first
	deep  int     // of the first element, 0 before it
}

// read reads all elements.
func (r *elementReader) read(data []byte) error {
	seen := false
	for i := 0; i < len(data); {
		switch data[i] {
		case '[':
			seen = true
			r.item()
			r.open = append(r.open, 0)
			i++
		case ']':
			if err := r.closeList(); err != nil {
				return err
			}
			i++
		case ',', ' ', '\t', '\r', '\n':
			i++
		default:
			token := Token(data[i:])
			if len(r.open) == 0 {
				return faultf("input %q has no list of data", r.name)
			}
			if err := r.element(token); err != nil {
				return err
			}
			i += len(token)
		}
	}
	switch {
	case !seen:
		return faultf("input %q has no list of data", r.name)
	case r.found < r.most:
		return faultf("input %q has %d elements, but shape %v needs %d", r.name, r.found, r.shape, r.most)
	}
	return nil
}

// item counts an item of the list that is open.
func (r *elementReader) item() {
	if n := len(r.open); n > 0 {
		r.open[n-1]++
	}
}

// element reads an element: all are in one list, or as deep as the shape has dimensions.
func (r *elementReader) element(token []byte) error {
	r.item()
	if r.found++; r.found > r.most {
		return faultf("input %q has more elements than its shape %v", r.name, r.shape)
	}
	deep := len(r.open)
	if r.deep == 0 {
		r.deep = deep
	}
	if deep != r.deep || deep != 1 && deep != len(r.shape) {
		return r.contradiction()
	}
	if !appendToken(r.builder, token) {
		return faultf("input %q: element %d is not of datatype %s", r.name, r.found, r.datatype)
	}
	return nil
}

// closeList compares the list that ends with its dimension, where lists are nested.
func (r *elementReader) closeList() error {
	last := len(r.open) - 1
	items := r.open[last]
	r.open = r.open[:last]
	nested := r.deep > 1 || r.deep == 0 && (last > 0 || items > 0)
	if nested && (last >= len(r.shape) || items != r.shape[last]) {
		return r.contradiction()
	}
	return nil
}

// contradiction reports lists that are not those of the shape.
func (r *elementReader) contradiction() error {
	return faultf("the nested lists of input %q contradict its shape %v: send the elements in one "+
		"list, row by row, or nest them exactly like the shape", r.name, r.shape)
}
