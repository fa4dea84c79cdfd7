package parquetguard

// A thriftShape says where a struct holds lists. The generated readers trust the element type that
// the format prescribes, whatever the list declares.
type thriftShape struct {
	list   byte // element type of a list, 0 if the value is a struct
	fields map[int]thriftShape
}

// conform walks a struct and checks that its lists have the prescribed types.
func (w *thriftWalker) conform(s thriftShape) {
	w.fields(func(id int, wire byte) bool {
		field, known := s.fields[id]
		switch {
		case known && wire == thriftList && field.list != 0:
			w.elements(func(wire byte) bool {
				if wire != field.list {
					w.fail()
				}
				if wire == thriftStruct {
					w.conform(field)
				}
				return wire == thriftStruct
			})
			return true
		case known && wire == thriftStruct && field.list == 0:
			w.conform(field)
			return true
		}
		return false
	})
}

// skip skips a value. A boolean takes a byte only inside a list.
func (w *thriftWalker) skip(wire byte, inList bool) {
	switch wire {
	case thriftTrue, thriftFalse:
		if inList {
			w.byte()
		}
	case thriftByte:
		w.byte()
	case thriftI16, thriftI32, thriftI64:
		w.unsigned()
	case thriftDouble:
		w.advance(8)
	case thriftUUID:
		w.advance(16)
	case thriftBinary:
		w.advance(w.count(w.unsigned()))
	case thriftList, thriftSet:
		w.nested(func() { w.elements(nil) })
	case thriftMap:
		w.nested(w.skipMap)
	case thriftStruct:
		w.fields(nil)
	default:
		w.fail()
	}
}

// advance skips n bytes.
func (w *thriftWalker) advance(n int) {
	if n > len(w.buf)-w.pos {
		w.fail()
		return
	}
	w.pos += n
}

// nested runs a walk one level deeper.
func (w *thriftWalker) nested(walk func()) {
	if w.depth++; w.depth > maxNesting {
		w.fail()
	}
	if w.err == nil {
		walk()
	}
	w.depth--
}

// skipMap skips a map.
func (w *thriftWalker) skipMap() {
	n := w.count(w.unsigned())
	if n == 0 {
		return
	}
	kinds := w.byte()
	for range n {
		if w.err != nil {
			return
		}
		w.skip(kinds>>4, true)
		w.skip(kinds&15, true)
	}
}
