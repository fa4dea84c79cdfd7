package amp

import (
	"math"
	"testing"

	"github.com/pfnamp/pfnamp/distr"
	"github.com/pfnamp/pfnamp/internal/must"
)

func somePosterior() *ClassPosterior {
	return &ClassPosterior{ClassPosterior: distr.ClassPosterior{Levels: []float64{.05, .5, .95},
		Quantiles: [][]float64{{0, 0.01, 0.02}, {0.1, 0.3, 0.5}, {0.4, 0.6, 0.9}}}}
}

// Direct reads the quantiles of a class, and takes the predicted probability as the point, which
// every interval holds.
func TestClassPosterior(t *testing.T) {
	own := somePosterior()
	p := Prediction{PPD: distr.Classes{0.1, 0.3, 0.6}, Own: own}
	for k, want := range []Estimate{{Point: 0.1, Lo: 0, Hi: 0.1}, {Point: 0.3, Lo: 0.1, Hi: 0.5},
		{Point: 0.6, Lo: 0.4, Hi: 0.9}} {
		chains := Chains{Kind: LimitPosterior, Ranks: &Ranks{}}
		for _, method := range []Method{Direct{}, Auto{chains}} {
			s, err := method.Prepare(t.Context(), Shape{20, 2}, Spec{Functional: Class(k), Level: 0.9})
			must.Succeed(t, err)
			e := s.Estimate(p)
			if math.Abs(e.Point-want.Point) > 1e-12 || math.Abs(e.Lo-want.Lo) > 1e-12 ||
				math.Abs(e.Hi-want.Hi) > 1e-12 {
				t.Errorf("%s, class %d: %+v, want %+v", method.Name(), k, e, want)
			}
			if draws := s.Coupled(p, []int{1, 0}); draws[0] <= draws[1] {
				t.Errorf("class %d: draws %v of the ranks 1 and 0", k, draws)
			}
		}
	}
}

func TestClassPosteriorKnowsItsClasses(t *testing.T) {
	own := somePosterior()
	for _, f := range []Functional{Mean{}, Quantile{0.5}, Class(3), Class(-1), Probability{0.5, 2.5},
		Probability{math.Inf(-1), 0.5}, Probability{0.5, math.Inf(1)}} {
		if own.Of(f) != nil {
			t.Errorf("there is a posterior of %v", f)
		}
	}
}
