package pfn

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/pfnamp/pfnamp/distr"
	"github.com/pfnamp/pfnamp/pfn/internal/tabpfn"
)

// tinyPosterior is the folder of a classifier of random weights with a posterior of the class
// probabilities, made by testdata/tiny.py.
var tinyPosterior = filepath.Join("..", "testdata", "tiny-classes")

// checkClassPosterior tests the laws of ClassPosterior beside the probabilities.
func checkClassPosterior(
	t *testing.T, p distr.Classes, post *distr.ClassPosterior, tolerance float64,
) {
	t.Helper()
	sum := 0.0
	for k, row := range post.Quantiles {
		if !slices.IsSorted(row) || !(row[0] >= 0 && row[len(row)-1] <= 1) {
			t.Fatalf("class %d: quantiles %v", k, row)
		}
		mean := floats.Dot(distr.LevelWeights(post.Levels), row)
		if math.Abs(mean-p[k]) > tolerance {
			t.Fatalf("class %d: mean %v, probability %v", k, mean, p[k])
		}
		sum += mean
		if last := len(row) - 1; len(p) == 2 && k == 1 {
			for j, q := range row {
				if math.Abs(q+post.Quantiles[0][last-j]-1) > tolerance {
					t.Fatalf("%v is not the mirror image of %v", row, post.Quantiles[0])
				}
			}
		}
	}
	if len(post.Quantiles) != len(p) || math.Abs(sum-1) > tolerance {
		t.Fatalf("%d classes of %d, sum of the means %v", len(post.Quantiles), len(p), sum)
	}
}

// The laws hold for anything that networks may return, whatever the scale.
func TestClassPosteriorObeysTheLaws(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	levels := []float64{0.005, 0.05, 0.2, 0.5, 0.8, 0.95, 0.995}
	for range 300 {
		k, size := 2+r.IntN(4), math.Exp(3*r.NormFloat64())
		h := classPosteriorHead{5, levels, distr.LevelWeights(levels), 0.5 + r.Float64()}
		members := &tabpfn.Transformer{}
		raw := make([][]float32, 3)
		for b := range raw {
			members.Members = append(members.Members, tabpfn.Member{Classes: r.Perm(k)})
			for range h.output().size() {
				raw[b] = append(raw[b], float32(size*r.NormFloat64()))
			}
		}
		p := make(distr.Classes, k)
		for i := range p {
			p[i] = math.Exp(8 * r.NormFloat64())
		}
		p = distr.Softmax(p, 1)
		row := Result{Classes: p}
		row.put(h.combiner(tabpfnEnsemble{Transformer: members}, target{})(raw, weighing{}))
		checkClassPosterior(t, p, row.Own.(*distr.ClassPosterior), 1e-10)
	}
}

// Without features the number of rows of a class says all: Beta(n_k, n-n_k).
func TestClassPosteriorAlone(t *testing.T) {
	m := openBundle(t, tinyPosterior)
	train := classTable(1, 40, 1, 4)
	clear(train.X.Data)
	c := fit(t, m, train)
	for _, c := range []*Context{c, restored(t, m, saved(t, c, ""))} {
		row := results(t, c, synthetic(2, 3, 1).X)[2]
		own := row.Own.(*distr.ClassPosterior)
		checkClassPosterior(t, row.Classes, own, 1e-10)
		beta := distuv.Beta{Alpha: 10, Beta: 30}
		for j, tau := range own.Levels {
			if got := own.Quantiles[3][j]; math.Abs(got-beta.Quantile(tau)) > 0.02 {
				t.Errorf("quantile %g is %v, of the Beta distribution %v", tau, got, beta.Quantile(tau))
			}
		}
	}
}
