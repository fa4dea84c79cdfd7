package joint

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/tabular"
)

// Averages are those of the draws, whatever the order in which groups come; a difference of equal
// draws is nothing.
func TestAverages(t *testing.T) {
	contrasts := []Contrast{
		{Text: "b - a", Plus: RowSet{Group: "b"}, Minus: RowSet{Group: "a"}},
		{Text: "row 2 - row 2", Plus: RowSet{Row: 2}, Minus: RowSet{Row: 2}},
	}
	a := NewAverages("g", contrasts)
	for i, group := range []string{"b", "a", "b", ""} {
		v := float64(i)
		draws := [][]float64{{v, 10 * v, -v}}
		err := a.Add(group, Row{Points: []float64{v}, Draws: draws, Together: draws})
		must.Succeed(t, err)
	}
	list, err := a.Effects()
	must.Succeed(t, err)
	want := []Effect{
		{Name: "all", Rows: 4, Points: []float64{1.5}, Draws: [][]float64{{1.5, 15, -1.5}}},
		{Name: "b", Rows: 2, Points: []float64{1}, Draws: [][]float64{{1, 10, -1}}},
		{Name: "a", Rows: 1, Points: []float64{1}, Draws: [][]float64{{1, 10, -1}}},
		{Name: "b - a", Points: []float64{0}, Draws: [][]float64{{0, 0, 0}}},
		{Name: "row 2 - row 2", Points: []float64{0}, Draws: [][]float64{{0, 0, 0}}},
	}
	for i, e := range list {
		w := want[i]
		if e.Name != w.Name || e.Rows != w.Rows || !slices.Equal(e.Points, w.Points) ||
			!slices.Equal(e.Draws[0], w.Draws[0]) {
			t.Errorf("%+v, want %+v", e, w)
		}
	}
	if one := (Effect{Draws: [][]float64{{1, 2, 3, 4}, {-1, -1, -1, -2}}}); one.Above(0) != 0.875 ||
		one.Above(1) != 0.125 {
		t.Errorf("4 draws that agree tell %g and %g", one.Above(0), one.Above(1))
	}
	if a.Lost != 1 || (Effect{Draws: [][]float64{{1, 2, 0, -1}}}).Above(0) != 0.625 {
		t.Errorf("%d rows without a group", a.Lost)
	}
}

// Without rows there are no averages, also none of contrasts; a contrast of a row is an error.
func TestAveragesOfNoRows(t *testing.T) {
	for text, wrong := range map[string]bool{"all - all": false, "all - row 1": true} {
		c, err := ParseContrast(text, false)
		must.Succeed(t, err)
		list, err := NewAverages("", []Contrast{c}).Effects()
		if _, ok := errors.AsType[*ContrastError](err); list != nil || ok != wrong {
			t.Errorf("%s: %+v, %v", text, list, err)
		}
	}
}

// Too many groups are refused as a limit.
func TestTooManyGroups(t *testing.T) {
	a := NewAverages("g", nil)
	var err error
	for i := range maxGroups + 1 {
		must.Succeed(t, err)
		err = a.Add(string(rune(i+1)), Row{})
	}
	limit, ok := errors.AsType[*tabular.Error](err)
	if !ok || !limit.Limit || !strings.Contains(err.Error(), "more than 10000 groups") {
		t.Errorf("groups: %v", err)
	}
}

// Groups that take more memory than they may are refused as soon as they do.
func TestGroupsInMemory(t *testing.T) {
	a := NewAverages("g", nil)
	a.Memory = 1 << 20
	row := Row{Points: []float64{1, 2}, Draws: [][]float64{make([]float64, 999), make([]float64, 999)}}
	added := 0
	var err error
	for ; err == nil && added <= maxGroups; added++ {
		err = a.Add(string(rune(added+1)), row)
	}
	limit, ok := errors.AsType[*tabular.Error](err)
	if !ok || !limit.Limit || added != 66 ||
		!strings.Contains(err.Error(), "more than 65 groups, of 2000 values each, take more than 1 MiB") {
		t.Errorf("%d groups: %v", added, err)
	}
	if err := a.Add(string(rune(1)), row); err != nil {
		t.Errorf("a group that is there: %v", err)
	}
}
