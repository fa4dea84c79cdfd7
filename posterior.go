package pfnamp

import (
	"slices"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn"
)

// Posterior names a method of package amp.
type Posterior string

// The posteriors.
const (
	// Auto is the network's own posterior where its bundle has one of every functional, or of the
	// class probabilities, with the chains of Paper at rows where the outputs for a number
	// contradict each other; Paper with other bundles, and Limit of classes.
	Auto Posterior = amp.AutoName
	// Paper is the functional of the forward samples of every chain, as published.
	Paper Posterior = amp.PaperName
	// Limit is the functional of every chain's last distribution: no noise of finite draws.
	Limit Posterior = amp.LimitName
	// Direct is the network's own posterior, of bundles that have it; no chains are drawn.
	Direct Posterior = amp.DirectName
)

// PosteriorForm is what is known of a posterior.
type PosteriorForm struct {
	Name    Posterior
	Meaning string // a few lines
	Chained bool   // it draws chains at every row
	Own     bool   // it reads the network's own posterior

	method func(*amp.Ranks) amp.Method
}

// posteriors lists them.
var posteriors = []PosteriorForm{
	{Name: Auto, Own: true,
		Meaning: "direct with bundles that have it, and paper at rows where the network's\n" +
			"two outputs contradict each other; otherwise paper, of classes limit",
		method: func(r *amp.Ranks) amp.Method {
			return amp.Auto{Fallback: amp.Chains{Kind: amp.Paper, Ranks: r}}
		}},
	{Name: Paper, Chained: true,
		Meaning: "functional of the forward samples of every chain, as in the publication",
		method:  func(r *amp.Ranks) amp.Method { return amp.Chains{Kind: amp.Paper, Ranks: r} }},
	{Name: Limit, Chained: true,
		Meaning: "functional of the chain's last distribution: no noise of finite draws",
		method:  func(r *amp.Ranks) amp.Method { return amp.Chains{Kind: amp.Limit, Ranks: r} }},
	{Name: Direct, Own: true,
		Meaning: "the network's own posterior, learned on synthetic tables (only with\n" +
			"bundles that have it, see pfnamp models show): no chains, so fast",
		method: func(*amp.Ranks) amp.Method { return amp.Direct{} }},
}

// PosteriorForms lists what is known of every posterior.
func PosteriorForms() []PosteriorForm { return slices.Clone(posteriors) }

// Posteriors lists the names.
func Posteriors() []Posterior {
	names := make([]Posterior, len(posteriors))
	for i, form := range posteriors {
		names[i] = form.Name
	}
	return names
}

// form is what is known of a posterior, nothing of a name that is none.
func (p Posterior) form() PosteriorForm {
	if i := slices.Index(Posteriors(), p); i >= 0 {
		return posteriors[i]
	}
	return PosteriorForm{}
}

// Chained reports whether the posterior draws chains at every row.
func (p Posterior) Chained() bool { return p.form().Chained }

// Own reports whether the posterior reads the network's own where there is one.
func (p Posterior) Own() bool { return p.form().Own }

// resolve is the posterior that Auto, or none, stands for.
func (p Posterior) resolve(task Task, m models.Manifest) Posterior {
	switch {
	case p != "" && p != Auto:
		return p
	case m.Own():
		return Auto
	}
	return task.chains()
}

// method is a posterior that is asked for.
type method struct {
	amp.Method
	name Posterior
}

// methods makes the posteriors that are asked for, which share their chains.
func (q Question) methods() []method {
	ranks := &amp.Ranks{Beta: q.Beta, Sampler: amp.Sampler{Chains: q.Chains, Steps: q.Steps,
		Rho: q.Rho, Seed: q.Seed, Workers: q.Workers}}
	methods := make([]method, len(q.Posteriors))
	for i, name := range q.Posteriors {
		methods[i] = method{name.form().method(ranks), name}
	}
	return methods
}

// CheckDirect tells whether networks of a manifest have a posterior of their own. The error is a
// *pfn.NoDirectError.
func CheckDirect(m models.Manifest) error {
	if !m.Own() {
		return &pfn.NoDirectError{Model: m.Name + " " + m.Version}
	}
	return nil
}
