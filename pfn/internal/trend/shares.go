package trend

import (
	"gonum.org/v1/gonum/floats"

	"github.com/pfnamp/pfnamp/internal/matrix"
)

// MaxClasses is the most classes of whose shares there are trends.
const MaxClasses = 10

// ShareColumns is the number of columns that a trend of so many classes has.
func ShareColumns(classes int) int {
	if classes == 2 {
		return 1
	}
	return classes
}

// Of a classifier members read the kernel's shares instead of those of lines if it leaves less than
// shareGain of the squares that these leave of manyRows or more. With fewer rows what several kinds
// say is better together.
const (
	shareGain = 0.9
	manyRows  = 400
)

// sharesTrend is a trend of shares, its columns [N, K or 1] of the context rows, and the sum of the
// squares of what they leave.
type sharesTrend struct {
	trend   *Trend
	columns matrix.Matrix
	left    float64
}

// fitShares learns a trend from features and classes 0..K-1, with levels where these leave clearly
// less.
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

// centredShares are the shares of the classes that have columns, and the targets of mean zero.
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

// shares learns the targets of all classes.
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
