package tabpfn

import (
	"slices"

	"github.com/pfnamp/pfnamp/internal/matrix"
	"github.com/pfnamp/pfnamp/pfn/internal/pyrand"
)

// plan holds the steps of a pipeline in one version of the reference.
type plan struct {
	members []Member
	layout  func(x matrix.Matrix, categorical []bool) layout
	// subsets returns the columns of the layout that each member reads, nil for all; a nil function
	// is all for all.
	subsets func(l layout, rows int) [][]int
	alone   bool                                      // members share no branch
	expand  func(m Member, x matrix.Matrix) *products // nil adds no columns
	reshape func(m Member, x matrix.Matrix, codes []int) shaped
	encode  func(m Member, shaped matrix.Matrix, codes []int) encoding // nil leaves categories
	extend  func(m Member, encoded matrix.Matrix) *components          // nil adds no columns
	hash    func(m Member, cells int) fingerprint
	order   func(m Member, width int) []int // of the columns
	// stable selects the Yeo-Johnson transform in forms that lose no digits near 0, with the power
	// searched within bounds, and the repair of borders that always moves the top one up.
	stable bool
}

// plan returns the plan of Nori or of package 8.4.0 if there are pipelines, otherwise of 2.0.9.
func (p Preset) plan() plan {
	switch {
	case p.Nori != nil:
		return p.noriPlan()
	case p.TabPFN.Recipe != nil:
		return (*recipe)(p.TabPFN.Recipe).plan(p)
	}
	quantile := ingredients{Transform: "quantile_uni", Append: "yes", Components: "svd",
		Categories: "ordinal_very_common_categories_shuffled"}
	if p.Classes > 0 {
		quantile.Transform = "quantile_uni_coarse"
	}
	pipelines := map[Pipeline]ingredients{Quantile: quantile,
		Power:     {Transform: string(Power), Categories: "onehot"},
		Unchanged: {Transform: "none", Categories: "numeric"}}
	return plan{
		members: p.composed(),
		layout:  fitLayout,
		reshape: func(m Member, x matrix.Matrix, codes []int) shaped {
			s := fitShaped(pipelines[m.Pipeline], x, codes)
			if k := pipelines[m.Pipeline].componentCount(x.Rows, x.Cols); k > 0 {
				s.components = fitComponents(s.apply(x), k)
			}
			return s
		},
		encode: func(m Member, shaped matrix.Matrix, codes []int) encoding {
			return pipelines[m.Pipeline].encoding(shaped, codes, m.Seed)
		},
		hash:  func(m Member, _ int) fingerprint { return newSaltedHash(m.Seed) },
		order: shuffled,
	}
}

// shuffled is the order of a member's columns: random, from a new generator with its seed.
func shuffled(m Member, width int) []int {
	return pyrand.NewGenerator(m.Seed).Permutation(width)
}

// steps are the steps of a feature pipeline that differ between members.
type steps struct {
	branch      int      // of the transformer
	encoding    encoding // nil leaves categories as they are
	components  *components
	fingerprint fingerprint // or nil
	permutation []int
	width       int
}

// fitSteps draws a member's random choices, every step from a new generator.
func (p plan) fitSteps(m Member, shaped matrix.Matrix, codes []int, fingerprint bool) steps {
	s := steps{encoding: p.encode(m, shaped, codes)}
	encoded := s.encode(shaped)
	if p.extend != nil {
		s.components = p.extend(m, encoded)
	}
	s.width = s.extend(encoded).Cols
	if fingerprint {
		if s.fingerprint = p.hash(m, shaped.Rows*s.width); s.fingerprint != nil {
			s.width++
		}
	}
	s.permutation = p.order(m, s.width)
	return s
}

func (s steps) encode(x matrix.Matrix) matrix.Matrix {
	if s.encoding == nil {
		return x
	}
	return s.encoding.apply(x)
}

func (s steps) extend(x matrix.Matrix) matrix.Matrix {
	if s.components == nil {
		return x
	}
	return matrix.Beside(x, s.components.apply(x))
}

func (s steps) apply(shaped matrix.Matrix, context bool) matrix.Matrix {
	x := s.extend(s.encode(shaped))
	switch {
	case s.fingerprint != nil && context:
		x = s.fingerprint.context(x)
	case s.fingerprint != nil:
		x = s.fingerprint.query(x)
	}
	return x.Pick(s.permutation)
}

// branch is a feature pipeline up to the point where its members differ.
type branch struct {
	member   Member
	columns  []int     // columns of the layout, nil for all
	products *products // or nil
	left     []int     // columns that vary after the products, nil for all
	shaped   shaped
}

// fit fits the pipeline to a laid out table with these columns of codes. It returns false if no
// column varies.
func (b *branch) fit(p plan, laidOut matrix.Matrix, codes []int) bool {
	if b.columns != nil {
		laidOut, codes = laidOut.Pick(b.columns), at(b.columns, codes)
	}
	if p.expand != nil {
		b.products = p.expand(b.member, laidOut)
	}
	if b.products != nil {
		laidOut = b.products.apply(laidOut)
		for j := range laidOut.Cols {
			if unique, _ := distinct(laidOut.Column(nil, j)); len(unique) > 1 {
				b.left = append(b.left, j)
			}
		}
		laidOut, codes = laidOut.Pick(b.left), at(b.left, codes)
	}
	if laidOut.Cols == 0 {
		return false
	}
	b.shaped = p.reshape(b.member, laidOut, codes)
	return true
}

// at returns the positions of the listed columns in columns.
func at(columns, listed []int) []int {
	var places []int
	for i, j := range columns {
		if slices.Contains(listed, j) {
			places = append(places, i)
		}
	}
	return places
}

func (b *branch) apply(laidOut matrix.Matrix) matrix.Matrix {
	if b.columns != nil {
		laidOut = laidOut.Pick(b.columns)
	}
	if b.products != nil {
		laidOut = b.products.apply(laidOut).Pick(b.left)
	}
	return b.shaped.apply(laidOut)
}
