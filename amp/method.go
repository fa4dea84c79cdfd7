package amp

import (
	"context"
	"fmt"
	"slices"
)

// Prediction is a model's prediction of the label of one query row.
type Prediction struct {
	PPD PPD
	// Own is the posterior that the model itself returns beside the PPD; nil if there is none.
	Own Own
}

// Own is a model's own posterior at one row.
type Own interface {
	// Of returns the posterior of a functional, or nil if the model does not know it.
	Of(f Functional) Marginal
}

// Marginal is the posterior of one functional at one row.
type Marginal interface {
	// Quantile returns the quantile of level p in (0, 1), on the functional's scale.
	Quantile(p float64) float64
}

// Shape is the shape of a context: the number of its labelled rows, and the number of features that
// vary.
type Shape struct{ Rows, Features int }

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
	return parallel(ctx, len(rows), workers, func() func(i int) {
		return func(i int) { dst[i] = s.Estimate(rows[i]) }
	})
}

// PredictiveInterval returns the central interval that holds a label with the probability level,
// in (0, 1): the quantiles of the PPD at (1-level)/2 and (1+level)/2.
func PredictiveInterval(ppd PPD, level float64) (lo, hi float64) {
	tail := (1 - level) / 2
	return ppd.Quantile(tail), ppd.Quantile(1 - tail)
}

// Posterior is the name of a [Method], as in tables, flags and metadata.
type Posterior string

// The names of the posteriors.
const (
	AutoPosterior Posterior = "auto"
	// PaperPosterior is that of the empirical distribution of a chain's N forward samples, as in
	// Algorithm 1 of Nagler and Rügamer (2025).
	PaperPosterior Posterior = "paper"
	// LimitPosterior is that of P_N = G_N ∘ P_0, the chain's last predictive distribution. It has no
	// noise from a finite number of draws.
	LimitPosterior     Posterior = "limit"
	DirectPosterior    Posterior = "direct"
	CompanionPosterior Posterior = "companion"
)

// PosteriorForm describes a posterior.
type PosteriorForm struct {
	Name    Posterior
	Meaning string // a few lines
	// Chained tells that it draws chains at every row, Chainless that it draws none at any.
	Chained, Chainless bool

	method func(r *Ranks, classes bool) Method
}

// posteriors lists them.
var posteriors = []PosteriorForm{
	{Name: AutoPosterior,
		Meaning: "direct if the bundle has it, else companion; paper (classes: limit) where there\n" +
			"is neither, or where it contradicts the prediction",
		method: func(r *Ranks, classes bool) Method {
			if classes {
				return Auto{Fallback: Chains{Kind: LimitPosterior, Ranks: r}}
			}
			return Auto{Fallback: Chains{Kind: PaperPosterior, Ranks: r}}
		}},
	{Name: PaperPosterior, Chained: true,
		Meaning: "functional of every chain's forward samples, as in the publication",
		method:  func(r *Ranks, _ bool) Method { return Chains{Kind: PaperPosterior, Ranks: r} }},
	{Name: LimitPosterior, Chained: true,
		Meaning: "functional of every chain's last distribution, without sampling noise",
		method:  func(r *Ranks, _ bool) Method { return Chains{Kind: LimitPosterior, Ranks: r} }},
	{Name: DirectPosterior, Chainless: true,
		Meaning: "the network's own posterior, learned on synthetic tables: fast, without\n" +
			"chains (not every bundle has it: see pfnamp models show)",
		method: func(*Ranks, bool) Method { return Direct{} }},
	{Name: CompanionPosterior, Chainless: true,
		Meaning: "for a bundle without direct: the embedded network reads TRAIN too and says how\n" +
			"well the distribution that the bundle predicts is known",
		method: func(*Ranks, bool) Method { return Direct{Companion: true} }},
}

// PosteriorForms lists the descriptions of all posteriors.
func PosteriorForms() []PosteriorForm { return slices.Clone(posteriors) }

// Posteriors lists the names.
func Posteriors() []Posterior {
	names := make([]Posterior, len(posteriors))
	for i, form := range posteriors {
		names[i] = form.Name
	}
	return names
}

func (p Posterior) form() PosteriorForm {
	if i := slices.Index(Posteriors(), p); i >= 0 {
		return posteriors[i]
	}
	return PosteriorForm{}
}

// Chained reports whether the posterior draws chains at every row.
func (p Posterior) Chained() bool { return p.form().Chained }

// Own reports whether the posterior reads the network's own posterior where the network has one.
func (p Posterior) Own() bool { return !p.form().Chained }

// Chainless reports whether the posterior draws no chains at any row.
func (p Posterior) Chainless() bool { return p.form().Chainless }

// Method returns the method for numbers or for classes, which draws its chains by ranks. It panics
// on an unknown name.
func (p Posterior) Method(ranks *Ranks, classes bool) Method {
	return p.form().method(ranks, classes)
}
