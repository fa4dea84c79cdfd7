package nori

import (
	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn/internal/pyrand"
)

// Transforms of the columns.
const (
	None     = "none"
	Quantile = "quantile" // positions among the quantiles of a column
	Adaptive = "adaptive" // a transform that suits each column
)

// Preset is the composition of an ensemble. Members take the pipelines in turn.
type Preset struct {
	Members     int
	Seed        uint64
	Fingerprint bool // false leaves out the hashes of all members
	Pipelines   []models.NoriPipeline
}

// Member is one ensemble member.
type Member struct {
	Number   int // of its pipeline
	Pipeline models.NoriPipeline
	seeds    seeds
}

// seeds holds the seeds of the steps that draw.
type seeds struct{ products, transform, categories, fingerprint, shuffle uint64 }

const (
	seedsPerMember = 10 // number drawn for every member
	mostSeed       = 10_000
)

// compose draws the seeds of all members. A step takes the seed at its place among the steps of the
// pipeline.
func (p Preset) compose() []Member {
	random := pyrand.New(p.Seed)
	members := make([]Member, p.Members)
	for i := range members {
		number := i % len(p.Pipelines)
		m := Member{Number: number, Pipeline: p.Pipelines[number]}
		var drawn [seedsPerMember]uint64
		for k := range drawn {
			drawn[k] = uint64(random.Below(mostSeed + 1))
		}
		at := 0
		take := func(seed *uint64, has bool) {
			if has {
				*seed = drawn[at]
				at++
			}
		}
		var unused uint64
		take(&unused, m.Pipeline.Subsampler)
		take(&m.seeds.products, m.Pipeline.Products > 0)
		take(&unused, true) // of the step that keeps columns that vary
		take(&m.seeds.transform, m.Pipeline.Transform != None)
		take(&m.seeds.categories, m.Pipeline.Categories)
		take(&m.seeds.fingerprint, m.Pipeline.Fingerprint)
		take(&m.seeds.shuffle, m.Pipeline.Shuffle)
		m.Pipeline.Fingerprint = m.Pipeline.Fingerprint && p.Fingerprint
		members[i] = m
	}
	return members
}
