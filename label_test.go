package pfnamp

import (
	"math"
	"slices"
	"testing"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/tabular"
)

// level is a distribution whose quantiles are their levels.
type level struct{}

func (level) CDF(y float64) float64      { return min(max(y, 0), 1) }
func (level) Quantile(p float64) float64 { return p }
func (level) Mean() float64              { return 0.5 }

// Draws are uniform levels, other ones for every row and seed, and the same for the same.
func TestDrawnLabels(t *testing.T) {
	const n = 20_000
	first := amp.DrawLabels(level{}, n, 1, 7)
	if !slices.Equal(first, amp.DrawLabels(level{}, n, 1, 7)) {
		t.Error("the same seed and row draw other labels")
	}
	for name, other := range map[string][]float64{
		"seed": amp.DrawLabels(level{}, n, 2, 7), "row": amp.DrawLabels(level{}, n, 1, 8),
	} {
		product := 0.0
		for i, u := range first {
			product += (u - 0.5) * (other[i] - 0.5) * 12 / n
		}
		if math.Abs(product) > 4/math.Sqrt(n) {
			t.Errorf("another %s: correlation %v", name, product)
		}
	}
	slices.Sort(first)
	for i, u := range first { // Kolmogorov and Smirnov
		if off := math.Abs(u - (float64(i)+0.5)/n); off > 2/math.Sqrt(n) {
			t.Fatalf("%v is the draw of rank %d", u, i)
		}
	}
}

// Equal rows have the same statistics and draws of their own, and a batch that begins later has
// those of its rows.
func TestLabelsOfRows(t *testing.T) {
	p := &Predictor{question: Question{Label: []amp.Statistic{amp.Quantile{Level: 0.3}}, Samples: 5,
		Seed: 1}}
	rows := func(n int, first int64) *Answer {
		a := &Answer{x: pfn.Matrix{Rows: n, Cols: 1, Data: make([]float64, n)},
			Predictions: slices.Repeat([]amp.Prediction{{PPD: level{}}}, n)}
		must.Succeed(t, p.describeLabels(a, first))
		return a
	}
	all, last := rows(3, 0), rows(2, 1)
	if !slices.Equal(all.Label[0], []float64{0.3, 0.3, 0.3}) ||
		slices.Equal(all.Samples[0], all.Samples[1]) {
		t.Errorf("%v, %v", all.Label, all.Samples)
	}
	if !slices.Equal(all.Samples[1], last.Samples[0]) ||
		!slices.Equal(all.Samples[2], last.Samples[1]) {
		t.Errorf("%v, of the last rows %v", all.Samples, last.Samples)
	}
}

// A question about the label is refused where it has no answer.
func TestLabelQuestions(t *testing.T) {
	classes := &tabular.Labels{Texts: []string{"a", "b"}}
	sd := []amp.Statistic{amp.Deviation{}}
	for name, c := range map[string]struct {
		q      Question
		labels *tabular.Labels
		field  string
	}{
		"statistics of classes": {Question{Label: sd}, classes, "Label"},
		"conformal":             {Question{Label: sd, Predictive: ConformalInterval}, nil, "Predictive"},
		"samples of classes":    {Question{Samples: 3}, classes, ""},
		"statistics":            {Question{Label: sd}, nil, ""},
	} {
		err := c.q.checkLabel(c.labels != nil)
		if option, ok := err.(*OptionError); ok != (c.field != "") || ok && option.Field != c.field {
			t.Errorf("%s: %v", name, err)
		}
	}
	q := Question{Label: []amp.Statistic{amp.Density{At: 3}}}
	if err := q.checkDense(amp.Support{Whole: true}); err == nil {
		t.Error("a density of whole numbers")
	}
	must.Succeed(t, q.checkDense(amp.Support{HasMin: true}))
}
