package amp

import (
	"context"
	"strconv"
)

// Functional is a summary θ(P) of a distribution on the label's scale: [Mean], [Quantile],
// [Probability] or [Shortfall]. AMP computes the posterior of θ at a query row. A new functional is
// one file with these methods, and a line in forms. The rest of the module asks a functional for
// nothing else.
type Functional interface {
	// String returns the canonical name, the name of the output column: mean, q0.9, p>150.
	String() string
	// Point returns θ(P_0), the functional of the row's PPD itself.
	Point(ppd PPD) float64
	// Unit is that of θ(P).
	Unit() Unit

	// check reports parameters out of range.
	check() error
	// engine prepares its posterior under the chains of p.
	engine(ctx context.Context, p *RankPosterior, r *rule, kind PosteriorKind) (engine, error)
	// read reads its posterior off a model's own.
	read(s *Surface) Marginal
	// supported reads its posterior for a label with a support off a model's own, which knows none.
	supported(s Support, own Own) Marginal
	// twoPoint reads it off the posterior of the mean where only two values are possible.
	twoPoint(s Support, mean Marginal) Marginal
	// level is the most extreme level of the quantiles that it needs, 0.5 if it needs none.
	level() float64
}

// Unit is what the values of a functional are measured in.
type Unit int

// The units.
const (
	// TargetUnit is that of the label: the functional moves and stretches with it.
	TargetUnit Unit = iota
	// ProbabilityUnit is none: the functional is between 0 and 1.
	ProbabilityUnit
)

// String returns target or probability.
func (u Unit) String() string {
	if u == ProbabilityUnit {
		return "probability"
	}
	return "target"
}

// decimal is the shortest text that reads back as v; minus zero is written 0.
func decimal(v float64) string { return strconv.FormatFloat(v+0, 'g', -1, 64) }
