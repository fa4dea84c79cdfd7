package pfnamp

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/drift"
	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/reading"
	"github.com/pfnamp/pfnamp/tabular"
)

// Question is a question about every query row. The zero value asks for the conditional mean with
// its 90 % credible interval under the default posterior, and for a classifier for the probability
// of every class.
type Question struct {
	// Functionals are the means, quantiles and probabilities to estimate; nil means the mean. It
	// must be nil for a classifier, which always gives the probability of every class.
	Functionals []amp.Functional
	Level       float64          // of all intervals, in (0, amp.MaxLevel]; 0 means amp.DefaultLevel
	Interval    amp.IntervalKind // of the credible intervals
	// Posteriors lists the posteriors of the credible intervals, without repetition; nil and ""
	// mean [Auto]. The first one couples rows.
	Posteriors []Posterior
	Predictive Predictive // of the intervals of a label; "" means [PPDInterval]
	// ConformalBy keeps the promise of ConformalInterval within groups: ByClass for classes, or a
	// column that FitOptions.ConformalBy names too; "" means all rows together.
	ConformalBy string
	// Label lists statistics of the distribution of the label itself: quantiles, probabilities,
	// standard deviation or density, without intervals. It must be nil for classes.
	Label   []amp.Statistic
	Samples int // labels drawn from that distribution at every row; at most MostSamples

	// Shift weights the rows of the context in ConformalInterval by how much they resemble query
	// rows, see [Fitted.Shift]; nil means equal weights. It excludes ConformalBy.
	Shift   *drift.Weights
	Missing reading.Missing // treatment of rows with missing cells; "" means [reading.Auto]
	// AllowNew accepts query tables with mostly unknown categories, see [Predictor.RefuseNew].
	AllowNew bool
	// Errors adds Monte-Carlo standard errors of the limits; only a [Posterior.Chained] has them.
	Errors bool

	Chains int     // see amp.Sampler
	Steps  int     // see amp.Sampler
	Rho    float64 // see amp.Sampler, but 0 means 1 for a classifier
	// Beta is the exponent of the paper's schedule; 0 means amp.PaperBeta of the number of varying
	// features.
	Beta    float64
	Seed    uint64 // of what is drawn; that of the program is 1 if its user names none
	Workers int    // goroutines, 0 for one per processor; results do not depend on it
}

// Predictive is the kind of predictive intervals of a label.
type Predictive string

// The kinds of predictive interval.
const (
	// PPDInterval is the central interval of the PPD. It is the default.
	PPDInterval Predictive = "ppd"
	// ConformalInterval is calibrated on rows that the model has not read; for classes it is a set.
	// See heldout.Conformal.
	ConformalInterval Predictive = "conformal"
)

// Predictives lists the names.
func Predictives() []Predictive { return []Predictive{PPDInterval, ConformalInterval} }

// ErrFunctionals reports functionals in a question for a classifier.
var ErrFunctionals = errors.New(
	"pfnamp: a classifier predicts the probability of every class: leave Functionals nil")

