package amp

import (
	"context"
	"math"
	"testing"
)

type normalPPD struct{ mu, sd float64 }

func (p normalPPD) CDF(y float64) float64      { return 0.5 * math.Erfc(-(y-p.mu)/p.sd/math.Sqrt2) }
func (p normalPPD) Quantile(q float64) float64 { return p.mu + p.sd*normalQuantile(q) }
func (p normalPPD) Mean() float64              { return p.mu }

func benchRow(b *testing.B, spec Spec) {
	post, err := Sampler{Schedule: PaperSchedule{Rows: 200, Features: 10}}.Draw(context.Background())
	if err != nil {
		b.Fatal(err)
	}
	s, err := post.Summarizer(context.Background(), spec)
	if err != nil {
		b.Fatal(err)
	}
	b.Log(s.Row(normalPPD{0, 1}))
	b.ReportAllocs()
	for b.Loop() {
		s.Row(normalPPD{3, 1})
	}
}

func BenchmarkRow(b *testing.B) {
	for _, f := range []Functional{Mean{}, Quantile{.9}, AtMost(0), Above(1), Probability{-1, 1}} {
		for _, k := range []PosteriorKind{Paper, Limit} {
			for _, i := range []IntervalKind{EqualTailed, HighestDensity} {
				for _, e := range []bool{false, true} {
					n := f.String() + k.String() + i.String()
					if e {
						n += "errors"
					}
					b.Run(n, func(b *testing.B) { benchRow(b, Spec{f, 0, i, k, e}) })
				}
			}
		}
	}
}
