package nori

import (
	"math"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/pfnamp/pfnamp/internal/matrix"
	"github.com/pfnamp/pfnamp/internal/panics"
	"github.com/pfnamp/pfnamp/pfn/internal/pyrand"
	"github.com/pfnamp/pfnamp/pfn/internal/tabpfn"
)

// Transformer turns feature tables into the input tensors of the members. It is safe for concurrent
// use.
type Transformer struct {
	Members []Member

	layout layout
	steps  []steps
}

// Fit learns from N >= 2 context rows. Flags tell which columns hold codes of categories, where -1
// is a missing or unseen one; nil are none. It returns nil if no column varies.
func Fit(x matrix.Matrix, encoded []bool, p Preset) *Transformer {
	t := &Transformer{Members: p.compose(), layout: fitLayout(x, encoded)}
	if t.layout.varying == 0 {
		return nil
	}
	t.steps = make([]steps, len(t.Members))
	read := t.layout.read(x)
	var jobs errgroup.Group
	jobs.SetLimit(sideBySide)
	for i, m := range t.Members {
		jobs.Go(panics.Job(func() error {
			t.steps[i] = fitSteps(read, t.layout.codes, m)
			return nil
		}))
	}
	wait(&jobs)
	for _, s := range t.steps {
		if s.width == 0 { // the columns are constant in float32
			return nil
		}
	}
	return t
}

// sideBySide bounds the members whose pipelines run at a time: each holds a table of its own.
const sideBySide = 4

// wait panics with the value that a job panicked with.
func wait(jobs *errgroup.Group) {
	if err := jobs.Wait(); err != nil {
		panic(err)
	}
}

// Features returns the number of columns of the table that vary.
func (t *Transformer) Features() int { return t.layout.varying }

// Width returns the number of columns that member i reads.
func (t *Transformer) Width(i int) int { return t.steps[i].width }

// Permutation returns the order of the columns of member i. The caller must not change it.
func (t *Transformer) Permutation(i int) []int { return t.steps[i].permutation }

// Context returns the context rows as every member reads them, [N, Width(i)] each.
func (t *Transformer) Context(x matrix.Matrix) [][]float32 { return t.tables(x, true) }

// Queries returns query rows as every member reads them, [rows, Width(i)] each.
func (t *Transformer) Queries(x matrix.Matrix) [][]float32 { return t.tables(x, false) }

// tables runs the pipelines, side by side.
func (t *Transformer) tables(x matrix.Matrix, context bool) [][]float32 {
	read := t.layout.read(x)
	out := make([][]float32, len(t.steps))
	var jobs errgroup.Group
	jobs.SetLimit(sideBySide)
	for i, s := range t.steps {
		jobs.Go(panics.Job(func() error {
			made := s.apply(read, context)
			out[i] = make([]float32, len(made.Data))
			for k, v := range made.Data {
				out[i][k] = float32(v)
			}
			return nil
		}))
	}
	wait(&jobs)
	return out
}

// steps are the fitted pipeline of a member.
type steps struct {
	products    func(matrix.Matrix) matrix.Matrix // or nil
	kept        []int                             // columns that vary after the products
	transformed []int                             // of these, those that the transform applies to
	stay        []int                             // and those that stay, in front
	transform   []func(float64) float64
	round       bool                              // results of the transform are float32
	components  func(matrix.Matrix) matrix.Matrix // or nil
	categories  func(matrix.Matrix) matrix.Matrix
	fingerprint *tabpfn.SaltedHash // or nil
	permutation []int
	width       int
}

