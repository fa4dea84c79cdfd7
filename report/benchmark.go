package report

import (
	"slices"

	"github.com/pfnamp/pfnamp/evaluate"
	"github.com/pfnamp/pfnamp/evaluate/paper"
)

// BenchmarkChart draws coverage (first row) and width (second row) of every method by data set, one
// column per functional, beside the publication's figures for TabICL. level is the aim of coverage.
func BenchmarkChart(results []evaluate.Result, level float64) Chart {
	published, err := paper.Published()
	if err != nil {
		panic(err) // the figures are part of the program
	}
	published = slices.DeleteFunc(published,
		func(r evaluate.Result) bool { return r.Param("model") != "tabicl" })
	names := valuesOf(results, "dataset")
	c := Chart{Panels: make([][]Panel, 2), Width: 26, Height: 17}
	for _, f := range []string{"q0.5", "q0.9"} {
		for i, metric := range []string{"coverage", "width"} {
			p := Panel{Y: metric, Names: names}
			if metric == "coverage" {
				p.Title, p.Target, p.Range = f, []float64{level}, []float64{0, 1.03}
			}
			for _, m := range methodsOf(results) {
				p.Series = appendSeries(p.Series, byDataset(results, names, [3]string{m, f, metric}))
			}
			for _, m := range []string{evaluate.MethodPaper, evaluate.MethodBootstrap} {
				s := byDataset(published, names, [3]string{m, f, metric})
				s.Name = m + ", published for TabICL"
				p.Series = appendSeries(p.Series, s)
			}
			c.Panels[i] = append(c.Panels[i], dodged(p))
		}
	}
	return c
}

// byDataset is a method, functional and metric by place of the data set among names.
func byDataset(results []evaluate.Result, names []string, which [3]string) Series {
	s := Series{Name: which[0], Mark: Dots}
	for _, r := range results {
		i := slices.Index(names, r.Param("dataset"))
		if i >= 0 && [3]string{r.Method, r.Functional, r.Metric} == which {
			s.X = append(s.X, float64(i))
			s.Y = append(s.Y, float64(r.Value))
			s.Err = append(s.Err, 2*float64(r.SE))
		}
	}
	return s
}

// dodged moves the series of a panel apart, so that their bars do not hide each other.
func dodged(p Panel) Panel {
	for k, s := range p.Series {
		for i := range s.X {
			s.X[i] += 0.8 * (float64(k+1)/float64(len(p.Series)+1) - 0.5)
		}
	}
	return p
}
