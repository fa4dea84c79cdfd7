package kriging

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/pfnamp/pfnamp/internal/matrix"
	"github.com/pfnamp/pfnamp/internal/rows"
)

// Bounds on rows, because time grows with their cube. From more rows, this many are drawn.
const (
	mostFitted = 200  // to find the settings
	mostRows   = 1000 // to condition on
)

// Process is a Gaussian process that has read rows. It is safe for concurrent use.
type Process struct {
	space        *Space
	weights      []float64
	scale, noise float64 // variances
	places       [][]float64
	center, unit float64       // of targets
	targets      []float64     // of mean 0 and variance 1
	lower        *mat.TriDense // factor of the covariance of the rows
	solved       *mat.VecDense // covariance⁻¹ times targets
}

// Fit reads rows with their targets under the likeliest settings. Targets must be finite. It panics
// without rows.
func Fit(s *Space, x matrix.Matrix, y []float64) *Process {
	p, t := read(s, x, y)
	p.under(t)
	return p
}

// read places rows, standardises their targets and finds the likeliest settings.
func read(s *Space, x matrix.Matrix, y []float64) (*Process, settings) {
	if x.Rows == 0 || len(y) != x.Rows {
		panic("kriging: a process needs rows, and a target for each")
	}
	order := rows.Order(x, y)
	if x.Rows > mostFitted {
		random := rand.New(rand.NewPCG(1, uint64(x.Rows)))
		random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	}
	order = order[:min(x.Rows, mostRows)]
	p := &Process{space: s, places: s.places(x.Take(order))}
	p.standardise(y, order)
	fitted := min(len(order), mostFitted)
	return p, likeliest(s, p.places[:fitted], p.targets[:fitted])
}

// standardise gives targets the mean 0 and the variance 1.
func (p *Process) standardise(y []float64, order []int) {
	n := float64(len(order))
	for _, i := range order {
		p.center += y[i] / n
	}
	for _, i := range order {
		p.targets = append(p.targets, y[i]-p.center)
		p.unit += (y[i] - p.center) * (y[i] - p.center) / n
	}
	if p.unit = math.Sqrt(p.unit); !(p.unit > 0) {
		p.unit = 1
	}
	for k := range p.targets {
		p.targets[k] /= p.unit
	}
}

// under conditions on the rows under settings: it factors their covariance.
func (p *Process) under(t settings) {
	p.weights, p.scale, p.noise = t.weights(), t.scale(), t.noise()
	n := len(p.places)
	k := mat.NewSymDense(n, nil)
	for a := range n {
		for b := range a {
			k.SetSym(a, b, p.covariance(p.places[a], p.places[b]))
		}
		k.SetSym(a, a, p.scale+constant+p.noise+jitter)
	}
	var chol mat.Cholesky
	for more := jitter; !chol.Factorize(k); more *= 10 { // rounding made an eigenvalue negative
		for a := range n {
			k.SetSym(a, a, k.At(a, a)+more)
		}
	}
	p.solved = mat.NewVecDense(n, nil)
	_ = chol.SolveVecTo(p.solved, mat.NewVecDense(n, p.targets))
	p.lower = &mat.TriDense{}
	chol.LTo(p.lower)
}

// covariance returns the covariance of m + f at two places.
func (p *Process) covariance(a, b []float64) float64 {
	square := 0.0
	for k, v := range a {
		square += p.weights[p.space.length[k]] * (v - b[k]) * (v - b[k])
	}
	correlation, _ := matern(square)
	return p.scale*correlation + constant
}

// Noise is the standard deviation of a measurement around the function.
func (p *Process) Noise() float64 { return p.unit * math.Sqrt(p.noise) }

// Posterior is the joint normal distribution of the function at rows, given the rows that the
// process has read.
type Posterior struct {
	Mean, Spread []float64

	process *Process
	places  [][]float64
	known   *mat.Dense // by row: lower⁻¹ times its covariance with the rows that were read
}

// At returns the posterior at rows.
func (p *Process) At(x matrix.Matrix) *Posterior {
	q := &Posterior{process: p, places: p.space.places(x)}
	n := len(p.places)
	across := mat.NewDense(n, max(1, x.Rows), nil)
	for i, place := range q.places {
		for a := range n {
			across.Set(a, i, p.covariance(p.places[a], place))
		}
		q.Mean = append(q.Mean, p.center+p.unit*mat.Dot(across.ColView(i), p.solved))
	}
	var known mat.Dense
	_ = known.Solve(p.lower, across)
	q.known = mat.DenseCopyOf(known.T())
	for i := range x.Rows {
		q.Spread = append(q.Spread, math.Sqrt(math.Max(0, q.Covariance(i, i))))
	}
	return q
}

// Covariance returns the posterior covariance of the function at two rows.
func (q *Posterior) Covariance(i, j int) float64 {
	v := q.process.covariance(q.places[i], q.places[j])
	a, b := q.known.RawRowView(i), q.known.RawRowView(j)
	for k := range a {
		v -= a[k] * b[k]
	}
	return v * q.process.unit * q.process.unit
}
