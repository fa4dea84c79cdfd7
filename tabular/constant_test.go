package tabular

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp/internal/must"
)

// TestAdd: constant columns come after those of the file, which has precedence.
func TestAdd(t *testing.T) {
	r, err := OpenReader(strings.NewReader("a,year\n1,2\n3,4\n"), "t.csv", ReadOptions{})
	must.Succeed(t, err)
	r.Add(Constant{Name: "region", Value: "north"}, Constant{Name: "year", Value: "2026"},
		Constant{Name: "day", Value: "7", Number: true}, Constant{Name: "bad", Value: "x", Number: true})
	if got := fmt.Sprint(r.Names()); got != "[a year region day bad]" {
		t.Error(got)
	}
	b, err := r.Next(t.Context())
	must.Succeed(t, err)
	want := []string{"3", "4", "north", "7", "(null)"}
	for i, text := range want {
		if got := b.Record.Column(i).ValueStr(1); got != text {
			t.Errorf("column %d: %s, want %s", i, got, text)
		}
	}
	s := learnText(t, "a,region,day,y\n1,north,1,2\n2,south,7,3\n5,south,7,3\n",
		SchemaOptions{Target: "y"})
	if f, err := s.Features(b); err != nil || fmt.Sprint(f.Data) != "[1 0 7 3 0 7]" {
		t.Errorf("%v, %v", f.Data, err)
	}
}
