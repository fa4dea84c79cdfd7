package evaluate

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/folds"
)

// ClassSplit divides rows at random as [Split] does, class by class: of the n rows of every class
// round(share n) are for training, at least one and, where there are two, not all. Both lists
// ascend. It fails with a *SplitError unless two classes have two rows or more.
func ClassSplit(
	seed uint64, key string, y []float64, share float64,
) (train, test []int, err error) {
	of := make([]int, len(y))
	for i, k := range y {
		of[i] = int(k)
	}
	rows, random, large := folds.InOrder(of), Stream(seed, key+"/split"), 0
	for _, of := range rows {
		random.Shuffle(len(of), func(i, j int) { of[i], of[j] = of[j], of[i] })
		cut := min(len(of), max(1, int(math.Round(share*float64(len(of))))))
		if len(of) > 1 {
			cut = min(cut, len(of)-1)
			large++
		}
		train, test = append(train, of[:cut]...), append(test, of[cut:]...)
	}
	if large < 2 {
		return nil, nil, &SplitError{Rows: len(y), Train: len(train), Classes: len(rows),
			Reason: "two classes need at least 2 rows each, one to learn from and one to score"}
	}
	slices.Sort(train)
	slices.Sort(test)
	return train, test, nil
}

// ClassCells are the splits of a table of classes, one cell each, with the posteriors and baselines
// of classes. The functionals are the probabilities of all classes, whose names are p=LABEL.
func (set Setting) ClassCells(t Table) []Cell {
	set.Functionals = nil
	for k := range t.Classes {
		set.Functionals = append(set.Functionals, amp.Class(k))
	}
	set.Baselines = ClassBaselines(len(t.Classes))
	cells := make([]Cell, set.Splits)
	for i := range cells {
		one := classSplit{split{set, t, set.ClassMethods, i + 1}}
		cells[i] = Cell{Key: one.key(), Run: one.run, Params: []Param{{"split", one.number}}}
	}
	return cells
}

// ClassMethods are [Setting.Methods] as they are for classes: steps move mass to one class only.
func (set Setting) ClassMethods() []Method {
	chains := func(kind amp.PosteriorKind) Method {
		ranks := set.Ranks()
		ranks.Sampler.Rho = 1
		return Posterior{amp.Chains{Kind: kind, Ranks: ranks}}
	}
	methods := []Method{chains(amp.Limit), chains(amp.Paper), Posterior{amp.Direct{}}}
	if set.Refits > 0 {
		methods = append(methods, Bootstrap{set.Refits})
	}
	return methods
}

// classSplit is one random split of a table of classes.
type classSplit struct{ split }

// run evaluates the split as [split.run] does: probabilities are scored against the test rows'
// labels, credible intervals against the probabilities that the model predicts for these rows when
// it reads them.
func (s classSplit) run(ctx context.Context) (Outcome, error) {
	train, test, err := ClassSplit(s.Seed, s.key(), s.table.Y, s.Share)
	if err != nil {
		return Outcome{}, err
	}
	held := s.table.Take(test)
	task := &Task{Model: s.Model, Train: s.table.Take(train), Query: held.Matrix, Level: s.Level,
		Seed: s.Seed, Key: s.key()}
	var tally Tally
	start := time.Now()
	if task.Prediction, err = s.Model.Predict(ctx, task.Train, task.Query); err != nil {
		return Outcome{}, err
	}
	tally.Add(MethodPPD, "", "time_s", time.Since(start).Seconds())
	scores := ScoreClasses(task.Prediction.PPDs, held.Y)
	scores.tally(&tally, MethodPPD)
	for _, b := range s.Baselines {
		p, err := b.Predict(ctx, task.Train, task.Query)
		if err != nil {
			return Outcome{}, fmt.Errorf("%s: %w", b.Name(), err)
		}
		ScoreClasses(p.PPDs, held.Y).tally(&tally, b.Name())
	}
	truth, err := s.surrogate(ctx, held)
	if err != nil {
		return Outcome{}, err
	}
	truth.leaveOutAbsent(held.Y)
	if _, err = tally.Score(ctx, task, s.methods(), truth); err != nil {
		return Outcome{}, err
	}
	named := NameClasses(tally.Measures(), s.table.Classes)
	return Outcome{Measures: append(overClasses(named), named...), Curves: scores.curves()}, nil
}

// leaveOutAbsent drops the classes without a label. A surrogate that has read only these labels
// knows nothing about the other classes: it gives them the probability 0.
func (t *Truth) leaveOutAbsent(labels []float64) {
	present := map[string]bool{}
	for _, k := range labels {
		present[amp.Class(int(k)).String()] = true
	}
	kept := Truth{Unit: t.Unit}
	for i, f := range t.Functionals {
		if present[f.String()] {
			kept.Functionals = append(kept.Functionals, f)
			kept.Values = append(kept.Values, t.Values[i])
		}
	}
	*t = kept
}

// AllClasses is the functional of means over the probabilities of all classes.
const AllClasses = "all classes"

// overClasses averages coverage and width over the classes.
func overClasses(measures []Measure) []Measure {
	var means Tally
	for _, m := range measures {
		if m.Functional != "" {
			means.Add(m.Method, AllClasses, m.Metric, float64(m.Value))
		}
	}
	all := means.Measures()
	for i := range all { // classes of a split are not independent
		all[i].SE, all[i].N = Number(math.NaN()), 1
	}
	return all
}

// NameClasses gives measures of the probabilities of classes the names p=LABEL.
func NameClasses(measures []Measure, labels []string) []Measure {
	names := map[string]string{}
	for k, label := range labels {
		names[amp.Class(k).String()] = "p=" + label
	}
	for i, m := range measures {
		if name, ok := names[m.Functional]; ok {
			measures[i].Functional = name
		}
	}
	return measures
}
