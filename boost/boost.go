package boost

import (
	"cmp"
	"context"
	"math"
	"slices"

	"golang.org/x/sync/errgroup"
	"gonum.org/v1/gonum/floats"

	"github.com/pfnamp/pfnamp/internal/matrix"
	"github.com/pfnamp/pfnamp/internal/panics"
)

// How trees are added up.
const (
	work       = 2.5e8 // rows times rounds, within these
	leastTrees = 100
	mostTrees  = 1000
	allTrees   = 5000 // of all scores, so that a state holds them
	patience   = 40   // rounds without a better score
)

// MostClasses returns the largest number of classes of a table, with most as for Fit.
func MostClasses(most int) int { return min(100, most-1) }

// Table is a labelled table without infinite cells.
type Table struct {
	X           matrix.Matrix
	Categorical []bool    // which features are codes of categories; nil = none
	Y           []float64 // numbers, or classes 0..Classes-1
	Classes     int       // 0 for numbers
}

// targets returns what the scores of rows tell: the numbers in units of the largest one, whose
// squares are finite, or for every class but the first of two whether it is the row's.
func (t Table) targets() (all [][]float64) {
	if t.Classes == 0 {
		y := slices.Clone(t.Y)
		if unit := floats.Norm(y, math.Inf(1)); unit > 0 {
			floats.Scale(1/unit, y)
		}
		return [][]float64{y}
	}
	for class := range t.Classes {
		if class == 0 && t.Classes == 2 {
			continue
		}
		is := make([]float64, len(t.Y))
		for i, y := range t.Y {
			if int(y) == class {
				is[i] = 1
			}
		}
		all = append(all, is)
	}
	return all
}

// Fold is a part of a table: the rows that trees read, and others that say when to stop.
type Fold struct{ Read, Held []int }

// Fit grows trees on the rows read of every fold, until they predict its rows held no better. The
// forest is the mean over the folds. It also returns what the trees of a fold say of its held rows,
// [rows, scores]; other rows have zeros. It takes a byte for every cell, and 100 for every row. The
// trees depend on the order of the lists, not on that of the table. At most so many features and
// scores are beside each other in the end. It fails with the cause of a cancelled ctx.
func Fit(
	ctx context.Context, t Table, folds []Fold, most int,
) (f *Forest, told matrix.Matrix, err error) {
	read, share := folds[0].Read, errorShare
	if len(folds) > 1 {
		read, share = slices.Concat(read, folds[0].Held), foldsShare
	}
	f = &Forest{Features: t.X.Cols, Within: len(folds) > 1}
	if f.Columns, err = columnsOf(t.X, t.Categorical, read); err != nil {
		return nil, told, err
	}
	bins, err := binned(f.Columns, t.X)
	if err != nil {
		return nil, told, err
	}
	all := make([]*grower, len(folds))
	for k, fold := range folds {
		all[k] = newGrower(f.Columns, bins, t.X.Rows, slices.Sorted(slices.Values(fold.Read)))
	}
	few := newGrower(f.Columns, bins, t.X.Rows,
		slices.Sorted(slices.Values(every(fewer, folds[0].Read))))
	targets := t.targets()
	levels := manyOf(t.X, read, mostMeans/len(targets))
	told = matrix.New(t.X.Rows, len(targets))
	l, rounds := loss(t.Classes > 0), min(max(leastTrees, work/(len(read)+1)), mostTrees,
		allTrees/len(targets)/len(folds))
	squares, held := 0.0, 0
	for k, y := range targets {
		start := Score{Start: l.start(y, read)}
		scores, said := make([]Score, len(folds)), make([][]float64, len(folds))
		var other []float64
		var jobs errgroup.Group
		jobs.SetLimit(2)
		for i, fold := range folds {
			jobs.Go(panics.Job(func() (err error) {
				all[i].beside(levels, y, fold.Read)
				scores[i], said[i], err = all[i].score(ctx, l, y, fold.Held, start, rounds)
				return err
			}))
		}
		jobs.Go(panics.Job(func() (err error) {
			few.beside(levels, y, few.read)
			_, other, err = few.score(ctx, l, y, folds[0].Held, start, rounds)
			return err
		}))
		if err := jobs.Wait(); err != nil {
			return nil, told, err
		}
		start.Doubt = l.doubt(share, said[0], other, y, folds[0].Held)
		for i, fold := range folds {
			for _, t := range scores[i].Trees {
				floats.Scale(1/float64(len(folds)), t.Values)
				for k := range t.Splits {
					if s := &t.Splits[k]; s.Column >= f.Features {
						s.Column += len(f.Columns) - f.Features
					}
				}
				start.Trees = append(start.Trees, t)
			}
			f.Columns = append(f.Columns, all[i].columns[f.Features:]...)
			for _, row := range fold.Held {
				told.Row(row)[k] = said[i][row]
				_, left, _ := l.of(said[i][row], y[row])
				squares += left * left
			}
			held += len(fold.Held)
		}
		f.Scores = append(f.Scores, start)
	}
	f.Left = math.Sqrt(squares / float64(held))
	if most -= len(f.Scores); t.X.Cols > most {
		order := matrix.Upto(t.X.Cols)
		slices.SortStableFunc(order, func(a, b int) int {
			return cmp.Compare(all[0].gains[b], all[0].gains[a])
		})
		f.Kept = slices.Sorted(slices.Values(order[:most]))
	}
	return f, told, nil
}

