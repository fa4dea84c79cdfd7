package parquetguard

import (
	"errors"
	"fmt"
)

// A schemaTree checks a list of nodes, each with the number of its children, in depth-first
// order.
type schemaTree struct {
	open  []int // nodes still to come at each level
	nodes int
	bad   error

	leaves  int
	unknown map[int]bool // leaves of unknown logical types
}

// walk reads the next node, a struct SchemaElement.
func (t *schemaTree) walk(w *thriftWalker) {
	children, leaf, unknown := 0, false, false
	w.fields(func(id int, wire byte) bool {
		switch {
		case id == 1:
			leaf = true
		case id == 5 && wire == thriftI32:
			children = int(w.signed())
			return true
		case id == 10 && wire == thriftStruct:
			unknown = w.replaceUnknown()
			return true
		}
		return false
	})
	if leaf {
		if unknown {
			t.unknown[t.leaves] = true
		}
		t.leaves++
	}
	t.add(children)
}

// replaceUnknown walks a logical type, a struct with one field. It replaces a field with an unknown
// number by the type without values, and reports whether it did.
func (w *thriftWalker) replaceUnknown() bool {
	const none, youngest = 11, 18
	replaced, seen := false, 0
	w.fields(func(id int, wire byte) bool {
		if seen++; seen > 1 || wire != thriftStruct {
			w.fail()
			return true
		}
		if id >= 1 && id <= youngest && id != 9 {
			return false
		}
		replaced = true
		at := w.buf[w.head:w.pos]
		if len(at) == 1 {
			at[0] = none<<4 | thriftStruct
			return false
		}
		at[1] = 2 * none // zigzag, in the same number of bytes
		for i := 2; i < len(at); i++ {
			at[i-1] |= 0x80
			at[i] = 0
		}
		return false
	})
	if seen == 0 {
		w.fail()
	}
	return replaced
}

// add adds the next node.
func (t *schemaTree) add(children int) {
	t.nodes++
	for len(t.open) > 0 && t.open[len(t.open)-1] == 0 {
		t.open = t.open[:len(t.open)-1]
	}
	switch {
	case t.bad != nil:
	case children < 0 || len(t.open) == 0:
		t.bad = errors.New("the schema is damaged")
	case len(t.open) > maxNesting:
		t.bad = fmt.Errorf("types are nested deeper than %d levels", maxNesting)
	case t.nodes > 4*MaxColumns:
		t.bad = fmt.Errorf("there are more than %d columns", MaxColumns)
	default:
		t.open[len(t.open)-1]--
		t.open = append(t.open, children)
	}
}

// check checks that the list was one complete tree.
func (t *schemaTree) check() error {
	for _, n := range t.open {
		if n != 0 && t.bad == nil {
			t.bad = errors.New("the schema is damaged")
		}
	}
	if t.nodes == 0 {
		return errors.New("the schema is empty")
	}
	return t.bad
}
