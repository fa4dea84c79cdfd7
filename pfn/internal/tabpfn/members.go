package tabpfn

import (
	"math"

	"github.com/pfnamp/pfnamp/pfn/internal/pyrand"
)

// Pipeline names the feature pipeline of a member.
type Pipeline string

// The feature pipelines.
const (
	Quantile Pipeline = "quantile"
	Power    Pipeline = "power"
)

// Member is one ensemble member.
type Member struct {
	Pipeline    Pipeline
	PowerTarget bool   // the member learns a transform of the target
	Seed        uint64 // of the member's own random choices
}

// Members composes count members: all pairs of a pipeline and a target, each as often as the
// others, and random pairs for what is left of count.
func Members(count int, seed uint64) []Member {
	const maxSeed, maxShift = math.MaxInt32, 1000
	combinations := []Member{
		{Pipeline: Quantile}, {Pipeline: Quantile, PowerTarget: true},
		{Pipeline: Power}, {Pipeline: Power, PowerTarget: true},
	}
	random := pyrand.NewGenerator(seed)
	random.Int(0, maxSeed)      // a seed that the reference draws and does not use
	random.Int(0, maxShift)     // feature shifts, not used with shuffled features
	random.Subset(count, count) // likewise
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
	}
	return members
}
