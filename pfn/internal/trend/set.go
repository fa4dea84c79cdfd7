package trend

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/pfnamp/pfnamp/internal/matrix"
)

// Set holds the trends around a network.
type Set struct {
	By    map[string]*Trend // by kind
	Reach *Reach            // for a regression whose trends follow no law; otherwise nil
}

// Lesson is the members' input from the context.
type Lesson struct {
	Left   map[string][]float32 // residuals by kind, which replace the target of a regression
	Shares []matrix.Matrix      // columns after the features of a classifier, as from Set.Shares
	// Instead maps kinds of trends that do not help, which the set lacks, to the kinds that replace
	// them.
	Instead map[string]string
}

// kinds lists the kinds of trends, in the order of their columns.
var kinds = []string{Linear, Kernel}

// Features are the input of trends: standardised numbers [N, H]. The first columns are codes of
// categories. Golden vectors are sure: a line's levels have no doubts and replace no kernel.
type Features struct {
	matrix.Matrix
	Words int
	Sure  bool
	Told  float64 // what trees leave of shares, root mean square; 0 without
}

// Fit fits trends of the wanted kinds to features and a target. The target is standardised or, with
// a number of classes, 0 to classes-1.
func Fit(wanted []string, z Features, y []float64, classes int) (Set, Lesson) {
	linear, kernel := slices.Contains(wanted, Linear), slices.Contains(wanted, Kernel)
	if classes > 0 {
		return fitClasses(linear, kernel, z, y, classes)
	}
	return fitRegression(linear, kernel, z, y)
}

// fitRegression fits trends of a regression and, with a kernel, the reach of the context; a law has
// no end. If the residual of the kernel is nearly that of the line without levels, its members have
// no trend.
func fitRegression(linear, kernel bool, z Features, y []float64) (Set, Lesson) {
	s := Set{By: map[string]*Trend{}}
	l := Lesson{Left: map[string][]float32{}, Instead: map[string]string{}}
	var straight *Trend
	if linear {
		straight, l.Left[Linear] = fitLine(z.Matrix, nil, y)
		s.By[Linear] = straight
		if t, left := fitLevels(z, y, straight); t != nil {
			s.By[Linear], l.Left[Linear] = t, left
		}
	}
	if !kernel {
		return s, l
	}
	found := suit(z, [][]float64{y})
	if straight == nil || !straight.law() {
		s.Reach = newReach(z.Matrix, found, s.By[Linear])
	}
	if t, left := fitKernel(z.Matrix, y, found, straight); t != nil {
		s.By[Kernel], l.Left[Kernel] = t, left
	} else {
		l.Instead[Kernel] = None
	}
	return s, l
}

// fitClasses fits trends of a classifier. With many rows, the kernel's shares replace those of
// lines with larger residuals. Log odds stay if they leave hardly more, and less than trees do.
func fitClasses(linear, kernel bool, z Features, y []float64, classes int) (Set, Lesson) {
	s, l := Set{By: map[string]*Trend{}}, Lesson{Instead: map[string]string{}}
	var lines sharesTrend
	if linear {
		lines = fitShares(Linear, z, y, classes)
		s.By[Linear], l.Shares = lines.trend, append(l.Shares, lines.columns)
	}
	if kernel {
		curved := fitShares(Kernel, z, y, classes)
		if z.Rows >= manyRows && curved.left < shareGain*lines.left {
			l.Instead[Linear], l.Shares = Kernel, nil
			delete(s.By, Linear)
		}
		if linear && !z.Sure && lines.left < curved.left && lines.trend.Levels != nil {
			l.Instead[Kernel] = Linear
		} else {
			s.By[Kernel], l.Shares = curved.trend, append(l.Shares, curved.columns)
		}
		if linear && !z.Sure {
			odds, left := fitOdds(z, y, classes, lines.trend.Levels)
			best := min(lines.left, curved.left)
			blind := z.Rows < manyRows && min(best, left) > blindLeft*lines.total
			if odds != nil && (blind || left < oddsGain*best) && (z.Told == 0 ||
				left < z.Told*z.Told*float64(z.Rows*len(odds.Offsets))) {
				if s.By[Odds] = odds; blind {
					odds.Scale = blindShare
				}
			}
		}
	}
	return s, l
}

