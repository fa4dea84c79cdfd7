package amp

import (
	"fmt"
	"testing"

	"github.com/pfnamp/pfnamp/internal/must"
)

// BenchmarkChain times one chain of N = 50 on one core.
func BenchmarkChain(b *testing.B) {
	for _, d := range []int{1, 10} {
		b.Run(fmt.Sprintf("d=%d", d), func(b *testing.B) {
			rates, err := PaperSchedule{Rows: 200, Features: d}.Rates(50)
			must.Succeed(b, err)
			c := newChain(newLaw(0.99), 50)
			drawn, ranks := make([]float64, 50), make([]float64, 50)
			i := 0
			for b.Loop() {
				c.draw(rates, stream(1, i), drawn, ranks)
				i++
			}
			b.ReportMetric(b.Elapsed().Seconds()*1e3/float64(b.N), "ms/chain")
		})
	}
}

// benchmarkRow times one row of a 99-knot PPD at the default number of chains.
func benchmarkRow(b *testing.B, f Functional) {
	p := posteriorOf(b, 10, 200, DefaultChains)
	var ppd PPD = knotsOf(99, normalQuantile)
	for _, posterior := range []Posterior{PaperPosterior, LimitPosterior} {
		for _, interval := range []IntervalKind{EqualTailed, HighestDensity} {
			for _, e := range []string{"", "+errors"} {
				b.Run(fmt.Sprint(posterior, "/", interval, e), func(b *testing.B) {
					s := summarizer(b, p, Spec{f, 0.9, interval, posterior, e != ""})
					b.ReportAllocs()
					for b.Loop() {
						s.Row(ppd)
					}
				})
			}
		}
	}
}

func BenchmarkQuantileRow(b *testing.B)    { benchmarkRow(b, Quantile{0.9}) }
func BenchmarkMeanRow(b *testing.B)        { benchmarkRow(b, Mean{}) }
func BenchmarkProbabilityRow(b *testing.B) { benchmarkRow(b, Above(0.5)) }
func BenchmarkEventRow(b *testing.B)       { benchmarkRow(b, Probability{-1, 0.5}) }

// BenchmarkStage1200 times all of AMP for 1,200 query rows: drawing the chains, and 90 %
// intervals of the mean and of the 0.9 quantile.
func BenchmarkStage1200(b *testing.B) {
	rows := make([]Prediction, 1200)
	for i := range rows {
		at, scale := float64(i)/100, 1+float64(i%7)
		rows[i].PPD = knotsOf(99, func(q float64) float64 { return at + scale*normalQuantile(q) })
	}
	dst := make([]Estimate, len(rows))
	for _, chains := range []int{50, 1000, DefaultChains} {
		b.Run(fmt.Sprintf("B=%d", chains), func(b *testing.B) {
			for b.Loop() {
				p := posteriorOf(b, 10, 200, chains)
				for _, f := range []Functional{Mean{}, Quantile{0.9}} {
					s := summarizer(b, p, Spec{Functional: f})
					must.Succeed(b, Estimates(b.Context(), s, dst, rows, 0))
				}
			}
		})
	}
}
