package pfn

import (
	"encoding/csv"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// TestQuality compares the mean CRPS of the model with ridge regression and with the distribution
// of the target that ignores the features. The model must beat both. go test -v prints the table.
func TestQuality(t *testing.T) {
	m := embedded(t)
	sets := []struct {
		name string
		draw func(seed uint64) (train, test Training)
	}{
		{"diabetes, 200 rows", diabetes(t)},
		{"Friedman #1, 200 rows", friedman},
		{"exact line, 20 rows", line},
	}
	t.Logf("%-24s %10s %10s %14s   (mean CRPS of 5 seeds)", "data", "model", "ridge", "unconditional")
	for _, set := range sets {
		var model, ridge, none float64
		const seeds = 5
		for seed := range uint64(seeds) {
			train, test := set.draw(seed)
			ppds := predict(t, fit(t, m, train), test.X)
			baseline, within := fitRidge(train), meanDistance(train.Y)/2
			for i, y := range test.Y {
				w := 1 / float64(seeds*len(test.Y))
				model += w * ppds[i].CRPS(y)
				ridge += w * baseline.crps(test.X.Data[i*test.X.Cols:(i+1)*test.X.Cols], y)
				none += w * (distanceTo(train.Y, y) - within)
			}
		}
		t.Logf("%-24s %10.3g %10.3g %14.3g", set.name, model, ridge, none)
		if model >= ridge || model >= none {
			t.Errorf("%s: the model does not beat both baselines", set.name)
		}
	}
}

// diabetes reads testdata/diabetes.csv and draws 200 of its rows; the others are the test set.
func diabetes(t *testing.T) func(seed uint64) (train, test Training) {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "testdata", "diabetes.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	records, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var all Training
	for _, record := range records[1:] {
		last := len(record) - 1
		for j, cell := range record {
			v, err := strconv.ParseFloat(cell, 64)
			if err != nil {
				t.Fatal(err)
			}
			if j == last {
				all.Y = append(all.Y, v)
			} else {
				all.X.Data = append(all.X.Data, v)
			}
		}
		all.X.Cols = last
	}
	all.X.Rows = len(all.Y)
	return func(seed uint64) (train, test Training) {
		order := rand.New(rand.NewPCG(seed, 7)).Perm(all.X.Rows)
		return pick(all, order[:200]), pick(all, order[200:])
	}
}

func pick(t Training, rows []int) Training {
	out := Training{X: subset(t.X, rows)}
	for _, i := range rows {
		out.Y = append(out.Y, t.Y[i])
	}
	return out
}

// friedman draws 200 training and 500 test rows of Friedman's first problem: ten uniform
// features, y = 10 sin(pi x0 x1) + 20 (x2 - 1/2)^2 + 10 x3 + 5 x4 + N(0, 1).
func friedman(seed uint64) (train, test Training) {
	r := rand.New(rand.NewPCG(seed, 8))
	draw := func(rows int) Training {
		t := Training{X: Matrix{Rows: rows, Cols: 10, Data: make([]float64, rows*10)}}
		for i := range rows {
			x := t.X.Data[i*10 : i*10+10]
			for j := range x {
				x[j] = r.Float64()
			}
			t.Y = append(t.Y, 10*math.Sin(math.Pi*x[0]*x[1])+20*(x[2]-0.5)*(x[2]-0.5)+
				10*x[3]+5*x[4]+r.NormFloat64())
		}
		return t
	}
	return draw(200), draw(500)
}

// line draws 20 training and 200 test rows of a linear function, without noise, of three log-normal
// features, so that some test rows are far from the others.
func line(seed uint64) (train, test Training) {
	r := rand.New(rand.NewPCG(seed, 9))
	draw := func(rows int) Training {
		t := Training{X: Matrix{Rows: rows, Cols: 3}}
		for range rows {
			a, b, c := math.Exp(r.NormFloat64()), math.Exp(r.NormFloat64()), math.Exp(r.NormFloat64())
			t.X.Data, t.Y = append(t.X.Data, a, b, c), append(t.Y, 2*a-b+0.5*c)
		}
		return t
	}
	return draw(20), draw(200)
}

// ridge is linear regression with a penalty chosen by generalised cross-validation and a normal
// predictive distribution: residual variance times one plus the leverage of the row.
type ridge struct {
	mean, sd []float64 // of the features
	offset   float64
	v        *mat.Dense // right singular vectors
	weights  []float64  // coefficients along them
	shrunk   []float64  // 1/(s^2 + lambda)
	singular []float64
	rows     int
	variance float64
}

func fitRidge(t Training) *ridge {
	n, d := t.X.Rows, t.X.Cols
	r := &ridge{rows: n, offset: stat.Mean(t.Y, nil), v: new(mat.Dense)}
	x := mat.NewDense(n, d, nil)
	for j := range d {
		column := mat.Col(nil, j, mat.NewDense(n, d, t.X.Data))
		mean, sd := stat.PopMeanStdDev(column, nil)
		r.mean, r.sd = append(r.mean, mean), append(r.sd, sd)
		for i, v := range column {
			x.Set(i, j, (v-mean)/sd)
		}
	}
	var svd mat.SVD
	svd.Factorize(x, mat.SVDThin)
	r.singular = svd.Values(nil)
	svd.VTo(r.v)
	var u mat.Dense
	svd.UTo(&u)
	uy := make([]float64, d)
	total := 0.0
	for i, y := range t.Y {
		total += (y - r.offset) * (y - r.offset)
		for k := range uy {
			uy[k] += u.At(i, k) * (y - r.offset)
		}
	}
	best := math.Inf(1)
	for e := -4.0; e <= 4; e += 0.1 {
		lambda := float64(n) * math.Pow(10, e)
		rss, df := total, 1.0
		weights, shrunk := make([]float64, d), make([]float64, d)
		for k, s := range r.singular {
			shrunk[k] = 1 / (s*s + lambda)
			weights[k] = s * shrunk[k] * uy[k]
			keep := s * s * shrunk[k]
			df += keep
			rss += uy[k] * uy[k] * (keep*keep - 2*keep)
		}
		free := float64(n) - df
		if score := rss / (free * free); score < best {
			best, r.weights, r.shrunk, r.variance = score, weights, shrunk, rss/free
		}
	}
	return r
}

// crps is the score of the normal predictive distribution of a row.
func (r *ridge) crps(x []float64, y float64) float64 {
	mean, leverage := r.offset, 1/float64(r.rows)
	for k, w := range r.weights {
		var along float64
		for j, v := range x {
			along += (v - r.mean[j]) / r.sd[j] * r.v.At(j, k)
		}
		mean += w * along
		leverage += along * along * r.shrunk[k]
	}
	sd := math.Sqrt(r.variance * (1 + leverage))
	z := (y - mean) / sd
	normal := distuv.UnitNormal
	return sd * (z*(2*normal.CDF(z)-1) + 2*normal.Prob(z) - 1/math.Sqrt(math.Pi))
}

// distanceTo is the mean E|Y - y| over a sample. The CRPS of its empirical distribution at y is
// distanceTo(sample, y) - meanDistance(sample)/2.
func distanceTo(sample []float64, y float64) float64 {
	var sum float64
	for _, a := range sample {
		sum += math.Abs(a - y)
	}
	return sum / float64(len(sample))
}

// meanDistance is E|Y - Y'| of two draws from a sample.
func meanDistance(sample []float64) float64 {
	var sum float64
	for _, y := range sample {
		sum += distanceTo(sample, y)
	}
	return sum / float64(len(sample))
}
