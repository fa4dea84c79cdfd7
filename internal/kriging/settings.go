package kriging

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize"
)

// settings are the logarithms of the lengths, of s² and of the variance of noise, for targets of
// variance 1.
type settings []float64

func (t settings) scale() float64 { return math.Exp(t[len(t)-2]) }
func (t settings) noise() float64 { return math.Exp(t[len(t)-1]) }

// weights are 1/l².
func (t settings) weights() []float64 {
	w := make([]float64, len(t)-2)
	for j := range w {
		w[j] = math.Exp(-2 * t[j])
	}
	return w
}

// The prior is normal in the logarithms. It was chosen by the regret of searches on test functions
// with seeds that no published figure uses.
const (
	lengthMedian = 0.5 // times √lengths
	lengthSpread = 1.5
	scaleSpread  = 1.0
	noiseMean    = -5.0
	noiseSpread  = 2.0
	// constant is the variance of the constant m.
	constant = 9.0
	// jitter keeps covariances of equal rows positive definite.
	jitter = 1e-8
)

// start is the mode of the prior, with more noise.
func start(lengths int) settings {
	t := make(settings, lengths+2)
	for j := range lengths {
		t[j] = medianLength(lengths)
	}
	t[lengths+1] = math.Log(0.05)
	return t
}

func medianLength(lengths int) float64 {
	return math.Log(lengthMedian) + math.Log(float64(lengths))/2
}

// matern returns the Matérn correlation with ν = 5/2 at a squared distance r², and its fall: the
// derivative by the logarithm of a length is the fall times the part of r² from that length.
func matern(square float64) (correlation, fall float64) {
	r := math.Sqrt(5 * square)
	e := math.Exp(-r)
	return (1 + r + r*r/3) * e, 5.0 / 3 * (1 + r) * e
}

// evidence is the negative logarithm of the posterior density of settings.
type evidence struct {
	y       []float64
	lengths int
	squares []float64 // by pair of rows a > b, and by length

	at       settings // where the fields below hold
	value    float64
	gradient []float64
	solved   *mat.VecDense // covariance⁻¹ y
}

// newEvidence measures the differences of rows.
func newEvidence(s *Space, places [][]float64, y []float64) *evidence {
	e := &evidence{y: y, lengths: s.lengths}
	for a := range places {
		for b := range a {
			first := len(e.squares)
			e.squares = append(e.squares, make([]float64, s.lengths)...)
			s.squares(e.squares[first:], places[a], places[b])
		}
	}
	return e
}

// likeliest finds the settings with the largest posterior density.
func likeliest(s *Space, places [][]float64, y []float64) settings {
	e := newEvidence(s, places, y)
	best := start(s.lengths)
	least := e.of(best)
	problem := optimize.Problem{
		Func: func(x []float64) float64 { return e.of(x) },
		Grad: func(g, x []float64) { e.of(x); copy(g, e.gradient) },
	}
	// An error of the line search ends the search where it is: at the best settings so far.
	found, _ := optimize.Minimize(problem, best, &optimize.Settings{MajorIterations: 60,
		Converger: &optimize.FunctionConverge{Absolute: 1e-4, Relative: 1e-6, Iterations: 3},
	}, &optimize.LBFGS{})
	if found != nil && found.F < least {
		return found.X
	}
	return best
}

// widest bounds logarithms of settings.
const widest = 20

// of finds value and gradient at settings, unless they are known.
func (e *evidence) of(x []float64) float64 {
	if slices.Equal(e.at, x) {
		return e.value
	}
	chol, k, falls := e.weigh(x)
	if chol == nil {
		return e.value
	}
	var inverse mat.SymDense
	_ = chol.InverseTo(&inverse)
	e.slope(k, &inverse, falls)
	return e.value
}

// weigh finds the value at settings, and the prior's part of the gradient. Where the value is
// infinite there is no factor of the covariance.
func (e *evidence) weigh(x []float64) (*mat.Cholesky, *mat.SymDense, []float64) {
	e.at, e.gradient, e.value = slices.Clone(x), make([]float64, len(x)), math.Inf(1)
	for _, v := range x {
		if !(math.Abs(v) < widest) {
			return nil, nil, nil
		}
	}
	k, falls := e.covariance()
	var chol mat.Cholesky
	if !chol.Factorize(k) {
		return nil, nil, nil
	}
	y := mat.NewVecDense(len(e.y), e.y)
	e.solved = mat.NewVecDense(len(e.y), nil)
	_ = chol.SolveVecTo(e.solved, y) // a bad condition is no failure
	e.value = mat.Dot(y, e.solved)/2 + chol.LogDet()/2
	e.addPrior()
	return &chol, k, falls
}

// covariance returns the covariance of the rows, and by pair s² times the fall of the correlation.
func (e *evidence) covariance() (k *mat.SymDense, falls []float64) {
	n, w, scale := len(e.y), e.at.weights(), e.at.scale()
	k, falls = mat.NewSymDense(n, nil), make([]float64, n*(n-1)/2)
	pair := 0
	for a := range n {
		for b := range a {
			square := 0.0
			for j, v := range e.squares[pair*e.lengths : (pair+1)*e.lengths] {
				square += w[j] * v
			}
			correlation, fall := matern(square)
			k.SetSym(a, b, scale*correlation+constant)
			falls[pair] = scale * fall
			pair++
		}
		k.SetSym(a, a, scale+constant+e.at.noise()+jitter)
	}
	return k, falls
}

// slope adds the gradient of the likelihood: tr((K⁻¹ - ααᵀ) dK)/2 with α = K⁻¹y.
func (e *evidence) slope(k, inverse *mat.SymDense, falls []float64) {
	g, w, solved, pair := e.gradient, e.at.weights(), e.solved, 0
	scale, noise := e.lengths, e.lengths+1
	for a := range len(e.y) {
		m := inverse.At(a, a) - solved.AtVec(a)*solved.AtVec(a)
		g[scale] += m / 2 * e.at.scale()
		g[noise] += m / 2 * e.at.noise()
		for b := range a {
			m := inverse.At(a, b) - solved.AtVec(a)*solved.AtVec(b)
			g[scale] += m * (k.At(a, b) - constant)
			m *= falls[pair]
			for j, v := range e.squares[pair*e.lengths : (pair+1)*e.lengths] {
				g[j] += m * w[j] * v
			}
			pair++
		}
	}
}

// addPrior adds the prior to value and gradient.
func (e *evidence) addPrior() {
	add := func(j int, mean, spread float64) {
		z := (e.at[j] - mean) / spread
		e.value += z * z / 2
		e.gradient[j] += z / spread
	}
	for j := range e.lengths {
		add(j, medianLength(e.lengths), lengthSpread)
	}
	add(e.lengths, 0, scaleSpread)
	add(e.lengths+1, noiseMean, noiseSpread)
}