// fitSteps fits the pipeline of a member to the context rows; codes are the columns of categories.
// Without a column that varies the width is 0.
func fitSteps(x matrix.Matrix, codes []int, m Member) steps {
	var s steps
	if m.Pipeline.Products > 0 {
		scales := make([]float64, x.Cols)
		for j := range scales {
			scales[j] = scaleOf(x.Column(nil, j))
		}
		s.products = tabpfn.Products(scales, m.Pipeline.Products, m.seeds.products, single)
		x = s.products(x)
	}
	var kept []int // columns of categories that vary, by their new places
	for j := range x.Cols {
		if unique, _ := tabpfn.Distinct(x.Column(nil, j)); len(unique) > 1 {
			if slices.Contains(codes, j) {
				kept = append(kept, len(s.kept))
			}
			s.kept = append(s.kept, j)
		}
	}
	if len(s.kept) == 0 {
		return s
	}
	x = x.Pick(s.kept)
	codes = s.fitTransform(x, kept, m)
	made := s.change(x)
	if m.Pipeline.Components && x.Cols >= 2 {
		count := max(1, min(x.Rows/10+1, x.Cols/2))
		s.components = tabpfn.Components(made, scalesOf(made), count)
		made = matrix.Beside(made, s.components(made))
	}
	if m.Pipeline.Categories {
		s.categories = tabpfn.CommonCategories(made, codes, m.seeds.categories)
	}
	s.width = made.Cols
	if m.Pipeline.Fingerprint {
		hash := tabpfn.NewSaltedHash(m.seeds.fingerprint)
		s.fingerprint = &hash
		s.width++
	}
	s.permutation = tabpfn.Columns(s.width, nil)
	if m.Pipeline.Shuffle {
		s.permutation = pyrand.NewGenerator(m.seeds.shuffle).Permutation(s.width)
	}
	return s
}

// scaleOf returns the population deviation as float32, or 1 if a column is constant up to rounding.
func scaleOf(values []float64) float64 {
	_, variance, constant := tabpfn.Moments(values)
	if constant {
		return 1
	}
	return single(math.Sqrt(variance))
}

// scalesOf returns the scales of columns, whose missing cells become their means.
func scalesOf(x matrix.Matrix) []tabpfn.Scale {
	scales := make([]tabpfn.Scale, x.Cols)
	for j := range scales {
		column := x.Column(nil, j)
		mean, _, _ := tabpfn.Moments(column)
		fill := single(mean)
		for i, v := range column {
			if math.IsNaN(v) {
				column[i] = fill
			}
		}
		scales[j] = tabpfn.Scale{Fill: fill, By: scaleOf(column), Round: single}
	}
	return scales
}

// fitTransform learns the transform of the columns that are not categories. It returns the places
// of the categories among the new columns.
func (s *steps) fitTransform(x matrix.Matrix, codes []int, m Member) []int {
	all := tabpfn.Columns(x.Cols, nil)
	if m.Pipeline.Transform == None {
		s.stay = all
		return codes
	}
	s.transformed, s.stay = tabpfn.Columns(x.Cols, codes), codes
	columns := make([][]float64, len(s.transformed))
	for k, j := range s.transformed {
		columns[k] = x.Column(nil, j)
	}
	if m.Pipeline.Transform == Adaptive {
		s.transform = fitAdaptive(columns, x.Rows, m.seeds.transform)
	} else {
		s.round = true
		for _, values := range columns {
			count := min(max(x.Rows/5, 2), mostQuantiles)
			s.transform = append(s.transform, tabpfn.Positions(values, count, false))
		}
	}
	if m.Pipeline.Original {
		s.stay = all
		return codes
	}
	return tabpfn.Columns(len(codes), nil)
}

// mostQuantiles is the largest number of quantiles of a column.
const mostQuantiles = 256

// change returns the columns that stay and the transformed ones behind them.
func (s *steps) change(x matrix.Matrix) matrix.Matrix {
	made := x.Pick(s.transformed)
	for i := range made.Rows {
		row := made.Row(i)
		for k, v := range row {
			if row[k] = s.transform[k](v); s.round {
				row[k] = single(row[k])
			}
		}
	}
	return matrix.Beside(x.Pick(s.stay), made)
}

// apply runs the steps.
func (s *steps) apply(x matrix.Matrix, context bool) matrix.Matrix {
	if s.products != nil {
		x = s.products(x)
	}
	x = s.change(x.Pick(s.kept))
	if s.components != nil {
		x = matrix.Beside(x, s.components(x))
	}
	if s.categories != nil {
		x = s.categories(x)
	}
	if s.fingerprint != nil {
		x = s.fingerprint.Append(x, context)
	}
	return x.Pick(s.permutation)
}