// Along holds the trends of a regression at query rows, in standardised units of the target.
type Along struct {
	At     map[string][]float64 // by kind and row, with the mean of the residuals
	Scale  map[string]float64   // by kind, of the residuals
	Doubt  map[string][]float64 // by kind and row, variances that posteriors lack; nil for plain lines
	Beyond []Beyond             // by row; nil if trends continue beyond the context
}

// doubtShare is the share of a kernel's doubt that a network's posterior lacks. Of levels it knows
// nothing.
const doubtShare = 0.5

// Along returns the trends of a regression at every row of features.
func (s Set) Along(z matrix.Matrix) Along {
	a := Along{At: map[string][]float64{}, Scale: map[string]float64{},
		Doubt: map[string][]float64{}}
	held, moved := z, []int(nil)
	if s.Reach != nil {
		held, moved, a.Beyond = s.Reach.hold(z)
	}
	for kind, trend := range s.By {
		a.Scale[kind] = trend.Scale
		if kind != Kernel {
			a.At[kind] = trend.at(held).Data
			if trend.Levels != nil && trend.Levels.Doubts != nil {
				a.Doubt[kind] = trend.Levels.Variances(z)
			}
			continue
		}
		turned, values := trend.shown(z)
		a.Doubt[kind] = trend.doubts(turned, values)
		floats.Scale(doubtShare, a.Doubt[kind])
		trend.show(values, held, moved)
		a.At[kind] = trend.of(values).Data
	}
	return a
}

// Doubted returns the levels of a classifier's line, with their doubts; nil if a kernel is better.
func (s Set) Doubted() *Levels {
	line := s.By[Linear]
	if line == nil || s.By[Kernel] != nil || line.Levels == nil || line.Levels.Doubts == nil {
		return nil
	}
	return line.Levels
}

// Shares returns the classifier trends' predictions for every row of features: columns of every
// kind, in the order of the kinds.
func (s Set) Shares(z matrix.Matrix) (parts []matrix.Matrix) {
	for _, kind := range kinds {
		if trend := s.By[kind]; trend != nil {
			parts = append(parts, trend.at(z))
		}
	}
	return parts
}

// Before returns how many columns of shares come before those of a kind.
func (s Set) Before(kind string) (columns int) {
	for _, other := range kinds {
		if other == kind {
			break
		}
		if trend := s.By[other]; trend != nil {
			columns += len(trend.Offsets)
		}
	}
	return columns
}

// Restore prepares a set from a saved state, and returns it.
func Restore(saved Set) Set {
	for _, trend := range saved.By {
		if trend.Doubt != 0 {
			trend.factorize()
		}
	}
	return saved
}

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
// kinds together are better. A line with levels of pairRows replaces other lines by the same gain.
const (
	shareGain  = 0.9
	manyRows   = 400
	leastNoise = 1e-6 // of shares of classes
)

// sharesTrend is a trend of shares, and its columns [N, K or 1] of the context rows.
type sharesTrend struct {
	trend       *Trend
	columns     matrix.Matrix
	left, total float64 // sums of squares that the shares leave, and about their means
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
	least := math.Pow(lineGain(z.Rows), 2) * best.left
	choices := z.choices(lineLevels)
	for _, levels := range choices[1:] {
		if s := newLearner(z.Matrix, levels, nil).shares(means, centred); s.left < least {
			best, least = s, s.left
		}
	}
	pairs := findLevels(z.Matrix, z.Words, pairRows, lineLevels)
	if pairs != nil && !slices.ContainsFunc(choices, pairs.same) {
		if s := newLearner(z.Matrix, pairs, nil).shares(means, centred); s.left < shareGain*least {
			best = s
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
		fit := l.add(mean, centred[k], 0)
		l.doubtLevels(fit, 1/(max(fit.noise, leastNoise)*float64(len(means))))
		for i, e := range fit.left {
			s.columns.Row(i)[k] = mean + centred[k][i] - e
			s.left += e * e
			s.total += centred[k][i] * centred[k][i]
		}
	}
	return s
}