// every returns every so many of some rows.
func every(step int, rows []int) (some []int) {
	for k := 0; k < len(rows); k += step {
		some = append(some, rows[k])
	}
	return some
}

// Trees that read a fewer-th of the rows differ from those that read all of them, squared and on
// average, by the squared error of the latter divided by errorShare, where the truth is known
// (docs/design/posterior.md#trees). Those of folds read small tables, of which they know less.
const (
	fewer      = 4
	errorShare = 0.8
	foldsShare = 1.0
)

// doubt returns Score.Doubt, from what trees and trees of fewer rows say of held rows.
func (l loss) doubt(share float64, said, other, y []float64, held []int) float64 {
	apart, left := 0.0, 0.0
	for _, i := range held {
		apart += (said[i] - other[i]) * (said[i] - other[i])
		left += (said[i] - y[i]) * (said[i] - y[i])
	}
	if l {
		return share * apart / float64(len(held))
	}
	return min(1, share*apart/max(left, math.SmallestNonzeroFloat64))
}

// loss of a score: that of a number, half its squared error; or the log loss of log odds.
type loss bool

// start returns the best score of some rows without trees.
func (l loss) start(y []float64, rows []int) float64 {
	sum, n := 0.0, float64(len(rows))
	for _, i := range rows {
		sum += y[i]
	}
	if !l {
		return sum / n
	}
	return math.Log((sum + 0.5) / (n - sum + 0.5))
}

// of returns the loss of a score at a target, and its first and second derivative.
func (l loss) of(score, y float64) (value, slope, curve float64) {
	if !l {
		return (score - y) * (score - y) / 2, score - y, 1
	}
	p := 1 / (1 + math.Exp(-score))
	return math.Log1p(math.Exp(-math.Abs(score))) + max(score, 0) - y*score, p - y, p * (1 - p)
}

// score adds trees to a score that predict y, while they predict held rows better. It also returns
// the scores of these and of the rows that it reads.
func (g *grower) score(
	ctx context.Context, l loss, y []float64, held []int, s Score, rounds int,
) (_ Score, scores []float64, err error) {
	for _, c := range g.columns {
		g.sums = append(g.sums, make([]sum, c.bins()<<(g.depth-1)))
	}
	defer func() { g.sums = nil }()
	all := slices.Concat(g.read, held)
	add := func(times float64, t tree) error {
		return blocks(all, func(rows []int) { t.add(times, g.bins, rows, scores) })
	}
	scores = make([]float64, len(y))
	floats.AddConst(s.Start, scores)
	least, kept := math.Inf(1), 0
	for round := 0; round <= min(rounds, kept+patience); round++ {
		now := 0.0
		for _, i := range held {
			value, _, _ := l.of(scores[i], y[i])
			now += value
		}
		if now < least {
			least, kept = now, round
		}
		if err := context.Cause(ctx); err != nil {
			return s, nil, err
		}
		g.draw(round)
		for _, i := range g.order {
			_, g.slopes[i], g.curves[i] = l.of(scores[i], y[i])
		}
		t, err := g.tree()
		if err == nil {
			err = add(1, t)
		}
		if err != nil {
			return s, nil, err
		}
		if len(t.Splits) == 0 {
			break // nor will another one split
		}
		s.Trees = append(s.Trees, t)
	}
	for _, t := range s.Trees[kept:] { // which predicted held rows no better
		if err := add(-1, t); err != nil {
			return s, nil, err
		}
	}
	s.Trees = s.Trees[:kept:kept]
	return s, scores, nil
}
