package amp

import (
	"context"
	"strconv"
)

// Functional is a summary θ(P) of a distribution on the label's scale: [Mean], [Quantile],
// [Probability] or [Shortfall]. AMP computes the posterior of θ at a query row. To add a
// functional, write one file with these methods and add a line to forms.
type Functional interface {
	// String returns the canonical name, the name of the output column: mean, q0.9, p>150.
	String() string
	// Point returns θ(P_0), the functional of the row's PPD itself.
	Point(ppd PPD) float64
	// Unit returns the unit of θ(P).
	Unit() Unit

	// check returns an error if a parameter is out of range.
	check() error
	// engine prepares the posterior under the chains of p.
	engine(ctx context.Context, p *RankPosterior, r *rule, kind PosteriorKind) (engine, error)
	// read returns the posterior that the surface holds.
	read(s *Surface) Marginal
	// supported returns the posterior for a label with a support, from the posterior own, which
	// ignores the support.
	supported(s Support, own Own) Marginal
	// twoPoint returns the posterior of a label with two possible values, from the posterior of the
	// mean.
	twoPoint(s Support, mean Marginal) Marginal
	// level returns the most extreme level of the quantiles that the functional needs, 0.5 if none.
	level() float64
}

// Unit is the unit of a functional's values.
type Unit int

// The units.
const (
	// TargetUnit is the unit of the label: the functional moves and stretches with it.
	TargetUnit Unit = iota
	// ProbabilityUnit has no unit: the functional is between 0 and 1.
	ProbabilityUnit
)

// String returns "target" or "probability".
func (u Unit) String() string {
	if u == ProbabilityUnit {
		return "probability"
	}
	return "target"
}

// decimal returns the shortest text that reads back as v; minus zero is written 0.
func decimal(v float64) string { return strconv.FormatFloat(v+0, 'g', -1, 64) }
