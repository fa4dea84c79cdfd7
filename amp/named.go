package amp

import "slices"

// Posterior names a [Method], as its Name does.
type Posterior string

// The posteriors.
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
		Meaning: "direct with bundles that have it, and paper at rows where the network's\n" +
			"two outputs contradict each other; otherwise paper, of classes limit",
		method: func(r *Ranks) Method {
			return Auto{Fallback: Chains{Kind: Paper, Ranks: r}}
		}},
	{Name: PaperPosterior, Chained: true,
		Meaning: "functional of the forward samples of every chain, as in the publication",
		method:  func(r *Ranks) Method { return Chains{Kind: Paper, Ranks: r} }},
	{Name: LimitPosterior, Chained: true,
		Meaning: "functional of the chain's last distribution: no noise of finite draws",
		method:  func(r *Ranks) Method { return Chains{Kind: Limit, Ranks: r} }},
	{Name: DirectPosterior, Own: true,
		Meaning: "the network's own posterior, learned on synthetic tables (only with\n" +
			"bundles that have it, see pfnamp models show): no chains, so fast",
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

// form is what is known of a posterior, nothing of a name that is none.
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

// Method makes the method, which draws its chains by ranks. It panics on an unknown name.
func (p Posterior) Method(ranks *Ranks) Method { return p.form().method(ranks) }
