package reading

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/distr"
	"github.com/pfnamp/pfnamp/internal/donors"
	"github.com/pfnamp/pfnamp/internal/panics"
	"github.com/pfnamp/pfnamp/internal/rows"
	"github.com/pfnamp/pfnamp/pfn"
)

// plan maps query rows to the rows that the network reads.
type plan struct {
	x    pfn.Matrix         // rows for the network
	at   []int              // index of the first of them, by query row
	made []donors.Completed // by query row; without weights for complete rows
}

// plan completes rows, which keep their scores.
func (d *Donors) plan(
	x, scores pfn.Matrix, lacking [][]int, lenders map[string]*donors.Lender,
) (*plan, error) {
	p := &plan{made: make([]donors.Completed, x.Rows)}
	err := panics.Each(x.Rows, func(i int) {
		if lacking[i] != nil {
			seed := d.seed ^ rows.Hash(x, i)
			p.made[i] = lenders[fmt.Sprint(lacking[i])].Complete(x.Row(i), Completions, seed)
		}
	})
	p.x.Cols = x.Cols + scores.Cols
	for i, made := range p.made {
		rows := made.Rows
		if made.Weights == nil {
			rows = x.Span(i, i+1)
		}
		p.at = append(p.at, p.x.Rows)
		for k := range rows.Rows {
			p.x.Data = append(append(p.x.Data, rows.Row(k)...), scores.Row(i)...)
		}
		p.x.Rows += rows.Rows
	}
	return p, err
}

// mixed returns the predictions of query rows, from those of the rows for the network.
func (p *plan) mixed(rows []amp.Prediction) ([]amp.Prediction, error) {
	out := make([]amp.Prediction, len(p.made))
	err := panics.Each(len(out), func(i int) {
		out[i] = rows[p.at[i]]
		if made := p.made[i]; len(made.Weights) > 1 {
			out[i] = mix(rows[p.at[i]:p.at[i]+len(made.Weights)], made)
		}
	})
	return out, err
}

// mix returns the prediction of a query row that became several rows.
func mix(rows []amp.Prediction, made donors.Completed) amp.Prediction {
	if _, ok := rows[0].PPD.(distr.Classes); ok {
		return mixClasses(rows, made)
	}
	ppd := mixture{amp.Mixture[distr.PPD]{Weights: made.Weights}}
	for _, row := range rows {
		ppd.Parts = append(ppd.Parts, row.PPD.(distr.PPD))
	}
	out := amp.Prediction{PPD: ppd}
	if _, ok := rows[0].Own.(*amp.Surface); ok {
		out.Own = amp.MixSurfaces(owns[*amp.Surface](rows), made.Weights, ppd, made.Donors)
	}
	return out
}

// owns returns the network's own posteriors with their type.
func owns[O amp.Own](rows []amp.Prediction) []O {
	list := make([]O, len(rows))
	for d, row := range rows {
		list[d] = row.Own.(O)
	}
	return list
}

// mixClasses is mix for a classifier.
func mixClasses(rows []amp.Prediction, made donors.Completed) amp.Prediction {
	ppd := make(distr.Classes, len(rows[0].PPD.(distr.Classes)))
	for d, row := range rows {
		for k, p := range row.PPD.(distr.Classes) {
			ppd[k] += made.Weights[d] * p
		}
	}
	out := amp.Prediction{PPD: ppd}
	if rows[0].Own != nil {
		out.Own = amp.MixClassPosteriors(owns[*amp.ClassPosterior](rows), made.Weights, made.Donors)
	}
	return out
}

// mixture is a label's distribution: one of several with given probabilities.
type mixture struct{ amp.Mixture[distr.PPD] }

var _ distr.PPD = mixture{}

// average returns the mean of what the parts have.
func (m mixture) average(of func(part distr.PPD) float64) float64 {
	sum := 0.0
	for d, part := range m.Parts {
		sum += m.Weights[d] * of(part)
	}
	return sum
}

func (m mixture) Density(y float64) float64 {
	return m.average(func(part distr.PPD) float64 { return part.Density(y) })
}

func (m mixture) LogDensity(y float64) float64 {
	logs := make([]float64, len(m.Parts))
	for d, part := range m.Parts {
		logs[d] = part.LogDensity(y) + math.Log(m.Weights[d])
	}
	return floats.LogSumExp(logs)
}

func (m mixture) Variance() float64 {
	mean := m.Mean()
	return m.average(func(part distr.PPD) float64 {
		off := part.Mean() - mean
		return part.Variance() + off*off
	})
}

// crpsLevels is the number of quantiles of a mixture for measuring how far its parts are apart.
const crpsLevels = 512

// CRPS implements [distr.PPD]. With the distribution functions F_d of the parts and F of the
// mixture,
//
//	∫ (F(t) - 1{t>=y})² dt = Σ_d w_d CRPS_d(y) - Σ_d w_d ∫ (F_d(t) - F(t))² dt
//
// where the second integral does not depend on y and is computed by trapezes.
func (m mixture) CRPS(y float64) float64 {
	sum := m.average(func(part distr.PPD) float64 { return part.CRPS(y) })
	levels, at := make([]float64, crpsLevels), make([]float64, crpsLevels)
	for i := range levels {
		z := -5 + 10*float64(i)/(crpsLevels-1)
		levels[i] = 0.5 * math.Erfc(-z/math.Sqrt2)
	}
	m.Quantiles(at, levels)
	before := 0.0
	for i, t := range at {
		mean, square := m.CDF(t), 0.0
		for d, part := range m.Parts {
			off := part.CDF(t) - mean
			square += m.Weights[d] * off * off
		}
		if i > 0 {
			sum -= (square + before) / 2 * (t - at[i-1])
		}
		before = square
	}
	return sum
}
