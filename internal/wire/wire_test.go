package wire

import (
	"errors"
	"slices"
	"testing"
)

// Contents are found in their order, through messages, and only of length-delimited fields.
func TestContents(t *testing.T) {
	var m Message
	m = m.Bytes(2, Message{}.Text(1, "a").Text(1, "b")).Int(2, 7).Text(3, "c").
		Bytes(2, Message{}.Int(1, 8).Text(1, ""))
	found, err := Contents(m, 2, 1)
	var texts []string
	for _, content := range found {
		texts = append(texts, string(content))
	}
	if err != nil || !slices.Equal(texts, []string{"a", "b", ""}) {
		t.Errorf("%q, %v", texts, err)
	}
	for _, broken := range [][]byte{m[:len(m)-1], Message{}.Text(2, "\x0a\xff")} {
		if _, err := Contents(broken, 2, 1); !errors.Is(err, ErrModel) {
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
