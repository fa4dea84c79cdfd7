package tabpfn

import (
	"math"
	"slices"

	"github.com/pfnamp/pfnamp/internal/matrix"
	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn/internal/pyrand"
)

// recipe is the composition of an ensemble of package 8.4.0, whose checkpoints contain it. The
// members are all pairs of a pipeline and a transform of the target; those of a classifier are all
// pipelines.
type recipe models.Recipe

// ingredients are the steps of a feature pipeline, with the reference's names.
type ingredients models.Pipeline

func (r *recipe) plan(p Preset) plan {
	byName := map[Pipeline]ingredients{}
	for i, given := range r.Pipelines {
		byName[Pipeline(p.Norms[i])] = ingredients(given)
	}
	members, subsetSeed := r.members(p)
	return plan{
		members: members,
		layout:  r.fitOrdered,
		subsets: func(l layout, rows int) [][]int {
			var sizes []int
			for _, m := range members {
				sizes = append(sizes, r.mostInputs(byName[m.Pipeline], l, rows, p.Fingerprint))
			}
			return subsets(l, sizes, pyrand.NewGenerator(subsetSeed),
				r.Subsets == "balanced")
		},
		expand: func(m Member, x matrix.Matrix) *products {
			if r.Products == 0 || x.Cols == 0 {
				return nil
			}
			return fitProducts(x, max(r.Products, 0), m.Seed)
		},
		alone: r.Products != 0,
		reshape: func(m Member, x matrix.Matrix, codes []int) shaped {
			return fitShaped(byName[m.Pipeline], x, codes)
		},
		encode: func(m Member, shaped matrix.Matrix, codes []int) encoding {
			return byName[m.Pipeline].encoding(shaped, codes, m.Seed)
		},
		extend: func(m Member, encoded matrix.Matrix) *components {
			k := byName[m.Pipeline].componentCount(encoded.Rows, encoded.Cols)
			if k == 0 {
				return nil
			}
			return fitComponents(encoded, k)
		},
		hash:   func(_ Member, cells int) fingerprint { return rowHash{uint64(cells)} },
		order:  shuffled,
		stable: true,
	}
}

// members returns the members: all pairs of a pipeline and a target, each equally often, and the
// first pairs for the rest. subsetSeed is the seed of the subsets of the columns.
func (r *recipe) members(p Preset) (members []Member, subsetSeed uint64) {
	count, seed, targets := p.Members, p.Seed, r.Targets
	if p.Classes > 0 {
		targets = []string{"none"}
	}
	var pairs []Member
	for _, name := range p.Norms {
		for _, target := range targets {
			pairs = append(pairs, Member{Pipeline: Pipeline(name), PowerTarget: target == "safepower"})
		}
	}
	for _, pair := range pairs {
		members = append(members, slices.Repeat([]Member{pair}, count/len(pairs))...)
	}
	members = append(members, pairs[:count%len(pairs)]...)
	seeds := pyrand.NewGenerator(seed).Choice(math.MaxInt64, 3)
	own := pyrand.NewGenerator(uint64(seeds[0])).Choice(math.MaxInt32, count)
	orders := p.classOrders(pyrand.NewGenerator(seed))
	for i, s := range own {
		members[i].Seed, members[i].Classes = uint64(s), orders[i]
	}
	return members, uint64(seeds[1])
}

// appends reports whether the transformed columns follow the others; columns is their number.
func (i ingredients) appends(columns int) bool {
	const threshold = 500
	if i.Append == "auto" {
		return columns < threshold && 2*columns <= i.MaxColumns
	}
	return i.Append == "yes"
}

// componentCount returns how many singular components are added to this many columns, 0 for none.
func (i ingredients) componentCount(rows, columns int) int {
	divisor := map[string]int{"svd": 2, "svd_quarter_components": 4}[i.Components]
	if divisor == 0 || columns < 2 {
		return 0
	}
	return max(1, min(rows/10+1, columns/divisor))
}

// encoding returns the encoding of categorical columns. "none" and "numeric" keep them, "onehot"
// makes indicators, "ordinal" makes codes, for very common categories only or for all, sorted or
// "_shuffled".
func (i ingredients) encoding(shaped matrix.Matrix, codes []int, seed uint64) encoding {
	switch i.Categories {
	case "onehot":
		return fitIndicators(shaped, i.oneHot(shaped, codes))
	case "ordinal":
		return fitOrdinals(shaped, codes, ordinalRule{false, false}, seed)
	case "ordinal_shuffled":
		return fitOrdinals(shaped, codes, ordinalRule{false, true}, seed)
	case "ordinal_very_common_categories_shuffled":
		return fitOrdinals(shaped, codes, ordinalRule{true, true}, seed)
	}
	return nil
}

// oneHot returns the columns with few enough values for indicators.
func (i ingredients) oneHot(shaped matrix.Matrix, codes []int) []int {
	if i.MaxOneHot == 0 {
		return codes
	}
	return slices.DeleteFunc(slices.Clone(codes), func(j int) bool {
		unique, _ := distinct(shaped.Column(nil, j))
		return len(unique) > i.MaxOneHot
	})
}
