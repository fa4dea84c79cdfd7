package trend

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/pfnamp/pfnamp/internal/logistic"
	"github.com/pfnamp/pfnamp/internal/matrix"
)

// Odds is a kind of trend that no member reads: log odds of the classes that have columns, by
// logistic regressions.
const Odds = "odds"

// oddsGain is the part of what shares of a line and of a kernel leave below which log odds must be.
const oddsGain = 1.02

// Shares that log odds have beside a network: oddsShare or, if all trends leave more than blindLeft
// of the squares of few rows, blindShare: a network sees differences where there are none.
const (
	oddsShare  = 0.5
	blindShare = 0.75
	blindLeft  = 0.96
)

// oddsWork is the largest product of the rows and the squared columns of a logistic regression.
const oddsWork = 4e8

// oddsPenalties are tried in turn.
var oddsPenalties = []float64{300, 100, 30, 10, 3, 1, 0.3}

// fitOdds fits log odds to features and classes 0..K-1, with the levels, also those of a line, and
// the penalties of the smallest log loss of rows left out. It also returns the sum of the squares
// that these leave of shares. The trend is nil if there are too many columns.
func fitOdds(z Features, y []float64, classes int, line *Levels) (best *Trend, left float64) {
	_, targets := centredShares(y, classes)
	least := math.Inf(1)
	choices := z.choices(lineLevels)
	if line != nil && !slices.ContainsFunc(choices, line.same) {
		choices = append(choices, line)
	}
	for _, levels := range choices {
		read := levels.of(z.Matrix)
		if float64(read.Rows)*float64(read.Cols)*float64(read.Cols) > oddsWork {
			continue
		}
		ones := matrix.Matrix{Rows: read.Rows, Cols: 1, Data: slices.Repeat([]float64{1}, read.Rows)}
		x := mat.NewDense(read.Rows, read.Cols+1, matrix.Beside(ones, read).Data)
		t, loss, squares := &Trend{Levels: levels}, 0.0, 0.0
		for _, target := range targets {
			w, one, two := penalised(x, target)
			t.Offsets, t.Weights = append(t.Offsets, w[0]), append(t.Weights, w[1:])
			loss, squares = loss+one, squares+two
		}
		if loss < least {
			best, least, left = t, loss, squares
		}
	}
	return best, left
}

// penalised fits a target that is positive for one class, and otherwise negative. It returns the
// coefficients, and the log loss and the sum of squares of rows left out.
func penalised(x *mat.Dense, target []float64) (best []float64, least, left float64) {
	label := make([]bool, len(target))
	for i, v := range target {
		label[i] = v > 0
	}
	var w []float64
	least = math.Inf(1)
	for _, penalty := range oddsPenalties {
		w = logistic.Fit(x, label, penalty, w)
		loss, squares := 0.0, 0.0
		for i, z := range logistic.LeaveOut(x, label, penalty, w) {
			now := logistic.Loss(z, label[i])
			loss += now
			squares += math.Expm1(-now) * math.Expm1(-now) // its probability is exp(-now)
		}
		if best == nil || loss < least {
			best, least, left = w, loss, squares
		}
	}
	return best, least, left
}

// Renumber orders log odds by classes that have other places.
func (s Set) Renumber(places []int) {
	odds := s.By[Odds]
	switch {
	case odds == nil:
	case len(odds.Offsets) > 1:
		weights, offsets := slices.Clone(odds.Weights), slices.Clone(odds.Offsets)
		for k, place := range places {
			odds.Weights[k], odds.Offsets[k] = weights[place], offsets[place]
		}
	case places[1] == 0:
		odds.Offsets[0] = -odds.Offsets[0]
		floats.Scale(-1, odds.Weights[0])
	}
}

// LogOdds returns the log odds of every row of features, [rows, K or 1], without columns if there
// is no such trend; and the share that they have beside a network.
func (s Set) LogOdds(z matrix.Matrix) (matrix.Matrix, float64) {
	if odds := s.By[Odds]; odds != nil {
		return odds.at(z), cmp.Or(odds.Scale, oddsShare)
	}
	return matrix.New(z.Rows, 0), 0
}
