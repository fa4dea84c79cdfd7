package joint

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/tabular"
)

// The line has the slopes of a plane, also where rows stand for several, and sees waves that are
// nearly planes: of them nothing is left at another row.
func TestLineSeesPlanes(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	columns := []tabular.Encoded{{Column: new(tabular.Column)}, {Column: new(tabular.Column)}}
	s := newSpace(columns, []pfnamp.Scale{{Spread: 1}, {Spread: 1}})
	const rows = 400
	training := pfn.Training{X: pfn.Matrix{Rows: rows, Cols: 2}}
	for range rows {
		x, z := random.NormFloat64(), random.NormFloat64()
		training.X.Data = append(training.X.Data, x, z)
		training.Y = append(training.Y, 1+2*x-z)
	}
	for _, weight := range []float64{1, 5} {
		l := &line{space: s, rows: training}
		l.fit(weight)
		slopes, left := l.slopes(training.Y)
		at := l.coordinates([]float64{0.5, -1})
		if got := l.value(slopes, at); math.Abs(got-3) > 0.01 || math.Abs(left[0]) > 0.01 {
			t.Errorf("weight %v: %v at a place with 3; %v is left", weight, got, left[0])
		}
		waves, err := amp.JointSampler{Lengths: []float64{30, 30}, Waves: 50, Draws: 20}.Draw()
		must.Succeed(t, err)
		want := make([]float64, waves.Draws())
		waves.Values(want, s.place([]float64{0.5, -1}))
		for b, got := range l.along(l.seen(waves, s), at) {
			if math.Abs(got-want[b]) > 0.02 {
				t.Errorf("weight %v: of wave %d %v is seen, %v", weight, b, got, want[b])
			}
		}
	}
}
