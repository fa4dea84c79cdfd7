package reading

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/distr"
	"github.com/pfnamp/pfnamp/pfn"
)

// The studies of docs/evidence/missing.md print their tables:
//
//	go test ./reading -run TestStudyOfMissing -v -missing-tables 10
var (
	missingTables = flag.Int("missing-tables", 0, "tables of the studies of missing cells")
	missingRows   = flag.Int("missing-rows", 200, "context rows of their tables")
)

// studyQueries are the query rows of a table.
const studyQueries = 60

// tally are sums over rows.
type tally struct {
	n, square, oracle, bias, held  float64
	known, width, loss, oracleLoss float64
}

func (t *tally) add(label, truth float64, p amp.Prediction, classes bool) {
	t.n++
	mean := p.PPD.Mean()
	t.square += (mean - label) * (mean - label)
	t.oracle += (truth - label) * (truth - label)
	t.bias += mean - truth
	lo, hi := amp.PredictiveInterval(p.PPD, 0.9)
	if lo <= label && label <= hi {
		t.held++
	}
	var own amp.Marginal
	if classes {
		own = p.Own.Of(amp.Class(1))
		logs := func(p float64) float64 {
			return -math.Log(max(1e-9, map[float64]float64{1: p, 0: 1 - p}[label]))
		}
		t.loss += logs(mean)
		t.oracleLoss += logs(truth)
	} else {
		own = p.Own.Of(amp.Mean{})
	}
	lo, hi = own.Quantile(0.05), own.Quantile(0.95)
	if lo <= truth && truth <= hi {
		t.known++
	}
	t.width += hi - lo
}

// studyWorlds are laws: of how many kinds rows are, the effect of two columns together, and whether
// labels are classes.
var studyWorlds = []struct {
	name    string
	kinds   int
	both    float64
	classes bool
}{
	{"linear law, columns that tell nothing of each other", 1, 0, false},
	{"law with an interaction, rows of six kinds", 6, 0.6, false},
	{"two classes, columns that tell nothing of each other", 1, 0, true},
	{"two classes, rows of six kinds", 6, 0, true},
}

// TestStudyOfMissingCells blanks cells of query rows where TRAIN is complete, and compares what the
// network makes of them, the mean over what they may hold, and an oracle that knows the law.
func TestStudyOfMissingCells(t *testing.T) {
	if *missingTables == 0 {
		t.Skip("-missing-tables N simulates N tables")
	}
	for _, of := range studyWorlds {
		name := "default"
		if of.classes {
			name = "classifier"
		}
		m := open(t, name, 0)
		native, average := make([]tally, len(blanks)), make([]tally, len(blanks))
		for table := range *missingTables {
			r := rand.New(rand.NewPCG(uint64(table), uint64(of.kinds)))
			studyTable(t, m, newWorld(r, of.kinds, of.both, of.classes), r, native, average)
		}
		fmt.Printf("\n%s, %d rows\n\n", of.name, *missingRows)
		if of.classes {
			fmt.Print("| blanked | log loss | oracle | without | bias | credible holds " +
				"|\n|---|---:|---:|---:|---:|---:|\n")
		} else {
			fmt.Print("| blanked | RMSE | oracle | without | bias | without | 90 % predictive holds | " +
				"without | credible holds |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|\n")
		}
		for b, blank := range blanks {
			fmt.Println("| " + blank.name + average[b].row(native[b], of.classes))
		}
	}
}

// row is a line of a table behind its name, with what there is without averages.
func (s tally) row(without tally, classes bool) string {
	root := func(sum float64) float64 { return math.Sqrt(sum / s.n) }
	if classes {
		return fmt.Sprintf(" | %.3f | %.3f | %.3f | %+.3f | %.2f |", s.loss/s.n, s.oracleLoss/s.n,
			without.loss/s.n, s.bias/s.n, s.known/s.n)
	}
	return fmt.Sprintf(" | %.3f | %.3f | %.3f | %+.2f | %+.2f | %.3f | %.3f | %.2f |", root(s.square),
		root(s.oracle), root(without.square), s.bias/s.n, without.bias/s.n, s.held/s.n,
		without.held/s.n, s.known/s.n)
}

// studyTable draws a table and adds what is predicted of its query rows.
func studyTable(t *testing.T, m *pfn.Model, w *world, r *rand.Rand, native, average []tally) {
	train, query := w.table(r, *missingRows), newRows(w, r, studyQueries)
	fitted, err := m.Fit(t.Context(), train)
	if err != nil {
		t.Fatal(err)
	}
	defer fitted.Close()
	donors := NewDonors(train, fitted.Classes(), 1)
	for b, blank := range blanks {
		x := blanked(query, blank.lacks)
		truth, labels := make([]float64, query.Rows), make([]float64, query.Rows)
		for i := range truth {
			truth[i] = w.oracle(r, query.Row(i), blank.lacks)
			labels[i] = w.label(r, query.Row(i))
		}
		for _, way := range []struct {
			donors *Donors
			sums   *tally
		}{{nil, &native[b]}, {donors, &average[b]}} {
			for i, p := range way.donors.any(t, fitted, x, w.classes) {
				way.sums.add(labels[i], truth[i], p, w.classes)
			}
		}
	}
}

