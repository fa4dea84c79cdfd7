package explain

import (
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
)

// outcome is what is known of one row of a table with two arms: its label, its arm, the probability
// that it is in the second one, and the mean label in either arm with posterior draws.
type outcome struct {
	label   float64
	arm     int
	chance  float64
	points  [2]float64
	draws   [2][]float64
	cluster int // of the row, from 1, whose rows get the same weight; 0 for a row by itself
}

// score is the efficient influence function of the mean in an arm, not centred, at posterior draw
// b, or at the points where b is below 0:
//
//	φ_a(O) = μ_a(X) + 1[A = a] / P(A = a | X) (Y - μ_a(X))
func (o *outcome) score(arm, b int) float64 {
	mean, chance := o.points[arm], o.chance
	if b >= 0 {
		mean = o.draws[arm][b]
	}
	if arm == 0 {
		chance = 1 - chance
	}
	if o.arm != arm {
		return mean
	}
	return mean + (o.label-mean)/chance
}

// armMeans are the adjusted means of two arms with posterior draws, by the one-step posterior
// correction:
//
//	ψ_a^b = Σ_i w_i^b φ_a^b(O_i),  w^b ~ Dirichlet(1, ..., 1)
//
// with μ_a^b a draw from the posterior of the regression, and propensities and regressions of folds
// that have not read row i. The plug-in mean Σ μ_a(X_i)/n keeps the bias that the model's prior
// puts into the regression where arms differ in their columns. The correction takes it away to the
// first order, and the posterior is then that of an efficient estimator: Melnychuk et al. 2026,
// arXiv 2603.12037, who draw the regressions from martingale posteriors; Yiu et al. 2025,
// Semiparametric posterior corrections. Without correction the scores are the regressions alone.
// Clusters are drawn whole: their rows share w.
// Equal seeds give equal weights.
func armMeans(rows []outcome, corrected bool, seed uint64) (points [2]float64, draws [2][]float64) {
	score := (*outcome).score
	if !corrected {
		score = func(o *outcome, arm, b int) float64 {
			if b < 0 {
				return o.points[arm]
			}
			return o.draws[arm][b]
		}
	}
	n := float64(len(rows))
	for arm := range points {
		for i := range rows {
			points[arm] += score(&rows[i], arm, -1) / n
		}
		draws[arm] = make([]float64, len(rows[0].draws[arm]))
	}
	weights := make([]float64, len(rows))
	for b := range draws[0] {
		dirichlet(weights, rows, seed, uint64(b))
		for i, w := range weights {
			for arm := range draws {
				draws[arm][b] += w * score(&rows[i], arm, b)
			}
		}
	}
	return points, draws
}

// rawMeans are the mean labels of the arms as they are, with draws of the Bayesian bootstrap.
func rawMeans(rows []outcome, seed uint64) (points [2]float64, draws [2][]float64) {
	var sizes [2]float64
	for _, o := range rows {
		points[o.arm] += o.label
		sizes[o.arm]++
	}
	weights := make([]float64, len(rows))
	for arm := range points {
		points[arm] /= sizes[arm]
		draws[arm] = make([]float64, len(rows[0].draws[0]))
	}
	for b := range draws[0] {
		dirichlet(weights, rows, seed, uint64(b))
		var share [2]float64
		for i, o := range rows {
			draws[o.arm][b] += weights[i] * o.label
			share[o.arm] += weights[i]
		}
		for arm := range draws {
			draws[arm][b] /= share[arm]
		}
	}
	return points, draws
}

// weightStream tells the random stream of weights from others of the same seed.
const weightStream = 0x5765_6967_6874_0000

// dirichlet draws weights of rows by the Bayesian bootstrap (Rubin 1981): exponential variables,
// one for each cluster, divided by their sum.
func dirichlet(weights []float64, rows []outcome, seed, draw uint64) {
	random := rand.New(rand.NewPCG(seed, weightStream+draw))
	drawn := map[int]float64{}
	for i, o := range rows {
		if _, known := drawn[o.cluster]; !known || o.cluster == 0 {
			drawn[o.cluster] = random.ExpFloat64()
		}
		weights[i] = drawn[o.cluster]
	}
	floats.Scale(1/floats.Sum(weights), weights)
}
