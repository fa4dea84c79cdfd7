package amp

import "slices"

// Posterior is the name of a [Method].
type Posterior string

// The names of the posteriors.
const (
	AutoPosterior   Posterior = AutoName
	PaperPosterior  Posterior = PaperName
	LimitPosterior  Posterior = LimitName
	DirectPosterior Posterior = DirectName
)

// PosteriorForm describes a posterior.
type PosteriorForm struct {
	Name    Posterior
	Meaning string // a few lines
	Chained bool   // it draws chains at every row
	Own     bool   // it reads the network's own posterior

	method func(*Ranks) Method
}

// posteriors lists them.
var posteriors = []PosteriorForm{
	{Name: AutoPosterior, Own: true,
		Meaning: "direct if the bundle has it, but paper for rows where the network's two\n" +
			"outputs contradict each other; without direct: paper, or limit for classes",
		method: func(r *Ranks) Method {
			return Auto{Fallback: Chains{Kind: Paper, Ranks: r}}
		}},
	{Name: PaperPosterior, Chained: true,
		Meaning: "functional of every chain's forward samples, as in the publication",
		method:  func(r *Ranks) Method { return Chains{Kind: Paper, Ranks: r} }},
	{Name: LimitPosterior, Chained: true,
		Meaning: "functional of every chain's last distribution, without sampling noise",
		method:  func(r *Ranks) Method { return Chains{Kind: Limit, Ranks: r} }},
	{Name: DirectPosterior, Own: true,
		Meaning: "the network's own posterior, learned on synthetic tables: fast, without\n" +
			"chains (not every bundle has it: see pfnamp models show)",
		method: func(*Ranks) Method { return Direct{} }},
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

// form returns the description of p, empty if the name is unknown.
func (p Posterior) form() PosteriorForm {
	if i := slices.Index(Posteriors(), p); i >= 0 {
		return posteriors[i]
	}
	return PosteriorForm{}
}

// Chained reports whether the posterior draws chains at every row.
func (p Posterior) Chained() bool { return p.form().Chained }

// Own reports whether the posterior reads the network's own posterior where the network has one.
func (p Posterior) Own() bool { return p.form().Own }

// Method returns the method, which draws its chains by ranks. It panics on an unknown name.
func (p Posterior) Method(ranks *Ranks) Method { return p.form().method(ranks) }
