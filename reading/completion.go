package reading

import (
	"math"

	"github.com/pfnamp/pfnamp/amp"
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

// plan completes rows.
func (d *Donors) plan(
	x pfn.Matrix, lacking [][]int, lenders map[string]*donors.Lender,
) (*plan, error) {
	p := &plan{made: make([]donors.Completed, x.Rows)}
	err := panics.Each(x.Rows, func(i int) {
		if lacking[i] != nil {
			seed := d.seed ^ rows.Hash(x, i)
			p.made[i] = lenders[pattern(lacking[i], x.Cols)].Complete(x.Row(i), Completions, seed)
		}
	})
	p.x.Cols = x.Cols
	for i, made := range p.made {
		rows := made.Rows
		if made.Weights == nil {
			rows = x.Span(i, i+1)
		}
		p.at = append(p.at, p.x.Rows)
		p.x.Data = append(p.x.Data, rows.Data...)
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
	if _, ok := rows[0].PPD.(amp.Classes); ok {
		return mixClasses(rows, made)
	}
	ppd := mixture{amp.Mixture[pfn.PPD]{Weights: made.Weights}}
	for _, row := range rows {
		ppd.Parts = append(ppd.Parts, row.PPD.(pfn.PPD))
	}
	out := amp.Prediction{PPD: ppd, Size: math.NaN()}
	if _, ok := rows[0].Own.(*amp.Surface); ok {
		out.Own = amp.MixSurfaces(owns[*amp.Surface](rows), made.Weights, ppd, made.Donors)
		out.Size = amp.LocalSize(ppd, out.Own.Of(amp.Quantile{Level: 0.5}))
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
	ppd := make(amp.Classes, len(rows[0].PPD.(amp.Classes)))
	for d, row := range rows {
		for k, p := range row.PPD.(amp.Classes) {
			ppd[k] += made.Weights[d] * p
		}
	}
	out := amp.Prediction{PPD: ppd, Size: math.NaN()}
	if rows[0].Own != nil {
		out.Own = amp.MixClassPosteriors(owns[*amp.ClassPosterior](rows), made.Weights, made.Donors)
	}
	return out
}
