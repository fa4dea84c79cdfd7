package tabpfn

import (
	"math"
	"slices"

	"github.com/pfnamp/pfnamp/internal/matrix"
	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn/internal/pyrand"
)

// noriMember is a pipeline of Nori with the seeds of the steps that draw.
type noriMember struct {
	models.NoriPipeline
	seeds seeds
}

type seeds struct{ products, transform, categories, fingerprint, shuffle uint64 }

const (
	seedsPerMember = 10 // numbers drawn for every member
	mostSeed       = 10_000
	noriQuantiles  = 256 // most quantiles of a column
)

// noriMembers draws the seeds of all members. A step takes the seed at its place among the steps of
// the pipeline.
func (p Preset) noriMembers() []Member {
	random := pyrand.New(p.Seed)
	members := make([]Member, p.Members)
	for i := range members {
		m := &noriMember{NoriPipeline: p.Nori.Pipelines[i%len(p.Nori.Pipelines)]}
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
		take(&unused, m.Subsampler)
		take(&m.seeds.products, m.Products > 0)
		take(&unused, true) // of the step that keeps columns that vary
		take(&m.seeds.transform, m.Transform != "none")
		take(&m.seeds.categories, m.Categories)
		take(&m.seeds.fingerprint, m.Fingerprint)
		take(&m.seeds.shuffle, m.Shuffle)
		members[i] = Member{Pipeline: Pipeline(m.Transform), nori: m}
	}
	return members
}

func (p Preset) noriPlan() plan {
	return plan{
		members: p.noriMembers(),
		layout:  fitNoriLayout,
		alone:   true,
		expand:  func(m Member, x matrix.Matrix) *products { return m.nori.fitProducts(x) },
		reshape: func(m Member, x matrix.Matrix, codes []int) shaped {
			return m.nori.fitShaped(x, codes)
		},
		encode: func(m Member, shaped matrix.Matrix, codes []int) encoding {
			if !m.nori.Categories {
				return nil
			}
			return fitOrdinals(shaped, codes, ordinalRule{true, true}, m.nori.seeds.categories)
		},
		hash: func(m Member, _ int) fingerprint {
			if !m.nori.Fingerprint {
				return nil
			}
			return newSaltedHash(m.nori.seeds.fingerprint)
		},
		order: func(m Member, width int) []int {
			if !m.nori.Shuffle {
				return matrix.Upto(width)
			}
			return pyrand.NewGenerator(m.nori.seeds.shuffle).Permutation(width)
		},
	}
}

// fitNoriLayout keeps all columns, rounded to float32. Of a column of codes, a missing or unseen
// category gets a new code, or is missing if the context has such cells. Columns with few values
// are categories.
func fitNoriLayout(x matrix.Matrix, categorical []bool) layout {
	fresh := make([]float64, x.Cols) // the code in place of a missing or unseen one, 0 for numbers
	for j := range fresh {
		if categorical[j] {
			column := x.Column(nil, j)
			fresh[j] = slices.Max(column) + 1
			if slices.Contains(column, noCategory) {
				fresh[j] = nan
			}
		}
	}
	l := layout{read: func(x matrix.Matrix) matrix.Matrix {
		out := matrix.New(x.Rows, x.Cols)
		for k, v := range x.Data {
			if v == noCategory || math.IsNaN(v) {
				if j := k % x.Cols; categorical[j] {
					v = fresh[j]
				}
			}
			out.Data[k] = single(v)
		}
		return out
	}}
	x = l.read(x)
	for j := range x.Cols {
		unique, _ := distinct(x.Column(nil, j))
		if len(unique) > 1 {
			l.varying++
		}
		if x.Rows >= rowsToInfer && len(unique) < fewestForNumber {
			l.codes = append(l.codes, j)
		}
	}
	if l.varying > 0 {
		l.columns = matrix.Upto(x.Cols)
	}
	return l
}

// single rounds to float32. Numbers beyond its range become the largest float32.
func single(v float64) float64 {
	return float64(float32(min(max(v, -math.MaxFloat32), math.MaxFloat32)))
}

// fitProducts draws products of two columns. Of the second factor, the columns from the first one
// on are drawn in their order. Without products the columns stay as they are.
func (m *noriMember) fitProducts(x matrix.Matrix) *products {
	p := &products{scales: slices.Repeat([]float64{1}, x.Cols), round: unchanged}
	if m.Products == 0 {
		return p
	}
	p.round = single
	for j := range p.scales {
		p.scales[j] = single(deviation(x.Column(nil, j)))
	}
	p.draw(x.Cols, productCount(x.Cols, m.Products), m.seeds.products,
		func(from, to int, taken []int) []int {
			return slices.DeleteFunc(others(to, taken), func(j int) bool { return j < from })
		})
	return p
}

// fitShaped learns the transform of the columns that are not categories, and components of the
// results.
func (m *noriMember) fitShaped(x matrix.Matrix, codes []int) shaped {
	all := matrix.Upto(x.Cols)
	if m.Transform == "none" {
		return shaped{kept: all, codes: codes}
	}
	s := shaped{kept: codes, changed: others(x.Cols, codes), codes: matrix.Upto(len(codes))}
	columns := make([][]float64, len(s.changed))
	for k, j := range s.changed {
		columns[k] = x.Column(nil, j)
	}
	if m.Transform == "adaptive" {
		s.transform = fitAdaptive(columns, x.Rows, m.seeds.transform)
	} else {
		for _, values := range columns {
			position := fitPosition(values, min(max(x.Rows/5, 2), noriQuantiles))
			s.transform = append(s.transform, func(v float64) float64 { return single(position.apply(v)) })
		}
	}
	if m.Original {
		s.kept, s.codes = all, codes
	}
	if m.Components && x.Cols >= 2 {
		made, c := s.apply(x), &components{}
		for j := range made.Cols {
			c.scalers = append(c.scalers, fitSingleScale(made.Column(nil, j)))
		}
		c.fit(made, max(1, min(x.Rows/10+1, x.Cols/2)), true)
		s.components = c
	}
	return s
}

// fitSingleScale divides a column, whose missing cells become its mean, by its deviation.
func fitSingleScale(column []float64) columnTransform {
	mean, _, _ := moments(column)
	fill := single(mean)
	for i, v := range column {
		if math.IsNaN(v) {
			column[i] = fill
		}
	}
	by := single(deviation(column))
	return func(v float64) float64 {
		if math.IsNaN(v) {
			v = fill
		}
		return single(v / by)
	}
}
