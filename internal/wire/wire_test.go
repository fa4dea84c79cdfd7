package wire

import (
	"errors"
	"fmt"
	"slices"
	"testing"
)

// Ports are read from the graph, and what is cut short is no model.
func TestPorts(t *testing.T) {
	value := func(name string, dims ...int64) Message {
		var shape Message
		for _, d := range dims {
			shape = shape.Bytes(1, Message{}.Int(1, d))
		}
		shape = shape.Bytes(1, Message{}.Text(2, "N"))
		return Message{}.Text(1, name).Bytes(2, Message{}.Bytes(1, Message{}.Int(1, 7).Bytes(2, shape)))
	}
	m := Message{}.Int(1, 8).Bytes(7, Message{}.Bytes(1, nil).Bytes(11, value("x", 2)).
		Bytes(12, value("y")).Bytes(12, value("z", 3, 4)))
	inputs, outputs, err := Ports(m)
	want := "[{x 7 [2 -1]}] [{y 7 [-1]} {z 7 [3 4 -1]}]"
	if got := fmt.Sprint(inputs, " ", outputs); err != nil || got != want {
		t.Errorf("%s, %v", got, err)
	}
	for _, broken := range []Message{m[:len(m)-1], Message{}.Int(1, 8),
		Message{}.Bytes(7, Message{}.Text(11, "\x0a\xff"))} {
		if _, _, err := Ports(broken); !errors.Is(err, ErrModel) {
			t.Errorf("%x: %v", broken, err)
		}
	}
}

// Fields keep their bytes; integers are packed or single.
func TestFields(t *testing.T) {
	m := Message{}.Int(1, 300).Bytes(1, []byte{5, 0xac, 2}).Bytes(1, []byte{0xac})
	list, err := Fields(m)
	if err != nil || len(list) != 3 {
		t.Fatalf("%v, %v", list, err)
	}
	if got := slices.Concat(list[0].Raw, list[1].Raw, list[2].Raw); !slices.Equal(got, m) {
		t.Errorf("%x, not %x", got, m)
	}
	for i, want := range [][]int64{{300}, {5, 300}} {
		if got, err := list[i].Integers(); err != nil || !slices.Equal(got, want) {
			t.Errorf("%v, %v, not %v", got, err, want)
		}
	}
	if _, err := list[2].Integers(); !errors.Is(err, ErrModel) {
		t.Errorf("an integer that is cut short: %v", err)
	}
}
