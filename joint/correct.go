package joint

import (
	"context"

	"github.com/pfnamp/pfnamp/amp"
)

// Correct corrects the draws of averages, Row.Together: it adds what the line finds in what the
// network leaves of the context. So the line has also seen the network's own errors, the waves.
// Where rows are alike, a part of that is taken from them, not all: waves of another reach than the
// true ones would look better known than they are (docs/evidence/together.md). A second call does
// nothing.
func (c *Coupling) Correct(ctx context.Context) error {
	if c.slopes != nil {
		return nil
	}
	rows := c.line.rows
	predictions, err := c.predictor.Predictions(ctx, rows.X)
	if err != nil {
		return err
	}
	for f, functional := range c.predictor.Question().Functionals {
		gaps := make([]float64, rows.X.Rows)
		for i, p := range predictions {
			gaps[i] = influence(functional, p.PPD, rows.Y[i])
		}
		slopes, left := c.line.slopes(gaps)
		c.slopes = append(c.slopes, slopes)
		if c.line.clusters == nil {
			c.scales[f] = c.line.deviation(left)
		}
	}
	if c.Alike {
		c.seen = c.line.seen(c.field, c.space)
	}
	return nil
}

// seenShare is the share of what the line sees of the waves that averages do without.
const seenShare = 0.3

// spot is a row on the line of a functional.
type spot struct {
	errors  []float64 // of the line there, by draw, in units of σ
	lacking float64   // what the row's draws lack of these, in units of the functional
	wave    float64   // deviation of the row's waves; below 0, and so is lacking, of a turned class
}

// corrected returns the draws of a row for averages, by functional.
func (c *Coupling) corrected(all [][]float64, at []spot, place []float64) [][]float64 {
	fitted, out := c.predictor.Fitted(), make([][]float64, len(all))
	var seen []float64 // of the waves by the line
	if c.seen != nil {
		seen = c.line.along(c.seen, place)
	}
	for f, draws := range all {
		possible := fitted.Support()
		possible.Whole = false // of averages
		if c.predictor.Question().Functionals[f].Unit() == amp.ProbabilityUnit {
			possible = amp.Support{HasMin: true, HasMax: true, Max: 1}
		}
		moved := c.line.value(c.slopes[f], place)
		out[f] = make([]float64, len(draws))
		for b, v := range draws {
			v = v + moved + at[f].lacking*at[f].errors[b]
			if seen != nil {
				v -= seenShare * at[f].wave * seen[b]
			}
			out[f][b] = possible.Value(v)
		}
	}
	return out
}

// influence is by how much a label moves a functional of a distribution, per share of the label in
// it: of the mean, the label minus the mean.
func influence(f amp.Functional, p amp.PPD, y float64) float64 {
	mixed := amp.Mixture[amp.PPD]{Parts: []amp.PPD{p, mass(y)},
		Weights: []float64{1 - labelShare, labelShare}}
	return (f.Point(mixed) - f.Point(p)) / labelShare
}

// labelShare is large enough for quantiles of smooth distributions.
const labelShare = 0.1

// Label is what a functional is the mean of: a label, or whether an event has come true.
func Label(f amp.Functional, y float64) float64 { return f.Point(mass(y)) }

// mass is the distribution of a label that is known.
type mass float64

func (m mass) CDF(y float64) float64 {
	if y >= float64(m) {
		return 1
	}
	return 0
}

func (m mass) Quantile(float64) float64 { return float64(m) }

func (m mass) Mean() float64 { return float64(m) }
