package amp

import (
	"context"
	"fmt"
)

// Prediction is a model's prediction of the label of one query row.
type Prediction struct {
	PPD PPD
	// Own is the posterior that the model itself returns beside the PPD; nil if there is none.
	Own Own
	// Size is the local effective sample size m(x): how much the context tells about the row, in
	// units of labels, at least 0 (see [LocalSchedule]). NaN means that it is unknown.
	Size float64
}

// Own is a model's own posterior at one row.
type Own interface {
	// Of returns the posterior of a functional, or nil if the model does not know it.
	Of(f Functional) Marginal
}

// Marginal is the posterior of one functional at one row. If a Marginal has a method Shortest(level
// float64) (lo, hi float64), highest-density intervals come from that method.
type Marginal interface {
	// Quantile returns the quantile of level p in (0, 1), on the functional's scale.
	Quantile(p float64) float64
}

// Shape is the shape of a context: the number of its labelled rows, and the number of features that
// vary.
type Shape struct{ Rows, Features int }

// Names of methods, as in tables, flags and metadata.
const (
	PaperName  = "paper"
	LimitName  = "limit"
	DirectName = "direct"
	AutoName   = "auto"
)

// Method makes posteriors of functionals: [Chains], [Direct] or [Auto]. It is safe for
// concurrent use.
type Method interface {
	// Name returns the method's name in tables, flags and metadata: paper, limit, direct, auto.
	Name() string
	// Answers reports whether the method has a posterior of f for predictions like p.
	Answers(p Prediction, f Functional) bool
	// Prepare computes everything that does not depend on the query row. It ignores Spec.Posterior.
	// It fails if spec is out of range, with a *[FunctionalError] if the method does not know the
	// functional, and with the cause of ctx when ctx is cancelled.
	Prepare(ctx context.Context, context Shape, spec Spec) (Summary, error)
}

// Summary turns predictions into estimates of one functional. It is safe for concurrent use.
type Summary interface {
	// Functional returns the functional that is summarised.
	Functional() Functional
	// Estimate returns the estimate at a row. Limits are NaN if the method has no answer there.
	Estimate(p Prediction) Estimate
	// Coupled returns one posterior draw at a row per rank, the smallest at the index whose rank is
	// 0, and so on; see [Summarizer.Coupled].
	Coupled(p Prediction, ranks []int) []float64
}

// FunctionalError reports a functional for which a method has no posterior, for example a type of
// another package that embeds a functional.
type FunctionalError struct {
	Functional Functional
	Method     string // "" for any
}

// Error implements error.
func (e *FunctionalError) Error() string {
	if e.Method == "" {
		return fmt.Sprintf("amp: %v is not a functional of this package; %s", e.Functional, allowed())
	}
	return fmt.Sprintf("amp: the posterior %s has no answer for the functional %v",
		e.Method, e.Functional)
}

// Estimates sets dst[i] to the estimate at rows[i]. It uses this many workers; 0 means one per
// processor. It panics if the lengths differ. When ctx is cancelled, it returns the cause, and dst
// is incomplete.
func Estimates(
	ctx context.Context, s Summary, dst []Estimate, rows []Prediction, workers int,
) error {
	if len(dst) != len(rows) {
		panic("amp: Estimates needs one estimate per row")
	}
	return parallel(ctx, len(rows), workers, func() func(lo, hi int) {
		return func(lo, hi int) {
			for i := lo; i < hi; i++ {
				dst[i] = s.Estimate(rows[i])
			}
		}
	})
}

// PredictiveInterval returns the central interval that holds a label with the probability level,
// in (0, 1): the quantiles of the PPD at (1-level)/2 and (1+level)/2.
func PredictiveInterval(ppd PPD, level float64) (lo, hi float64) {
	tail := (1 - level) / 2
	return ppd.Quantile(tail), ppd.Quantile(1 - tail)
}
