package pfn

import (
	"fmt"
	"io"
	"testing"

	"github.com/pfnamp/pfnamp/internal/orttest"
	"github.com/pfnamp/pfnamp/models"
)

// sizes are context rows, features and query rows.
var sizes = [][3]int{{300, 8, 1200}, {1000, 20, 1000}}

func BenchmarkOpen(b *testing.B) {
	for b.Loop() {
		open(b, Options{Refit: true}).Close()
	}
}

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

// BenchmarkClassifier is the embedded classifier with two classes: the context, and the posteriors
// of the class probabilities of all query rows.
func BenchmarkClassifier(b *testing.B) {
	bundle, err := models.ForTask(models.ClassificationTask)
	if err != nil {
		b.Fatal(err)
	}
	m, err := Open(bundle, Options{Library: orttest.Library(b), Refit: true})
	if err != nil {
		b.Fatal(err)
	}
	defer m.Close()
	s := sizes[0]
	train, query := synthetic(1, s[0], s[1]), synthetic(2, s[2], s[1]).X
	for i, y := range train.Y {
		train.Y[i] = 0
		if y > 0 {
			train.Y[i] = 1
		}
	}
	b.Run("Fit", func(b *testing.B) {
		for b.Loop() {
			fit(b, m, train).Close()
		}
	})
	c := fit(b, m, train)
	b.Run("Predict", func(b *testing.B) {
		for b.Loop() {
			if _, err := c.Results(b.Context(), query, true); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkSave and BenchmarkRestore are what a saved context costs in place of BenchmarkFit.
func BenchmarkSave(b *testing.B) {
	for _, s := range sizes {
		b.Run(fmt.Sprintf("%dx%d", s[0], s[1]), func(b *testing.B) {
			c := fit(b, open(b, Options{}), synthetic(1, s[0], s[1]))
			for b.Loop() {
				if err := c.Save(io.Discard, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkRestore(b *testing.B) {
	for _, s := range sizes {
		b.Run(fmt.Sprintf("%dx%d", s[0], s[1]), func(b *testing.B) {
			m := open(b, Options{})
			file := saved(b, fit(b, m, synthetic(1, s[0], s[1])), "")
			b.SetBytes(int64(len(file)))
			for b.Loop() {
				if _, err := restore(m, file); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
