package pfnamp

import (
	"errors"
	"path/filepath"
	"slices"
	"testing"

	"github.com/pfnamp/pfnamp/folds"
	"github.com/pfnamp/pfnamp/heldout"
	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/reading"
)

// Conformal intervals of a network: other predictive intervals, the same credible ones; refused
// with few rows and of a state.
func TestConformalOfANetwork(t *testing.T) {
	f := fit(t, opened(t, ""), FitOptions{Target: "y", Ignore: []string{"kind"}})
	plain := ask(t, prepare(t, f, Question{Chains: 20, Seed: 3}), flats(8))
	p := prepare(t, f, Question{Chains: 20, Predictive: ConformalInterval, Seed: 3})
	defer p.Close()
	a := ask(t, p, flats(8))
	if a.Posteriors[0].Estimates[0][0].Lo != plain.Posteriors[0].Estimates[0][0].Lo ||
		a.Predictive[0] == plain.Predictive[0] {
		t.Errorf("%+v beside %+v", a.Predictive[0], plain.Predictive[0])
	}
	c := p.Conformal()
	if c.Folds() != DefaultFolds || c.Guarantee() < 0.6 || c.Guarantee() > 0.8 {
		t.Errorf("%d folds, %v", c.Folds(), c.Guarantee())
	}
	for i, row := range flats(8) {
		if in := a.Predictive[i]; !(in.Lo <= in.Hi) || in.Hi-in.Lo > 400 {
			t.Errorf("row %v: %+v", row, in)
		}
	}
	_, err := f.Prepare(t.Context(), Question{Predictive: ConformalInterval, Level: 0.99})
	if small, ok := errors.AsType[*heldout.SmallTableError](err); !ok || small.Least != 99 ||
		small.Rows != 60 {
		t.Errorf("level 0.99: %v", err)
	}
	f.table.X.Rows = 0
	if _, err := f.Prepare(t.Context(), Question{Predictive: ConformalInterval}); !errors.Is(err,
		ErrNoTable) {
		t.Errorf("a state: %v", err)
	}
}

// Held-out rows that lack cells are answered as query rows are, by donors among the rows of the
// other folds: the promise rests on both being treated alike.
func TestHeldOutRowsHaveDonors(t *testing.T) {
	rows := flats(60)
	delete(rows[9], "area")
	delete(rows[23], "area")
	f := fitRows(t, opened(t, filepath.Join("testdata", "tiny")), "flats", rows,
		FitOptions{Target: "y", Ignore: []string{"kind"}})
	q := Question{Level: 0.8, Missing: reading.Average}
	m := f.heldOut(f.table, q.Missing, 0)
	lacking := 0
	for k, fold := range folds.List(folds.Stratified(0, make([]int, 60), 3), 3) {
		held, others := fold.Held, fold.Read
		r, err := m.Read(t.Context(), f.table.Take(others))
		must.Succeed(t, err)
		defer r.Close()
		part := f.table.Take(held)
		scores, err := r.Scores(t.Context(), part, q.Level)
		must.Succeed(t, err)
		lending := reading.NewDonors(f.table.Take(others), 0, 0)
		said, err := lending.Predictions(t.Context(), r.Context(), part.X, false)
		must.Succeed(t, err)
		alone, err := (*reading.Donors)(nil).Predictions(t.Context(), r.Context(), part.X, false)
		must.Succeed(t, err)
		without := reading.CentralIntervals(alone, q.Level)
		for i, in := range reading.CentralIntervals(said, q.Level) {
			if want := in.Miss(part.Y[i]); scores[i] != want {
				t.Errorf("fold %d, row %d: the score is %v, as a query row %v", k, held[i], scores[i], want)
			}
			if in != without[i] {
				lacking++
			}
		}
	}
	if lacking != 3 {
		t.Errorf("donors answer %d rows, want the 3 that lack a cell", lacking)
	}
}

// Sets of a classifier hold the most probable class, do not depend on other rows or workers, and
// grow with the level; a class of one row is missing from the context without its fold.
func TestSetsOfAClassifier(t *testing.T) {
	rows := flats(60)
	rows[7]["kind"] = "boat"
	f := fitRows(t, opened(t, "testdata/tiny-classes"), "flats", rows, FitOptions{Target: "kind"})
	sizes := []int{}
	for _, level := range []float64{0.3, 0.6, 0.97} {
		q := Question{Chains: 20, Predictive: ConformalInterval, Level: level, Seed: 3}
		p := prepare(t, f, q)
		a, size := ask(t, p, rows[:12]), 0
		for i, set := range a.Sets {
			size += len(set)
			if !slices.Contains(set, a.Best[i]) || !slices.IsSorted(set) {
				t.Errorf("level %v, row %d: %v, and %d is the most probable", level, i, set, a.Best[i])
			}
		}
		q.Workers = 1
		one := prepare(t, f, q)
		for i := range 12 {
			if alone := ask(t, one, rows[i:i+1]); !slices.Equal(alone.Sets[0], a.Sets[i]) {
				t.Errorf("row %d: %v, alone %v", i, a.Sets[i], alone.Sets[0])
			}
		}
		sizes = append(sizes, size)
		p.Close()
		one.Close()
	}
	if !slices.IsSorted(sizes) || sizes[0] == sizes[2] {
		t.Errorf("%v labels in the sets of three levels", sizes)
	}
	if a := ask(t, prepare(t, f, Question{Chains: 20}), rows[:1]); a.Sets != nil {
		t.Errorf("%v, which nobody has asked for", a.Sets)
	}
}
