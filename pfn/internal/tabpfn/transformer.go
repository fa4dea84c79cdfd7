package tabpfn

import (
	"slices"

	"github.com/pfnamp/pfnamp/internal/matrix"
	"github.com/pfnamp/pfnamp/internal/panics"
	"github.com/pfnamp/pfnamp/models"
)

// Preset describes the composition of an ensemble and how its predictions are combined. The parts
// of a manifest have the pipelines: those of Nori, whose ensembles have no target and no bars,
// those of a recipe of package 8.4.0, or of package 2.0.9 without one.
type Preset struct {
	models.Parts
	Members     int       // number of members, at least 1
	Seed        uint64    // seed of all random choices
	Norms       []string  // names of the pipelines of a recipe
	Fingerprint bool      // members also read a hash of the row
	Borders     []float32 // K+1 ascending borders of the bars, in standardised units
	// Classes is the number of classes of a classifier, and 0 for a regressor. A classifier has no
	// Borders, and a regressor no ClassShuffle.
	Classes      int
	ClassShuffle string // models.ShuffleClasses, RotateClasses or KeepClasses
}

// Transformer turns feature tables into the input tensors of the members, and logits of bars into
// probabilities. It is safe for concurrent use.
type Transformer struct {
	Members []Member
	Target  Target // of a regressor
	Blind   bool   // a member reads only columns that do not vary

	preset   Preset
	plan     plan
	layout   layout
	branches []branch
	steps    []steps
	labels   map[bool][]float32 // standardised target, by whether the power transform is applied
	bars     map[bool]translation
}

// Fit fits N >= 2 context rows with finite targets, which must not be constant; a classifier
// ignores its target. Categorical columns hold ordinal codes, -1 of a missing or unseen category,
// and are declared as such. Fit returns nil if no column varies. If no column that a member reads
// varies, the transformer is Blind and useless.
func Fit(x matrix.Matrix, y []float64, categorical []bool, p Preset) *Transformer {
	plan := p.plan()
	t := &Transformer{preset: p, plan: plan, layout: plan.layout(x, categorical),
		Members: plan.members, labels: map[bool][]float32{}, bars: map[bool]translation{}}
	bars := p.Classes == 0 && p.Nori == nil
	if bars {
		t.Target = FitTarget(y)
	}
	if len(t.layout.columns) == 0 {
		return nil
	}
	t.divide(x.Rows)
	laidOut := t.layout.read(x)
	shaped, fitted := make([]matrix.Matrix, len(t.branches)), make([]bool, len(t.branches))
	panics.All(len(t.branches), func(i int) {
		b := &t.branches[i]
		if fitted[i] = b.fit(plan, laidOut, t.layout.codes); fitted[i] {
			shaped[i] = b.apply(laidOut)
		}
	})
	if t.Blind = slices.Contains(fitted, false); t.Blind {
		if t.layout.varying == 0 {
			return nil
		}
		return t
	}
	for _, m := range t.Members {
		if bars && t.labels[m.PowerTarget] == nil {
			t.fitLabels(t.Target.Standardize(y), m.PowerTarget)
		}
	}
	panics.All(len(t.steps), func(i int) {
		at := t.steps[i].branch
		t.steps[i] = plan.fitSteps(t.Members[i], shaped[at], t.branches[at].shaped.codes, p.Fingerprint)
		t.steps[i].branch = at
	})
	return t
}

// divide assigns the members to branches. Members that read all columns share that of a pipeline.
func (t *Transformer) divide(rows int) {
	subsets := make([][]int, len(t.Members))
	if t.plan.subsets != nil {
		subsets = t.plan.subsets(t.layout, rows)
	}
	t.steps = make([]steps, len(t.Members))
	for i, m := range t.Members {
		at := slices.IndexFunc(t.branches, func(b branch) bool {
			return b.member.Pipeline == m.Pipeline && b.columns == nil && subsets[i] == nil
		})
		if at < 0 || t.plan.alone {
			at = len(t.branches)
			t.branches = append(t.branches, branch{member: m, columns: subsets[i]})
		}
		t.steps[i].branch = at
	}
}

// fitLabels prepares the members' target and the translation of their bars. If no border has an
// image under the power transform, the target is not transformed.
func (t *Transformer) fitLabels(z []float64, transform bool) {
	from, cancelled := t.preset.Borders, []bool(nil)
	if transform {
		p := fitPower(z, t.plan.stable)
		if mapped, mask, ok := mapBorders(from, p); ok {
			from, cancelled = mapped, mask
			for i, v := range z {
				z[i] = p.apply(v)
			}
		}
	}
	t.labels[transform] = narrow(z)
	t.bars[transform] = newTranslation(from, t.preset.Borders, cancelled,
		t.preset.TabPFN.CDF == models.CDFFixed)
}

// Features returns the number of columns of the table that vary.
func (t *Transformer) Features() int { return t.layout.varying }

// Width returns the number of columns that member i reads.
func (t *Transformer) Width(i int) int { return t.steps[i].width }

// Permutation returns the order of the columns of member i. Do not change it.
func (t *Transformer) Permutation(i int) []int { return t.steps[i].permutation }

// Labels returns the target [N] of member i of a regressor. Do not change it.
func (t *Transformer) Labels(i int) []float32 { return t.labels[t.Members[i].PowerTarget] }

// Context returns the context rows in the form of every member, [N, Width(i)] each.
func (t *Transformer) Context(x matrix.Matrix) [][]float32 { return t.tables(x, true) }

// Queries returns query rows in the form of every member, [rows, Width(i)] each.
func (t *Transformer) Queries(x matrix.Matrix) [][]float32 { return t.tables(x, false) }

func (t *Transformer) tables(x matrix.Matrix, context bool) [][]float32 {
	laidOut := t.layout.read(x)
	shaped := make([]matrix.Matrix, len(t.branches))
	panics.All(len(shaped), func(i int) { shaped[i] = t.branches[i].apply(laidOut) })
	out := make([][]float32, len(t.steps))
	panics.All(len(out), func(i int) {
		s := &t.steps[i]
		out[i] = narrow(s.apply(shaped[s.branch], context).Data)
	})
	return out
}

// Combine turns the logits [K] of one query row, one slice for each member, into the
// probabilities [K] of the common bars.
func (t *Transformer) Combine(logits [][]float32) []float64 {
	mass := make([]float64, len(t.preset.Borders)-1)
	weight := 1 / float64(len(logits))
	for i, l := range logits {
		t.bars[t.Members[i].PowerTarget].add(mass, l, t.preset.TabPFN.Temperature, weight)
	}
	var sum float64
	for _, v := range mass {
		sum += v
	}
	for k := range mass {
		mass[k] /= sum
	}
	return mass
}

// Borders returns the K+1 borders of the common bars in the units of the target.
func (t *Transformer) Borders() []float64 {
	raw := make([]float64, len(t.preset.Borders))
	for i, b := range t.preset.Borders {
		raw[i] = float64(b)*t.Target.SD + t.Target.Mean
	}
	return raw
}

func narrow(values []float64) []float32 {
	out := make([]float32, len(values))
	for i, v := range values {
		out[i] = float32(v)
	}
	return out
}
