package forecast

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize"
)

// form says which parts an exponential smoothing has besides its level.
type form struct {
	trend, damped bool
	period        int // of the seasonal part, 1 without one
}

// parameters is the number of smoothing parameters.
func (f form) parameters() int {
	n := 1
	for _, has := range []bool{f.trend, f.damped, f.period > 1} {
		if has {
			n++
		}
	}
	return n
}

// states is the number of states: level, slope and the seasons but the last one, which starts at
// zero, as a constant may be moved between the level and the seasons.
func (f form) states() int {
	if f.trend {
		return 1 + f.period
	}
	return f.period
}

// weights are the smoothing parameters.
type weights struct{ level, slope, season, damping float64 }

// weightsOf maps any numbers to weights that keep the smoothing stable: 0 < slope < level < 1 and
// 0 < season < 1 - level, damping between 0.8 and 0.98 as is usual (Hyndman et al. 2008).
func (f form) weightsOf(x []float64) weights {
	share := func(v float64) float64 { return 1 / (1 + math.Exp(-v)) }
	w := weights{level: 0.001 + 0.998*share(x[0]), damping: 1}
	at := 1
	if f.trend {
		w.slope = w.level * share(x[at])
		at++
	}
	if f.damped {
		w.damping = 0.8 + 0.18*share(x[at])
		at++
	}
	if f.period > 1 {
		w.season = (1 - w.level) * share(x[at])
	}
	return w
}

// state is what a smoothing knows after some values.
type state struct {
	level, slope float64
	seasons      []float64 // a ring: that of time t stands at t modulo the period
}

// ahead is the forecast of the value at time t, steps after the last one that the state has seen.
func (s *state) ahead(w weights, t, steps int) float64 {
	sum, power := 0.0, w.damping
	for range steps {
		sum += power
		power *= w.damping
	}
	y := s.level + sum*s.slope
	if len(s.seasons) > 1 {
		y += s.seasons[t%len(s.seasons)]
	}
	return y
}

// see updates the state with the error of its forecast of the value at time t; 0 where the value is
// missing.
func (s *state) see(w weights, t int, err float64) {
	s.level += w.damping*s.slope + w.level*err
	s.slope = w.damping*s.slope + w.slope*err
	if n := len(s.seasons); n > 1 {
		s.seasons[t%n] += w.season * err
	}
}

// smoothing is an exponential smoothing with additive errors (Hyndman, Koehler, Ord & Snyder 2008,
// Forecasting with Exponential Smoothing: ETS(A,N|A|Ad,N|A)), fitted by least squares of one step.
type smoothing struct {
	form
	weights
	start   []float64 // states before the first value
	squares float64   // sum of squared errors
	seen    int       // values that are there
}

// initial is the state before the first value.
func (f form) initial(start []float64) *state {
	s := &state{level: start[0], seasons: make([]float64, f.period)}
	rest := start[1:]
	if f.trend {
		s.slope, rest = rest[0], rest[1:]
	}
	copy(s.seasons, rest)
	return s
}

// errors are those of the one-step forecasts of y from a start, NaN where a value is missing, with
// the state after y. With still every value is zero.
func (f form) errors(w weights, start, y []float64, still bool) ([]float64, *state) {
	s, errs := f.initial(start), make([]float64, len(y))
	for t, v := range y {
		if math.IsNaN(v) {
			errs[t] = v
			s.see(w, t, 0)
			continue
		}
		if still {
			v = 0
		}
		errs[t] = v - s.ahead(w, t, 1)
		s.see(w, t, errs[t])
	}
	return errs, s
}

// started finds the start with the least squares for given weights: errors are linear in it.
func (f form) started(w weights, y []float64) (smoothing, bool) {
	k := f.states()
	zero := make([]float64, k)
	target, _ := f.errors(w, zero, y, false)
	columns := make([][]float64, k)
	for j := range columns {
		unit := make([]float64, k)
		unit[j] = 1
		columns[j], _ = f.errors(w, unit, y, true)
	}
	gram, right := mat.NewSymDense(k, nil), mat.NewVecDense(k, nil)
	for t, e := range target {
		if math.IsNaN(e) {
			continue
		}
		for i := range k {
			a := columns[i][t]
			right.SetVec(i, right.AtVec(i)-a*e)
			for j := i; j < k; j++ {
				gram.SetSym(i, j, gram.At(i, j)+a*columns[j][t])
			}
		}
	}
	for i := range k {
		gram.SetSym(i, i, gram.At(i, i)*(1+1e-9)+1e-12)
	}
	var chol mat.Cholesky
	if !chol.Factorize(gram) {
		return smoothing{}, false
	}
	var x mat.VecDense
	if err := chol.SolveVecTo(&x, right); err != nil {
		return smoothing{}, false
	}
	s := smoothing{form: f, weights: w, start: x.RawVector().Data}
	errs, _ := f.errors(w, s.start, y, false)
	for _, e := range errs {
		if !math.IsNaN(e) {
			s.squares += e * e
			s.seen++
		}
	}
	return s, true
}

// fit finds the weights with the least squares.
func (f form) fit(y []float64) (smoothing, bool) {
	best, found := smoothing{squares: math.Inf(1)}, false
	problem := optimize.Problem{Func: func(x []float64) float64 {
		s, ok := f.started(f.weightsOf(x), y)
		if !ok || math.IsNaN(s.squares) {
			return math.MaxFloat64
		}
		if s.squares < best.squares {
			best, found = s, true
		}
		return s.squares
	}}
	start := make([]float64, f.parameters())
	for i := range start {
		start[i] = -1
	}
	optimize.Minimize(problem, start, &optimize.Settings{FuncEvaluations: 60 * len(start),
		Converger: &optimize.FunctionConverge{Relative: 1e-5, Iterations: 15}}, &optimize.NelderMead{})
	return best, found
}

// aicc is Akaike's criterion, corrected for few values; infinite where there are too few.
func (s *smoothing) aicc() float64 {
	n, k := float64(s.seen), float64(s.parameters()+s.states()+1)
	if n <= k+1 {
		return math.Inf(1)
	}
	return n*math.Log(s.squares/n+1e-300) + 2*k + 2*k*(k+1)/(n-k-1)
}

// smooth is the smoothing of y, values or logarithms, with the least criterion of Akaike, and that.
func (s *Series) smooth(y []float64) (best smoothing, least float64) {
	least = math.Inf(1)
	for _, f := range s.forms() {
		made, ok := f.fit(y)
		if a := made.aicc(); ok && (a < least || best.seen == 0) {
			best, least = made, a
		}
	}
	return best, least
}

// forms lists the smoothings that a series may have.
func (s *Series) forms() (all []form) {
	for _, period := range slices.Compact([]int{1, s.Season}) {
		for _, f := range []form{{}, {trend: true}, {trend: true, damped: true}} {
			f.period = period
			all = append(all, f)
		}
	}
	return all
}
