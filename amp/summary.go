package amp

import (
	"cmp"
	"context"
	"encoding/json"
	"math"
	"sync"
)

// Spec describes how to summarise the posterior of one functional. The zero value asks for the
// equal-tailed 90 % interval of the mean under the paper's posterior. If a level leaves less than
// one draw out on a side, the limits are the extreme draws.
type Spec struct {
	Functional Functional   // nil means Mean
	Level      float64      // credible level in (0, MaxLevel]; 0 means DefaultLevel
	Interval   IntervalKind // EqualTailed or HighestDensity
	Posterior  Posterior    // PaperPosterior, also if it is "", or LimitPosterior
	Errors     bool         // estimate the Monte-Carlo standard errors of the limits too
}

// Estimate is the posterior summary of a functional at one query row, on the functional's scale.
//
// Point is the functional of the row's PPD itself, not a mean of the draws. With [Direct], and
// where [Auto] uses Direct, it is the point of the model's own posterior if that posterior has one.
//
// Lo <= Hi always. Lo and Hi are finite where the PPD's quantiles are, and NaN where the PPD
// returns NaN. Point may lie outside [Lo, Hi]. A martingale posterior is centred on the PPD, but
// its functional need not be, and no limit moves to hide that. (The 0.999 quantile of 50 forward
// samples is their maximum, which lies mostly below the 0.999 quantile of the PPD.)
//
// A probability under the paper's posterior is a multiple of 1/N. Where neighbouring draws tie, the
// standard error is 0: it is the error of the rounded limit.
type Estimate struct {
	Point      float64
	Lo, Hi     float64
	LoSE, HiSE float64 // Monte-Carlo standard errors of Lo and Hi; NaN unless Spec.Errors
	Widened    bool    // Lo or Hi was moved to a point outside, see Holding
}

// MarshalJSON leaves out standard errors that are not estimated, as JSON has no NaN.
func (e Estimate) MarshalJSON() ([]byte, error) {
	of := map[string]any{"Point": e.Point, "Lo": e.Lo, "Hi": e.Hi, "Widened": e.Widened}
	if !math.IsNaN(e.LoSE) {
		of["LoSE"], of["HiSE"] = e.LoSE, e.HiSE
	}
	return json.Marshal(of)
}

// Holding widens the interval to hold a point. A mean may lie outside the central interval of its
// posterior: if a probability is 1 with probability 1/50 and otherwise 0, its mean .02 is above its
// 0.95-quantile 0.
func (e Estimate) Holding(point float64) Estimate {
	e.Widened = e.Widened || point < e.Lo || point > e.Hi
	if e.Widened {
		e.Lo, e.Hi = math.Min(e.Lo, point), math.Max(e.Hi, point)
	}
	return e
}

// Summarizer turns PPDs into estimates of one functional. It is safe for concurrent use.
type Summarizer struct {
	functional Functional
	rule       *rule
	engine     engine
	scratch    sync.Pool
}

// engine evaluates the posterior of one functional at one row.
type engine interface {
	// draws fills dst, of length B, with the posterior draws at a row, in any order of the chains.
	draws(dst []float64, ppd PPD, s *scratch)
}

// limiter is an engine with a shorter way to the credible limits at a row than all draws.
type limiter interface {
	limits(ppd PPD, s *scratch) limits
}

// scratch is the working memory of one row.
type scratch struct {
	draws  []float64 // B
	counts []uint16  // B
	grid   rankGrid  // P_0^-1 at the nodes of the rank grid
	lines  lines
}

// Summarizer prepares the summary of one functional. It fails if spec is out of range, and with the
// cause of ctx when ctx is cancelled. The first summary of the mean or a probability under the
// limit posterior inverts G_N of every chain at 72 levels, which takes about as long as drawing the
// chains.
func (p *RankPosterior) Summarizer(ctx context.Context, spec Spec) (*Summarizer, error) {
	spec, err := spec.complete()
	if err != nil {
		return nil, err
	}
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	s := &Summarizer{functional: spec.Functional, rule: newRule(spec, p.chains)}
	if s.engine, err = spec.Functional.engine(ctx, p, s.rule, spec.Posterior); err != nil {
		return nil, err
	}
	s.scratch.New = func() any {
		return &scratch{draws: make([]float64, p.chains), counts: make([]uint16, p.chains)}
	}
	return s, nil
}

