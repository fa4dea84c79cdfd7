package pfnamp

import (
	"errors"
	"fmt"
	"slices"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/tabular"
)

// Question is what is asked of every query row. The zero value asks for the conditional mean with
// its 90 % credible interval under the default posterior; of a classifier, for the probability of
// every class.
type Question struct {
	// Functionals are the means, quantiles and probabilities to estimate; nil means the mean. A
	// classifier is asked for the probability of every class, and they must be nil.
	Functionals []amp.Functional
	Level       float64          // of all intervals, in (0, 1); 0 means amp.DefaultLevel
	Interval    amp.IntervalKind // of the credible intervals
	// Posterior is that of the credible intervals; "" means [Paper], of a classifier [Limit].
	Posterior Posterior
	Errors    bool // estimate Monte-Carlo standard errors of the limits; of chains only

	Chains  int     // see amp.Sampler
	Steps   int     // see amp.Sampler
	Rho     float64 // see amp.Sampler, but 0 means 1 for a classifier
	Beta    float64 // exponent of the paper's schedule; 0 means amp.PaperBeta of the features
	Seed    uint64
	Workers int // goroutines, 0 for one per processor; they change no result
}

// Posterior names a method of package amp.
type Posterior string

// The posteriors.
const (
	// Paper is the functional of the forward samples of every chain, as published.
	Paper Posterior = "paper"
	// Limit is the functional of every chain's last distribution: no noise of finite draws.
	Limit Posterior = "limit"
	// Direct is the network's own posterior, of bundles that have it; no chains are drawn.
	Direct Posterior = "direct"
)

// Posteriors lists the names.
func Posteriors() []Posterior { return []Posterior{Paper, Limit, Direct} }

// ErrFunctionals reports functionals asked of a classifier.
var ErrFunctionals = errors.New(
	"pfnamp: a classifier is asked for the probability of every class; leave Functionals nil")

// Complete returns the question with its defaults filled in for contexts of a schema, which it
// checks. Errors are [ErrFunctionals], a *amp.FunctionalError, or tell what is out of range.
func (q Question) Complete(s *tabular.Schema) (Question, error) {
	if s.Labels != nil {
		var classes []amp.Functional
		for k := range s.Labels.Texts {
			classes = append(classes, amp.Class(k))
		}
		if q.Functionals != nil && !slices.Equal(q.Functionals, classes) {
			return q, ErrFunctionals
		}
		q.Functionals = classes
		q.Posterior, q.Rho = orElse(q.Posterior, Limit), orElse(q.Rho, 1)
	}
	if q.Functionals == nil {
		q.Functionals = []amp.Functional{amp.Mean{}}
	}
	q.Posterior, q.Rho = orElse(q.Posterior, Paper), orElse(q.Rho, amp.DefaultRho)
	q.Level, q.Chains = orElse(q.Level, amp.DefaultLevel), orElse(q.Chains, amp.DefaultChains)
	q.Steps = orElse(q.Steps, amp.DefaultSteps)
	if !(q.Level > 0 && q.Level < 1) {
		return q, fmt.Errorf("pfnamp: level %v is not between 0 and 1", q.Level)
	}
	return q, nil
}

// orElse is v, or what zero stands for.
func orElse[T comparable](v, other T) T {
	if zero := *new(T); v == zero {
		return other
	}
	return v
}

// method makes the posterior that is asked for.
func (q Question) method() (amp.Method, error) {
	ranks := &amp.Ranks{Beta: q.Beta, Sampler: amp.Sampler{Chains: q.Chains, Steps: q.Steps,
		Rho: q.Rho, Seed: q.Seed, Workers: q.Workers}}
	switch q.Posterior {
	case Paper:
		return amp.Chains{Kind: amp.Paper, Ranks: ranks}, nil
	case Limit:
		return amp.Chains{Kind: amp.Limit, Ranks: ranks}, nil
	case Direct:
		return amp.Direct{}, nil
	}
	return nil, fmt.Errorf("pfnamp: posterior %q is not one of %v", q.Posterior, Posteriors())
}

// Names are those of the estimates, the names of their columns: those of the functionals, or
// p=LABEL of classes. The question must be complete.
func (q Question) Names(s *tabular.Schema) []string {
	names := make([]string, len(q.Functionals))
	for i, f := range q.Functionals {
		names[i] = f.String()
		if s.Labels != nil {
			names[i] = "p=" + s.Labels.Texts[i]
		}
	}
	return names
}

// Draws is the number of joint posterior draws of rows that are coupled: one per chain, or
// amp.DefaultChains without chains. The question must be complete.
func (q Question) Draws() int {
	if q.Posterior == Direct {
		return amp.DefaultChains
	}
	return q.Chains
}
