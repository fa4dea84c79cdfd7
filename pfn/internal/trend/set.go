package trend

import (
	"maps"
	"slices"

	"github.com/pfnamp/pfnamp/internal/matrix"
)

// Set is the trends around a network.
type Set struct {
	By    map[string]*Trend // by kind
	Reach *Reach            // of a regression whose trends follow no law; otherwise nil
}

// Lesson is what members read of the context.
type Lesson struct {
	Left   map[string][]float32 // by kind, in place of the target of a regression
	Shares []matrix.Matrix      // columns after the features of a classifier, as of Set.Shares
	// Instead are the kinds of members' trends in place of those that are not worth it, which the set
	// does not have.
	Instead map[string]string
}

// kinds are those of trends, in the order of their columns.
var kinds = []string{Linear, Kernel}

// Features are what trends read of rows: standardised numbers [N, H]. The first columns are codes
// of categories.
type Features struct {
	matrix.Matrix
	Words int
}

// Fit learns trends of the kinds that are wanted from features and a target, which is standardised
// or, with so many classes, 0 to classes-1.
func Fit(wanted []string, z Features, y []float64, classes int) (Set, Lesson) {
	linear, kernel := slices.Contains(wanted, Linear), slices.Contains(wanted, Kernel)
	if classes > 0 {
		return fitClasses(linear, kernel, z, y, classes)
	}
	return fitRegression(linear, kernel, z, y)
}

// fitRegression learns trends of a regression, and with a kernel how far the context reaches; a law
// goes on beyond it. Members whose kernel leaves nearly as much as the line without levels have no
// trend.
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

// fitClasses learns trends of a classifier. With many rows the kernel's shares take the place of
// lines that leave more.
func fitClasses(linear, kernel bool, z Features, y []float64, classes int) (Set, Lesson) {
	s, l := Set{By: map[string]*Trend{}}, Lesson{Instead: map[string]string{}}
	lineLeft := 0.0
	if linear {
		lines := fitShares(Linear, z, y, classes)
		s.By[Linear], l.Shares, lineLeft = lines.trend, append(l.Shares, lines.columns), lines.left
	}
	if kernel {
		curved := fitShares(Kernel, z, y, classes)
		if z.Rows >= manyRows && curved.left < shareGain*lineLeft {
			l.Instead[Linear], l.Shares = Kernel, nil
			delete(s.By, Linear)
		}
		s.By[Kernel], l.Shares = curved.trend, append(l.Shares, curved.columns)
	}
	return s, l
}

// Along are the trends of a regression at query rows, in standardised units of the target.
type Along struct {
	At     map[string][]float64 // by kind and row, with the mean of what they leave of the target
	Scale  map[string]float64   // by kind, of what they leave
	Doubt  []float64            // by row, variances by which a kernel's may be off; nil of a line
	Beyond []Beyond             // by row; nil where trends go on beyond the context
}

// Along returns the trends of a regression at every row of features.
func (s Set) Along(z matrix.Matrix) Along {
	a := Along{At: map[string][]float64{}, Scale: map[string]float64{}}
	held, moved := z, []int(nil)
	if s.Reach != nil {
		held, moved, a.Beyond = s.Reach.hold(z)
	}
	for kind, trend := range s.By {
		a.Scale[kind] = trend.Scale
		if kind != Kernel {
			a.At[kind] = trend.at(held).Data
			continue
		}
		turned, values := trend.shown(z)
		a.Doubt = trend.doubts(turned, values)
		trend.show(values, held, moved)
		a.At[kind] = trend.of(values).Data
	}
	return a
}

// Shares returns what the trends of a classifier say of every row of features: columns of every
// kind, in the order of the kinds.
func (s Set) Shares(z matrix.Matrix) (parts []matrix.Matrix) {
	for _, kind := range kinds {
		if trend := s.By[kind]; trend != nil {
			parts = append(parts, trend.at(z))
		}
	}
	return parts
}

// Before is how many columns of shares stand before those of a kind.
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

// Restore makes a set of what a state says, for so many features and classes. The error says that
// it is not one that Fit has returned; a set that is returned never panics.
func Restore(saved Set, features, classes int) (Set, error) {
	if len(saved.By) == 0 || classes > MaxClasses {
		return Set{}, ErrIncomplete
	}
	for kind, trend := range saved.By {
		if trend == nil || !slices.Contains(kinds, kind) {
			return Set{}, ErrIncomplete
		}
		if err := trend.restore(kind, features, classes); err != nil {
			return Set{}, err
		}
	}
	if saved.Reach != nil {
		if classes > 0 {
			return Set{}, errReach
		}
		if err := saved.Reach.check(features); err != nil {
			return Set{}, err
		}
	}
	return Set{maps.Clone(saved.By), saved.Reach}, nil
}
