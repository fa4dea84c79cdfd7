package tabpfn

import (
	"math"

	"github.com/pfnamp/pfnamp/pfn/internal/pyrand"
)

// Pipeline names the feature pipeline of a member.
type Pipeline string

// The feature pipelines of package 2.0.9: of regressors the first two, of classifiers Quantile and
// Unchanged.
const (
	Quantile  Pipeline = "quantile"
	Power     Pipeline = "power"
	Unchanged Pipeline = "none"
)

// Member is one ensemble member.
type Member struct {
	Pipeline    Pipeline
	PowerTarget bool   // the member learns a transform of the target
	Classes     []int  // the member reads class k as Classes[k]; nil for a regression
	Seed        uint64 // of the member's own random choices
}

// maxShift is the limit of the feature shifts that the reference draws but does not use with
// shuffled features.
const maxShift = 1000

// composed returns the members of package 2.0.9: all pairs of a pipeline and a target, or all
// pipelines of a classifier, each equally often, and random ones for the rest.
func (p Preset) composed() []Member {
	const maxSeed = math.MaxInt32
	count := p.Members
	combinations := []Member{
		{Pipeline: Quantile}, {Pipeline: Quantile, PowerTarget: true},
		{Pipeline: Power}, {Pipeline: Power, PowerTarget: true},
	}
	if p.Classes > 0 {
		combinations = []Member{{Pipeline: Quantile}, {Pipeline: Unchanged}}
	}
	random := pyrand.NewGenerator(p.Seed)
	random.Int(0, maxSeed) // the reference draws this seed and does not use it
	random.Int(0, maxShift)
	random.Subset(count, count) // likewise
	orders := p.classOrders(random)
	var members []Member
	for _, c := range combinations {
		for range count / len(combinations) {
			members = append(members, c)
		}
	}
	if left := count % len(combinations); left > 0 {
		for _, i := range random.Choice(len(combinations), left) {
			members = append(members, combinations[i])
		}
	}
	random.Int(0, maxSeed) // another unused seed
	for i, s := range random.Ints(0, maxSeed, count) {
		members[i].Seed = uint64(s)
		if orders != nil {
			members[i].Classes = orders[i]
		}
	}
	return members
}