// any predicts numbers or classes.
func (d *Donors) any(t *testing.T, fitted *pfn.Context, x pfn.Matrix,
	classes bool) []amp.Prediction {
	t.Helper()
	var made []amp.Prediction
	var err error
	if classes {
		made, _, err = d.ClassPredictions(t.Context(), fitted, x, true)
	} else {
		made, err = d.Predictions(t.Context(), fitted, x, true)
	}
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// mechanisms blank cells of the first yes/no column and the first number, in TRAIN as in TEST.
var mechanisms = []struct {
	name  string
	blank func(r *rand.Rand, row []float64, label, rate float64) (yes, number bool)
}{
	{"at random", func(r *rand.Rand, _ []float64, _, rate float64) (bool, bool) {
		return r.Float64() < rate, r.Float64() < rate
	}},
	{"by value", func(r *rand.Rand, row []float64, _, rate float64) (bool, bool) {
		return r.Float64() < rate*(0.2+1.6*row[0]), r.Float64() < rate*2/(1+math.Exp(-3*row[yesNo]))
	}},
	{"by row", func(r *rand.Rand, _ []float64, _, rate float64) (bool, bool) {
		both := r.Float64() < rate
		return both, both
	}},
	{"by label", func(r *rand.Rand, _ []float64, label, rate float64) (bool, bool) {
		both := r.Float64() < rate*2/(1+math.Exp(-3*label))
		return both, both
	}},
}

// TestStudyOfMissingInBoth compares, where TRAIN lacks cells as TEST does, what the network makes
// of missing cells with the mean over what they may hold, and with the rule that chooses between
// them.
func TestStudyOfMissingInBoth(t *testing.T) {
	if *missingTables == 0 {
		t.Skip("-missing-tables N simulates N tables")
	}
	m := open(t, "default", 0)
	fmt.Print("\n| rows | missing | share | CRPS, network | average | rule | " +
		"90 % predictive holds, network | average | rule |\n|---|---" +
		"|---:|---:|---:|---:|---:|---:|---:|\n")
	for _, kinds := range []int{1, 6} {
		for k, mechanism := range mechanisms {
			for _, rate := range []float64{0.03, 0.2} {
				sums := [3]tally{}
				for table := range *missingTables {
					r := rand.New(rand.NewPCG(uint64(table), uint64(kinds)))
					w := newWorld(r, kinds, 0.3, false)
					studyBoth(t, m, w.lacking(r, k, rate, *missingRows, true),
						w.lacking(r, k, rate, studyQueries, false), &sums)
				}
				fmt.Printf("| %d kinds | %s | %g", kinds, mechanism.name, rate)
				for _, s := range sums {
					fmt.Printf(" | %.3f", s.loss/s.n)
				}
				for _, s := range sums {
					fmt.Printf(" | %.2f", s.held/s.n)
				}
				fmt.Println(" |")
			}
		}
	}
}

// lacking draws a table and blanks cells by a mechanism. Without all it keeps only rows that lack
// some.
func (w *world) lacking(r *rand.Rand, mechanism int, rate float64, n int, all bool) pfn.Training {
	t := pfn.Training{X: pfn.Matrix{Cols: studyColumns}, Categorical: studyCategories()}
	for t.X.Rows < n {
		row := w.row(r)
		label := w.label(r, row)
		yes, number := mechanisms[mechanism].blank(r, row, label, rate)
		if !all && !yes && !number {
			continue
		}
		if yes {
			row[0] = -1
		}
		if number {
			row[yesNo] = math.NaN()
		}
		t.X.Data, t.Y = append(t.X.Data, row...), append(t.Y, label)
		t.X.Rows++
	}
	return t
}

// studyBoth adds what is predicted without averages, with them, and by the rule.
func studyBoth(t *testing.T, m *pfn.Model, train, test pfn.Training, sums *[3]tally) {
	fitted, err := m.Fit(t.Context(), train)
	if err != nil {
		t.Fatal(err)
	}
	defer fitted.Close()
	always := NewDonors(train, 0, 1)
	always.known = 2 // lends cells of all columns
	for k, donors := range []*Donors{nil, always, NewDonors(train, 0, 1)} {
		for i, p := range donors.any(t, fitted, test.X, false) {
			sums[k].add(test.Y[i], 0, p, false)
			sums[k].loss += p.PPD.(distr.PPD).CRPS(test.Y[i])
		}
	}
}
