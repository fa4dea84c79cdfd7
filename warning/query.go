package warning

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/pfnamp/pfnamp/internal/rows"
	"github.com/pfnamp/pfnamp/tabular"
)

// Tally counts what is odd about encoded query rows. The tally of several batches is the sum of
// theirs, see [Tally.Add].
type Tally struct {
	Counted int      // rows
	Notes   []string // about the columns, see tabular.Features
	// Cells by feature: outside the range of the training table, with a category that it lacks, and
	// missing where it is complete.
	Outside, Unseen, Missing map[string]int
	// UnseenValues are by feature the first of these categories, in the order of their rows.
	UnseenValues map[string][]tabular.UnseenValue
	Known        int // rows with the features of a row of the context
	// NewGroups counts the rows whose value of Question.ConformalBy is not in the context. They are
	// compared with all rows of the context, and the promise of their group does not hold.
	NewGroups int
	// FellBack is the number of rows where the posterior Auto used chains because the network's two
	// outputs contradict each other.
	FellBack int
}

// Count counts what encoding tells of rows.
func Count(s *tabular.Schema, f tabular.Features) Tally {
	t := Tally{Counted: f.Rows, Notes: f.Notes, Outside: f.Outside, Unseen: f.Unseen,
		UnseenValues: f.UnseenValues, Missing: map[string]int{}}
	for j, c := range s.Encoded() {
		if c.Part != "" {
			break
		}
		n := missingCells(f, j, len(c.Categories) > 0) - f.Unseen[c.Name]
		if n > 0 && c.Missing == 0 {
			t.Missing[c.Name] = n
		}
	}
	return t
}

// missingCells counts the cells of a feature that are missing or unseen, unless they are unknown.
func missingCells(x tabular.Features, column int, categorical bool) (n int) {
	for i := range x.Rows {
		v := x.Data[i*x.Cols+column]
		if math.IsNaN(v) && !rows.IsUnknown(v) || categorical && v < 0 {
			n++
		}
	}
	return n
}

// Add adds the counts of further rows of the same table to a tally that began as its zero value.
func (t *Tally) Add(more Tally) {
	if t.UnseenValues == nil {
		t.UnseenValues = map[string][]tabular.UnseenValue{}
	}
	for _, c := range []struct {
		sum  *map[string]int
		more map[string]int
	}{{&t.Outside, more.Outside}, {&t.Unseen, more.Unseen}, {&t.Missing, more.Missing}} {
		if *c.sum == nil {
			*c.sum = map[string]int{}
		}
		for column, n := range c.more {
			(*c.sum)[column] += n
		}
	}
	for column, values := range more.UnseenValues {
		all := slices.Concat(t.UnseenValues[column], values)
		slices.SortStableFunc(all, func(a, b tabular.UnseenValue) int {
			return cmp.Compare(a.Row, b.Row)
		})
		seen := map[string]bool{}
		all = slices.DeleteFunc(all, func(v tabular.UnseenValue) bool {
			again := seen[v.Text]
			seen[v.Text] = true
			return again
		})
		t.UnseenValues[column] = all[:min(len(all), tabular.MostUnseen)]
	}
	for _, note := range more.Notes {
		if !slices.Contains(t.Notes, note) {
			t.Notes = append(t.Notes, note)
		}
	}
	t.Counted, t.Known = t.Counted+more.Counted, t.Known+more.Known
	t.NewGroups, t.FellBack = t.NewGroups+more.NewGroups, t.FellBack+more.FellBack
}

// Warnings tells what is odd about the cells, by the names of columns, and about the rows.
// averaged tells that answers are means over what missing cells may hold; else they are the model's
// own reading.
//
// Of n training rows and one more from the same distribution, the new one is the smallest or
// largest with probability at most 2/(n+1). An OutsideRange tells of more than twice as many rows,
// and more than a twentieth. KnownRows tells of at least half of the rows.
func (t Tally) Warnings(s *tabular.Schema, averaged bool) (all []Warning) {
	if w := t.unseen(s); w.Text != "" {
		all = append(all, w)
	}
	if len(t.Missing) > 0 {
		all = append(all, t.missing(s, averaged))
	}
	usual := max(0.05, 4/float64(s.Rows+1))
	for i := range s.Columns {
		c := &s.Columns[i]
		n := t.Outside[c.Name]
		if !(float64(n) > usual*float64(t.Counted)) {
			continue
		}
		cells := fmt.Sprintf("column %q: %d of %s (%.0f %%)", c.Name, n, count(t.Counted, "row"),
			100*float64(n)/float64(t.Counted))
		if lo, hi := c.Text(c.Lo), c.Text(c.Hi); lo == hi {
			all = append(all, New(OutsideRange, c.Name, "%s have another value than the only one of %s, "+
				"%s: the model learns nothing from this column", cells, s.File, lo))
		} else {
			all = append(all, New(OutsideRange, c.Name, "%s outside the range of %s, %s to %s: the network "+
				"extrapolates there", cells, s.File, lo, hi))
		}
	}
	if t.Known > 0 && 2*t.Known >= t.Counted {
		have := "have"
		if t.Known == 1 {
			have = "has"
		}
		all = append(all, New(KnownRows, "", "%d of %s %s the features of a row of %s: their "+
			"predictions do not show how well the model predicts new rows", t.Known,
			count(t.Counted, "row"), have, s.File))
	}
	return all
}

// unseen tells of the cells with categories that the training table lacks, of all columns at once.
func (t Tally) unseen(s *tabular.Schema) (w Warning) {
	w.Kind = UnseenCategories
	for _, column := range slices.Sorted(maps.Keys(t.Unseen)) {
		before, lacks := "", " with a category that "+s.File+" does not have, treated as unknown"
		if w.Column = column; w.Text != "" {
			before, lacks, w.Column = "; ", "", ""
		}
		w.Text += fmt.Sprintf("%scolumn %q: %s", before, column, count(t.Unseen[column], "cell")) + lacks
		for i, v := range t.UnseenValues[column] {
			w.Values = append(w.Values, v.Text)
			w.Text += []string{": ", ", ", ", "}[i] + strconv.Quote(v.Text)
			if v.Line > 0 {
				w.Text += fmt.Sprintf(" (line %d", v.Line)
			} else {
				w.Text += fmt.Sprintf(" (row %d", v.Row)
			}
			if v.Near != "" {
				w.Text += fmt.Sprintf(", nearest %q", v.Near)
			}
			w.Text += ")"
		}
	}
	return w
}

// missing tells of missing cells in columns of which the network has not read what they mean.
func (t Tally) missing(s *tabular.Schema, averaged bool) Warning {
	const most = 5
	var listed []string
	for _, column := range slices.Sorted(maps.Keys(t.Missing)) {
		if len(listed) < most {
			listed = append(listed, fmt.Sprintf("%q (%s)", column, count(t.Missing[column], "row")))
		}
	}
	text := strings.Join(listed, ", ")
	if more := len(t.Missing) - len(listed); more > 0 {
		text += " and " + count(more, "other")
	}
	how := "the answers average over their possible values"
	if !averaged {
		how = "the model reads a constant there, so intervals are too narrow"
	}
	return New(MissingCells, "", "missing cells in columns that are complete in %s: %s; %s", s.File,
		text, how)
}
