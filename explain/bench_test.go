package explain

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/pfnamp/pfnamp"
)

// wide is a row of ten numbers. The last five have no effect on the label.
type wide struct {
	A, B, C, D, E, F, G, H, I, J float64
	Y                            *float64
}

// wides are n of them.
func wides(n int) []wide {
	random := rand.New(rand.NewPCG(3, 4))
	rows := make([]wide, n)
	for i := range rows {
		r := &rows[i]
		for _, cell := range []*float64{&r.A, &r.B, &r.C, &r.D, &r.E, &r.F, &r.G, &r.H, &r.I,
			&r.J} {
			*cell = random.NormFloat64()
		}
		y := r.A + math.Sin(2*r.B) + r.C*r.D + 0.3*r.E + 0.5*random.NormFloat64()
		r.Y = &y
	}
	return rows
}

// What the effects and the importance of ten columns of 500 rows take, in units of one prediction
// of these rows.
func BenchmarkTenColumns(b *testing.B) {
	f := fitted(b, "", wides(500))
	plain := func() time.Duration {
		c, err := f.Model().Fit(b.Context(), f.ContextRows())
		if err != nil {
			b.Fatal(err)
		}
		defer c.Close()
		began := time.Now()
		if _, err := c.Predict(b.Context(), f.ContextRows().X); err != nil {
			b.Fatal(err)
		}
		return time.Since(began)
	}
	plain() // which loads the graph
	measure := func(name string, job func() error) {
		b.Run(name, func(b *testing.B) {
			var once time.Duration
			for range b.N {
				once += plain()
			}
			b.ResetTimer()
			for range b.N {
				if err := job(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed())/float64(once), "predictions/op")
		})
	}
	measure("importance", func() error {
		_, err := NewImportance(b.Context(), f, ImportanceOptions{Seed: 1})
		return err
	})
	measure("effects", func() error {
		p, err := f.Prepare(b.Context(), pfnamp.Question{Chains: 1000})
		if err != nil {
			return err
		}
		population, err := NewPopulation(p, 0)
		if err != nil {
			return err
		}
		for _, name := range f.Schema().FeatureNames() {
			if _, err := population.Effect(b.Context(), EffectOptions{}, name); err != nil {
				return err
			}
		}
		return nil
	})
}