// Complete checks the question and returns it with its defaults for a schema and a manifest. Auto
// stays if the bundle, or its companion, has a posterior. It fails with
// [ErrFunctionals], a *[SamePosteriorError], a *pfn.NoDirectError, a *amp.FunctionalError, or an
// [*OptionError] about a field that is out of range.
func (q Question) Complete(s *tabular.Schema, m models.Manifest) (Question, error) {
	q, err := Task{s.Labels}.complete(q)
	if err != nil {
		return q, err
	}
	if slices.Contains(q.Functionals, nil) {
		return q, &OptionError{"Functionals", "a functional is nil: leave Functionals nil for the mean"}
	}
	if q, err = q.resolved(s, m); err != nil {
		return q, err
	}
	q.Rho = cmp.Or(q.Rho, amp.DefaultRho)
	q.Level, q.Chains = cmp.Or(q.Level, amp.DefaultLevel), cmp.Or(q.Chains, amp.DefaultChains)
	q.Steps = cmp.Or(q.Steps, amp.DefaultSteps)
	q.Predictive, q.Missing = cmp.Or(q.Predictive, PPDInterval), cmp.Or(q.Missing, reading.Auto)
	switch {
	case !amp.ValidLevel(q.Level):
		return q, optionError("Level", "level %v is not between 0 and 1, at most 1-1e-12", q.Level)
	case !slices.Contains(Predictives(), q.Predictive):
		return q, optionError("Predictive", "predictive interval %q is not one of %v", q.Predictive,
			Predictives())
	case !slices.Contains(reading.Ways(), q.Missing):
		return q, optionError("Missing", "missing cells %q are not one of %v", q.Missing, reading.Ways())
	case q.ConformalBy != "" && q.Predictive != ConformalInterval:
		return q, optionError("ConformalBy", "groups by %q need conformal predictions, and Predictive "+
			"is %s", q.ConformalBy, q.Predictive)
	case q.Shift != nil && (q.Predictive != ConformalInterval || q.ConformalBy != ""):
		return q, optionError("Shift", "weights need conformal predictions without groups")
	case q.Workers < 0:
		return q, optionError("Workers", "workers %d are negative: 0 is one per processor", q.Workers)
	}
	return q, q.checkLabel(s.Labels != nil)
}

// OptionError reports an invalid field of a [Question] or of [FitOptions].
type OptionError struct {
	Field string // name of the field
	Msg   string // what is wrong, and what to do
}

// Error returns the message.
func (e *OptionError) Error() string { return "pfnamp: " + e.Msg }

// optionError makes an *OptionError.
func optionError(field, format string, args ...any) *OptionError {
	return &OptionError{field, fmt.Sprintf(format, args...)}
}

// asOption turns an error of package amp about a setting into an *OptionError.
func asOption(err error) error {
	wrong, ok := errors.AsType[*amp.SettingError](err)
	switch {
	case !ok:
		return err
	case wrong.Field == "Functional":
		return &OptionError{"Functionals", wrong.Msg}
	}
	return &OptionError{wrong.Field, wrong.Msg}
}

// SamePosteriorError reports two posteriors that are the same for a model.
type SamePosteriorError struct{ First, Second, Are Posterior }

// Error returns the message.
func (e *SamePosteriorError) Error() string {
	return fmt.Sprintf("the posteriors %s and %s are both %s with this model", e.First, e.Second,
		e.Are)
}

// resolved replaces default posteriors by actual ones, and checks them.
func (q Question) resolved(s *tabular.Schema, m models.Manifest) (Question, error) {
	asked := q.Posteriors
	if len(asked) == 0 {
		asked = []Posterior{Auto}
	}
	var all []Posterior
	for _, name := range asked {
		p := resolve(name, Task{s.Labels}, m)
		first := slices.Index(all, p)
		switch {
		case !slices.Contains(amp.Posteriors(), p):
			return q, optionError("Posteriors", "posterior %q is not one of %v", p, amp.Posteriors())
		case first >= 0 && asked[first] == name:
			return q, optionError("Posteriors", "posterior %q is listed twice", p)
		case first >= 0:
			return q, &SamePosteriorError{cmp.Or(asked[first], Auto), cmp.Or(name, Auto), p}
		}
		if err := CheckLearned(p, m); err != nil {
			return q, err
		}
		all = append(all, p)
	}
	q.Posteriors = all
	return q, nil
}

// own reports whether the network's own posterior is needed.
func (q Question) own() bool { return slices.ContainsFunc(q.Posteriors, Posterior.Own) }

// Names returns the names of the estimates' columns: those of the functionals, or p=LABEL for
// classes. The question must be complete.
func (q Question) Names(s *tabular.Schema) []string {
	return Task{s.Labels}.names(q.Functionals)
}

