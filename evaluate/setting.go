package evaluate

import (
	"slices"

	"github.com/pfnamp/pfnamp/amp"
)

// Setting says how tables are evaluated. All fields but Folds and Baselines must be set.
type Setting struct {
	Model       Model
	Functionals []amp.Functional
	Level       float64 // credible level of the intervals and level of predictive ones, in (0, 1)
	Chains      int     // B of every rank posterior
	Steps       int     // N
	Seed        uint64

	Folds   int     // of a cross-validation; 0 for random splits
	Splits  int     // random splits of a table
	Share   float64 // share of the rows for training, in (0, 1)
	Refits  int     // of the bootstrap; 0 leaves it out
	Workers int     // cells computed at the same time, at least 1; see Run

	Baselines []Baseline // whose predictive distributions are scored beside the model's
}

// Ranks returns chains with the paper's schedule, not drawn yet.
func (set Setting) Ranks() *amp.Ranks {
	sampler := amp.Sampler{Chains: set.Chains, Steps: set.Steps, Seed: set.Seed}
	if set.Workers > 1 {
		sampler.Workers = 1 // cells are computed side by side
	}
	return &amp.Ranks{Sampler: sampler}
}

// Methods returns the methods of package amp, and the bootstrap unless Refits is 0. For classes,
// steps move mass to one class only, and limit comes first. Chains of paper and limit are drawn
// afresh, so that their times are those of a user who asks for one.
func (set Setting) Methods(classes bool) (methods []Method) {
	kinds, rho := []amp.Posterior{amp.PaperPosterior, amp.LimitPosterior}, 0.0
	if classes {
		slices.Reverse(kinds)
		rho = 1
	}
	for _, kind := range kinds {
		ranks := set.Ranks()
		ranks.Sampler.Rho = rho
		methods = append(methods, Posterior{amp.Chains{Kind: kind, Ranks: ranks}})
	}
	methods = append(methods, Posterior{amp.Direct{}}, Posterior{amp.Direct{Companion: true}})
	if set.Refits > 0 {
		methods = append(methods, Bootstrap{set.Refits})
	}
	return methods
}
