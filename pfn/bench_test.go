package pfn

import (
	"fmt"
	"testing"
)

// sizes are context rows, features and query rows.
var sizes = [][3]int{{300, 8, 1200}, {1000, 20, 1000}}

func BenchmarkFit(b *testing.B) {
	for _, s := range sizes {
		b.Run(fmt.Sprintf("%dx%d", s[0], s[1]), func(b *testing.B) {
			m := open(b, Options{Refit: true})
			train := synthetic(1, s[0], s[1])
			for b.Loop() {
				fit(b, m, train).Close()
			}
		})
	}
}

func BenchmarkPredict(b *testing.B) {
	for _, s := range sizes {
		for _, rows := range []int{1, s[2]} {
			b.Run(fmt.Sprintf("%dx%d/%d_rows", s[0], s[1], rows), func(b *testing.B) {
				m := open(b, Options{Refit: true})
				c := fit(b, m, synthetic(1, s[0], s[1]))
				query := synthetic(2, rows, s[1]).X
				for b.Loop() {
					predict(b, c, query)
				}
				perRow := b.Elapsed().Seconds() * 1e6 / float64(b.N*rows)
				b.ReportMetric(perRow, "µs/row")
			})
		}
	}
}