// MaxLevel is the highest level of an interval. Above it, the share outside the interval has hardly
// a correct digit; at 1, limits are infinite.
const MaxLevel = 1 - 1e-12

// ValidLevel reports whether level can be the level of an interval: 0 < level <= MaxLevel.
func ValidLevel(level float64) bool { return level > 0 && level <= MaxLevel }

// complete applies the defaults and checks the ranges.
func (s Spec) complete() (Spec, error) {
	if s.Functional == nil {
		s.Functional = Mean{}
	}
	s.Level, s.Posterior = cmp.Or(s.Level, DefaultLevel), cmp.Or(s.Posterior, PaperPosterior)
	switch {
	case !ValidLevel(s.Level):
		return s, settingError("Level",
			"the credible level is %v, it must be above 0 and at most 1-1e-12", s.Level)
	case s.Interval != EqualTailed && s.Interval != HighestDensity:
		return s, settingError("Interval", "unknown kind of interval %v", s.Interval)
	case s.Posterior != PaperPosterior && s.Posterior != LimitPosterior:
		return s, settingError("Posterior", "chains have no posterior %q", s.Posterior)
	}
	if err := s.Functional.check(); err != nil {
		return s, err
	}
	if f, err := ParseFunctional(s.Functional.String()); err != nil || f != s.Functional {
		return s, &FunctionalError{Functional: s.Functional}
	}
	return s, nil
}

// Functional returns the functional that s summarises.
func (s *Summarizer) Functional() Functional { return s.functional }

func (s *Summarizer) limits(ppd PPD, w *scratch) limits {
	if e, ok := s.engine.(limiter); ok {
		return e.limits(ppd, w)
	}
	s.engine.draws(w.draws, ppd, w)
	return s.rule.of(w.draws)
}

// Row returns the estimate at the query row whose PPD is ppd.
func (s *Summarizer) Row(ppd PPD) Estimate {
	w := s.scratch.Get().(*scratch)
	defer s.scratch.Put(w)
	l := s.limits(ppd, w)
	return Estimate{Point: s.functional.Point(ppd), Lo: l.lo, Hi: l.hi, LoSE: l.loSE, HiSE: l.hiSE}
}

// Estimate implements [Summary]: it is [Summarizer.Row].
func (s *Summarizer) Estimate(p Prediction) Estimate { return s.Row(p.PPD) }

// Draws returns the B posterior draws of the functional at the row whose PPD is ppd, in no
// particular order, appended to dst.
func (s *Summarizer) Draws(dst []float64, ppd PPD) []float64 {
	w := s.scratch.Get().(*scratch)
	defer s.scratch.Put(w)
	s.engine.draws(w.draws, ppd, w)
	return append(dst, w.draws...)
}

// PPD is the posterior predictive distribution P_0 of one query row, on the scale of the label.
// Its methods must be safe for concurrent use if rows are summarised concurrently.
type PPD interface {
	// CDF returns P_0(y), right-continuous, for any y that is not NaN.
	CDF(y float64) float64
	// Quantile returns P_0^-1(p) = inf{y: P_0(y) >= p} for p in (0, 1); it does not decrease in
	// p.
	Quantile(p float64) float64
	// Mean returns the expectation of P_0.
	Mean() float64
}

// BatchPPD is a [PPD] that evaluates many quantiles in one scan. The mean functional and
// highest-density intervals need hundreds of quantiles a row and use it where it is offered.
type BatchPPD interface {
	PPD
	// Quantiles sets dst[i] = Quantile(p[i]); p ascends and lies in (0, 1), len(dst) == len(p).
	Quantiles(dst, p []float64)
}

// Quantiles sets dst to the quantiles of ppd at the ascending levels p, in one call where ppd can.
func Quantiles(ppd PPD, dst, p []float64) {
	if b, ok := ppd.(BatchPPD); ok {
		b.Quantiles(dst, p)
		return
	}
	for i, level := range p {
		dst[i] = ppd.Quantile(level)
	}
}
