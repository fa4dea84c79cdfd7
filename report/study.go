package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/pfnamp/pfnamp/evaluate"
)

// GridChart draws the results of a study on the simulation grid like the paper's figures: one
// column per (d, J), coverage in the first row and width / √d in the second, over n. level is the
// aim of coverage.
func GridChart(results []evaluate.Result, functional string, level float64) Chart {
	c := Chart{Panels: make([][]Panel, 2)}
	for _, column := range columnsOf(results) {
		var coverage, width []Series
		for _, method := range methodsOf(results) {
			coverage = appendSeries(coverage, column.series(method, functional, "coverage", 1))
			width = appendSeries(width, column.series(method, functional, "width", column.root()))
		}
		title := fmt.Sprintf("d = %s, J = %s", column.d, column.j)
		c.Panels[0] = append(c.Panels[0], Panel{Title: title, X: "n", Y: "coverage",
			LogX: true, Target: []float64{level}, Range: coverageRange(results, functional),
			Series: coverage})
		c.Panels[1] = append(c.Panels[1], Panel{X: "n", Y: "width / √d", LogX: true,
			Series: width})
	}
	c.Width = 6 * float64(len(c.Panels[0]))
	return c
}

func appendSeries(all []Series, s Series) []Series {
	if len(s.X) == 0 {
		return all
	}
	return append(all, s)
}

// column is the results of one (d, J).
type column struct {
	d, j    string
	results []evaluate.Result
}

func (c column) root() float64 {
	d, _ := strconv.ParseFloat(c.d, 64)
	return math.Sqrt(d)
}

// columnsOf groups results by (d, J).
func columnsOf(results []evaluate.Result) []column {
	var all []column
	for _, r := range results {
		d, j := r.Param("d"), r.Param("J")
		i := slices.IndexFunc(all, func(c column) bool { return c.d == d && c.j == j })
		if i < 0 {
			i = len(all)
			all = append(all, column{d: d, j: j})
		}
		all[i].results = append(all[i].results, r)
	}
	return all
}

// methodsOf lists the methods that have widths.
func methodsOf(results []evaluate.Result) []string {
	var all []string
	for _, r := range results {
		if r.Metric == "width" && r.Functional != "" && !slices.Contains(all, r.Method) {
			all = append(all, r.Method)
		}
	}
	return all
}

// series is a metric over n, with bars of two standard errors.
func (c column) series(method, functional, metric string, divisor float64) Series {
	s := Series{Name: method}
	for _, r := range c.results {
		if r.Method == method && r.Functional == functional && r.Metric == metric {
			n, _ := strconv.ParseFloat(r.Param("n"), 64)
			s.X = append(s.X, n)
			s.Y = append(s.Y, float64(r.Value)/divisor)
			s.Err = append(s.Err, 2*float64(r.SE)/divisor)
		}
	}
	return s
}

// coverageRange leaves room below the lowest coverage.
func coverageRange(results []evaluate.Result, functional string) []float64 {
	lowest := 0.8
	for _, r := range results {
		if r.Metric == "coverage" && r.Functional == functional &&
			r.Method != evaluate.MethodPPD {
			lowest = min(lowest, float64(r.Value-2*r.SE))
		}
	}
	return []float64{max(0, lowest-0.02), 1.005}
}

// EffectChart draws the credible bands of one-dimensional effects, one row per cell and one column
// per method. The title of a panel gives coverage and mean width.
func EffectChart(cells []evaluate.Cell, outcomes []evaluate.Outcome) Chart {
	var c Chart
	for i, o := range outcomes {
		results := evaluate.Results(cells[i:i+1], outcomes[i:i+1])
		var row []Panel
		for _, band := range o.Curves {
			if band.Lo == nil {
				continue
			}
			row = append(row, effectPanel(o, band, results))
		}
		shareRange(row)
		c.Panels = append(c.Panels, row)
	}
	if len(c.Panels) > 0 {
		c.Width = 6 * float64(len(c.Panels[0]))
	}
	return c
}

// shareRange gives the panels of a row the range that all their series need.
func shareRange(row []Panel) {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, p := range row {
		for _, s := range p.Series {
			for _, list := range [][]float64{s.Y, s.Lo, s.Hi} {
				for _, y := range drawable(list) {
					if !math.IsNaN(y) {
						lo, hi = min(lo, y), max(hi, y)
					}
				}
			}
		}
	}
	lo, hi = told(lo, hi)
	for i := range row {
		row[i].Range = []float64{lo, hi}
	}
}

// told widens a range whose ends are the same in the twelve digits of a mark on an axis.
func told(lo, hi float64) (float64, float64) {
	size := max(math.Abs(lo), math.Abs(hi))
	if math.IsInf(size, 0) || hi-lo > 1e-12*size {
		return lo, hi
	}
	pad := max(1, 1e-6*size)
	return lo - pad, hi + pad
}

func effectPanel(o evaluate.Outcome, band evaluate.Curve, results []evaluate.Result) Panel {
	coverage, _ := evaluate.Find(results, band.Name, "q0.5", "coverage")
	width, _ := evaluate.Find(results, band.Name, "q0.5", "width")
	p := Panel{X: "x", Y: "median of y",
		Title: fmt.Sprintf("%s, n = %s: coverage %.2f, width %.2f", band.Name, coverage.Param("n"),
			float64(coverage.Value), float64(width.Value)),
		Series: []Series{{Name: "credible band", Mark: Band, X: floats(band.X),
			Lo: floats(band.Lo), Hi: floats(band.Hi)}}}
	for _, line := range o.Curves {
		switch line.Name {
		case "truth", "estimate":
			p.Series = append(p.Series, Series{Name: line.Name, X: floats(line.X), Y: floats(line.Y)})
		}
	}
	return p
}

func floats(list []evaluate.Number) []float64 {
	out := make([]float64, len(list))
	for i, v := range list {
		out[i] = float64(v)
	}
	return out
}
