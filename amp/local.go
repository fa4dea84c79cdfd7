package amp

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mathext"
)

// LocalSchedule gives the learning rates of a context that is worth Size labels at the query row:
//
//	α_k = min{1, c/(m+k)},  c² = Σ_{j>=1} (m+j)^-2 / Σ_{j=1..N} (m+j)^-2,  m = Size.
//
// In a conjugate normal model with epistemic variance v and noise variance 1 the predictive
// distribution has the learning rate 1/(m+k) exactly, with m = 1/v: the local effective sample
// size. N steps lose some of the posterior spread of infinitely many steps. c makes up for that.
type LocalSchedule struct {
	Size float64 // m, at least 0 and finite
}

// Rates implements [Schedule]. It fails if the size or the steps are out of range.
func (s LocalSchedule) Rates(steps int) ([]float64, error) {
	if !(s.Size >= 0 && s.Size < math.Inf(1)) {
		return nil, fmt.Errorf("amp: the local sample size %v is not in [0, ∞)", s.Size)
	}
	if steps < 1 {
		return nil, fmt.Errorf("amp: a schedule needs at least 1 step, got %d", steps)
	}
	finite := 0.0
	for j := steps; j >= 1; j-- {
		finite += 1 / ((s.Size + float64(j)) * (s.Size + float64(j)))
	}
	c := math.Sqrt(mathext.Zeta(2, s.Size+1) / finite)
	rates := make([]float64, steps)
	for k := range rates {
		rates[k] = math.Min(1, c/(s.Size+float64(k+1)))
	}
	return rates, nil
}