// Draws returns the number of joint posterior draws of coupled rows: one per chain, or
// amp.DefaultChains if the first posterior has none.
func (q Question) Draws() int {
	if p := q.Posteriors; len(p) > 0 && p[0].Chainless() {
		return amp.DefaultChains
	}
	return cmp.Or(q.Chains, amp.DefaultChains)
}

// Posterior names a method of package amp.
type Posterior = amp.Posterior

// The posteriors.
const (
	// Auto is the network's own posterior if the bundle has one of every functional, or of the
	// class probabilities, and otherwise that of its companion. Chains answer rows where that
	// contradicts the prediction, and all rows of a table that the companion cannot read: Paper, and
	// Limit for classes.
	Auto = amp.AutoPosterior
	// Paper is the functional of the forward samples of every chain, as published.
	Paper = amp.PaperPosterior
	// Limit is the functional of every chain's last distribution, without sampling noise.
	Limit = amp.LimitPosterior
	// Direct is the network's own posterior, without chains, for bundles that have it.
	Direct = amp.DirectPosterior
	// Companion is the posterior of the network's companion, without chains, for bundles without
	// Direct; see amp.Accompany.
	Companion = amp.CompanionPosterior
)

// resolve returns the posterior that Auto, or "", means.
func resolve(p Posterior, task Task, m models.Manifest) Posterior {
	switch {
	case p != "" && p != Auto:
		return p
	case m.Learned() != nil:
		return Auto
	case task.labels != nil:
		return Limit
	}
	return Paper
}

// method is a requested posterior.
type method struct {
	amp.Method
	name Posterior
}

// methods returns the requested posteriors, which share their chains.
func (q Question) methods(task Task) []method {
	ranks := &amp.Ranks{Beta: q.Beta, Sampler: amp.Sampler{Chains: q.Chains, Steps: q.Steps,
		Rho: q.Rho, Seed: q.Seed, Workers: q.Workers}}
	methods := make([]method, len(q.Posteriors))
	for i, name := range q.Posteriors {
		methods[i] = method{name.Method(ranks, task.labels != nil), name}
	}
	return methods
}

// CheckLearned checks that networks with this manifest have the posterior p, if that is Direct or
// Companion. It fails with a *pfn.NoDirectError.
func CheckLearned(p Posterior, m models.Manifest) error {
	if p == Direct && !m.Own() || p == Companion && m.Companion == nil {
		return &pfn.NoDirectError{Model: m.Name + " " + m.Version, Own: m.Own()}
	}
	return nil
}

// MostSamples is the largest Question.Samples.
const MostSamples = 100_000

// checkLabel checks the part of a question about the distribution of the label itself.
func (q Question) checkLabel(classes bool) error {
	switch {
	case q.Samples < 0 || q.Samples > MostSamples:
		return optionError("Samples", "samples %d are not between 0 and %d", q.Samples, MostSamples)
	case slices.Contains(q.Label, nil):
		return optionError("Label", "a statistic of the label is nil")
	case q.Predictive == ConformalInterval && (q.Label != nil || q.Samples > 0):
		return optionError("Predictive", "Label and Samples need a whole distribution, and conformal "+
			"intervals hold for one level: set Predictive to %s", PPDInterval)
	case classes && q.Label != nil:
		return optionError("Label", "a classifier's columns p=... are already the distribution of the "+
			"label: drop Label, or draw labels with Samples")
	}
	return nil
}

// checkDense refuses densities of labels that are whole numbers.
func (q Question) checkDense(s amp.Support) error {
	for _, statistic := range q.Label {
		if d, ok := statistic.(amp.Density); ok && !s.Dense() {
			event := amp.Probability{Lo: d.At - 0.5, Hi: d.At + 0.5}
			return optionError("Label", "%s: whole numbers have no density but probabilities: ask for %s", d,
				event)
		}
	}
	return nil
}
