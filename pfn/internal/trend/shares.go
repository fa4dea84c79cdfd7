package trend

import (
	"gonum.org/v1/gonum/floats"

	"github.com/pfnamp/pfnamp/internal/matrix"
)

// MaxClasses is the largest number of classes with trends.
const MaxClasses = 10

// ShareColumns returns the number of columns of a trend with this number of classes.
func ShareColumns(classes int) int {
	if classes == 2 {
		return 1
	}
	return classes
}

// In a classifier the kernel's shares replace those of lines if there are manyRows or more, and if
// the sum of squared residuals is below shareGain times that of the lines. With fewer rows, several
// kinds together are better.
const (
	shareGain = 0.9
	manyRows  = 400
)

// sharesTrend is a trend of shares, its columns [N, K or 1] of the context rows, and its sum of
// squared residuals.
type sharesTrend struct {
	trend   *Trend
	columns matrix.Matrix
	left    float64
}

// fitShares fits a trend to features and classes 0..K-1, with levels if they clearly reduce the
// residual.
func fitShares(kind string, z Features, y []float64, classes int) sharesTrend {
	means, centred := centredShares(y, classes)
	if kind == Kernel {
		found := suit(z, centred)
		return newLearner(z.Matrix, found.levels, &found.columns).shares(means, centred)
	}
	best := newLearner(z.Matrix, nil, nil).shares(means, centred)
	least := lineGain * lineGain * best.left
	for _, levels := range z.choices(lineLevels)[1:] {
		if s := newLearner(z.Matrix, levels, nil).shares(means, centred); s.left < least {
			best, least = s, s.left
		}
	}
	return best
}

// centredShares returns the shares of the classes that have columns, and the targets of mean zero.
func centredShares(y []float64, classes int) (means []float64, centred [][]float64) {
	columns := ShareColumns(classes)
	means, centred = make([]float64, columns), make([][]float64, columns)
	for k := range centred {
		centred[k] = make([]float64, len(y))
		for i, class := range y {
			if int(class) == k+classes-columns {
				centred[k][i] = 1
				means[k] += 1 / float64(len(y))
			}
		}
		floats.AddConst(-means[k], centred[k])
	}
	return means, centred
}

// shares fits the targets of all classes.
func (l learner) shares(means []float64, centred [][]float64) sharesTrend {
	s := sharesTrend{trend: l.trend, columns: matrix.New(l.rows, len(means))}
	for k, mean := range means {
		for i, e := range l.add(mean, centred[k], 0).left {
			s.columns.Row(i)[k] = mean + centred[k][i] - e
			s.left += e * e
		}
	}
	return s
}
