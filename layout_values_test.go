package pfnamp

import (
	"maps"
	"slices"
	"testing"

	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/tabular"
)

// Every column of an answer has the number of its name: no two of them are equal here.
func TestColumnsHaveTheirOwnNumbers(t *testing.T) {
	of := func(first float64) []amp.Estimate { // of two rows
		return []amp.Estimate{{Point: first, Lo: first + 1, Hi: first + 2, LoSE: first + 3,
			HiSE: first + 4}, {}}
	}
	bands := func(lo float64) []amp.Estimate { return []amp.Estimate{{Lo: lo, Hi: lo + 1}, {}} }
	changes := func(first float64) []Change {
		return []Change{{Changed: amp.Estimate{Point: first, Lo: first + 1, Hi: first + 2},
			Difference: amp.Estimate{Point: first + 3, Lo: first + 4, Hi: first + 5}, Above: first + 6}, {}}
	}
	a := &Answer{
		Posteriors: []Estimated{{Auto, [][]amp.Estimate{of(10), of(20)}},
			{Paper, [][]amp.Estimate{of(30), of(40)}}, {Limit, [][]amp.Estimate{of(50), of(60)}}},
		Bands:      [][]amp.Estimate{bands(70), bands(80)},
		Changes:    [][]Change{changes(90), changes(100)},
		Predictive: []Interval{{Lo: 110, Hi: 111}, {}},
		Label:      [][]float64{{120, 0}, {130, 0}}, Samples: [][]float64{{140, 141}, {0, 0}},
		Predictions: make([]amp.Prediction, 2),
	}
	l := Layout{Names: []string{"mean", "q"}, Posteriors: []Posterior{Auto, Paper, Limit},
		Errors: true, Bands: true, Changes: true, Label: []string{"mean", "sd"}, Samples: 2}
	arrays, err := l.Arrays(a)
	must.Succeed(t, err)
	names, err := l.Columns()
	must.Succeed(t, err)
	got := map[string]float64{}
	for i, name := range names {
		got[name] = arrays[i].(*array.Float64).Value(0)
	}
	want := map[string]float64{
		"mean": 10, "mean_lo": 11, "mean_hi": 12, "mean_lo_se": 13, "mean_hi_se": 14,
		"q": 20, "q_lo": 21, "q_hi": 22, "q_lo_se": 23, "q_hi_se": 24,
		"mean_paper_lo": 31, "mean_paper_hi": 32, "q_paper_lo": 41, "q_paper_hi": 42,
		"mean_limit_lo": 51, "mean_limit_hi": 52, "q_limit_lo": 61, "q_limit_hi": 62,
		"mean_band_lo": 70, "mean_band_hi": 71, "q_band_lo": 80, "q_band_hi": 81,
		"mean_set": 90, "mean_set_lo": 91, "mean_set_hi": 92, "mean_diff": 93, "mean_diff_lo": 94,
		"mean_diff_hi": 95, "mean_diff_above0": 96,
		"q_set": 100, "q_set_lo": 101, "q_set_hi": 102, "q_diff": 103, "q_diff_lo": 104,
		"q_diff_hi": 105, "q_diff_above0": 106,
		"pi_lo": 110, "pi_hi": 111, "ppd_mean": 120, "ppd_sd": 130, "sample_1": 140, "sample_2": 141,
	}
	if !maps.Equal(got, want) || len(names) != len(want) {
		t.Errorf("columns %v\nwant %v", got, want)
	}
}

// The same of classes: the label, its set and how many it has.
func TestClassColumnsHaveTheirOwnValues(t *testing.T) {
	a := &Answer{Best: []int{2, 0}, Sets: [][]int{{0, 2}, {0, 1, 2}},
		Predictions: make([]amp.Prediction, 2)}
	l := Layout{Labels: &tabular.Labels{Kind: tabular.Categorical, Texts: []string{"a", "b", "c"}},
		Posteriors: []Posterior{Auto}, Conformal: true}
	arrays, err := l.Arrays(a)
	must.Succeed(t, err)
	var texts []string
	for _, column := range arrays {
		texts = append(texts, column.ValueStr(0), column.ValueStr(1))
	}
	if want := []string{"c", "a", "a|c", "a|b|c", "2", "3"}; !slices.Equal(texts, want) {
		t.Errorf("%v, want %v", texts, want)
	}
}
