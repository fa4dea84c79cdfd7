package evaluate

import (
	"context"
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/pfn"
)

// Ridge is ridge regression with normal noise. Numbers are centred and scaled by their standard
// deviation in the training rows, missing ones are replaced by their mean, and every category is an
// indicator. With X these columns, n rows, and λ of a grid where generalised cross-validation
//
//	n RSS(λ) / (n - df(λ))²,  df(λ) = 1 + Σ_j d_j² / (d_j² + λ),
//
// is smallest (Golub, Heath and Wahba 1979; d_j are the singular values of X). The label at x is
// predicted as normal with the mean ȳ + xᵀβ(λ) and the variance σ² (1 + 1/n + xᵀ(XᵀX+λI)⁻¹x), where
// σ² = RSS(λ) / (n - df(λ)).
type Ridge struct{}

// errRidge reports numbers that have no singular values.
var errRidge = errors.New("evaluate: ridge: the features have no singular value decomposition")

// Name returns "ridge".
func (Ridge) Name() string { return BaselineRidge }

// Predict implements Model; it fails if the decomposition of the features does not converge.
func (Ridge) Predict(
	_ context.Context, train pfn.Training, query Matrix,
) ([]amp.Prediction, error) {
	design := newDesign(train)
	f, err := fitRidge(design.matrix(train.X), train.Y)
	if err != nil {
		return nil, err
	}
	rows, x := make([]amp.Prediction, query.Rows), design.matrix(query)
	for i := range rows {
		rows[i].PPD = f.at(x.RawRowView(i))
	}
	return rows, nil
}

// ridgeFit is a fit for one λ.
type ridgeFit struct {
	mean, sigma, n float64
	beta           []float64
	v              *mat.Dense // right singular vectors
	shrunk         []float64  // 1/(d_j² + λ)
}

// fitRidge chooses λ and fits.
func fitRidge(x *mat.Dense, y []float64) (*ridgeFit, error) {
	var svd mat.SVD
	if !svd.Factorize(x, mat.SVDThin) {
		return nil, errRidge
	}
	n := len(y)
	d := svd.Values(nil)
	var u, v mat.Dense
	svd.UTo(&u)
	svd.VTo(&v)
	f := &ridgeFit{v: &v, n: float64(n)}
	for _, label := range y {
		f.mean += label / f.n
	}
	total := 0.0
	projected := make([]float64, len(d)) // Uᵀ(y - ȳ)
	for i, label := range y {
		total += (label - f.mean) * (label - f.mean)
		for j := range d {
			projected[j] += u.At(i, j) * (label - f.mean)
		}
	}
	lambda := f.choose(d, projected, total)
	coefficients := make([]float64, len(d))
	f.shrunk = make([]float64, len(d))
	for j := range d {
		f.shrunk[j] = 1 / (d[j]*d[j] + lambda)
		coefficients[j] = d[j] * f.shrunk[j] * projected[j]
	}
	var beta mat.VecDense
	beta.MulVec(&v, mat.NewVecDense(len(d), coefficients))
	f.beta = beta.RawVector().Data
	return f, nil
}

// choose returns the λ of the grid with the smallest score, and notes σ.
func (f *ridgeFit) choose(d, projected []float64, total float64) float64 {
	best, chosen := math.Inf(1), 0.0
	for k := -12; k <= 20; k++ {
		lambda := math.Pow(10, float64(k)/4) * f.n / 10
		rss, df := total, 1.0
		for j := range d {
			kept := d[j] * d[j] / (d[j]*d[j] + lambda)
			rss -= projected[j] * projected[j] * kept * (2 - kept)
			df += kept
		}
		rss = max(rss, 1e-20*total)
		if left := f.n - df; left > 0 && rss/(left*left) < best {
			best, chosen, f.sigma = rss/(left*left), lambda, math.Sqrt(rss/left)
		}
	}
	return chosen
}

// at is the distribution of the label at a row of the design.
func (f *ridgeFit) at(x []float64) Normal {
	mean, spread := f.mean, 1+1/f.n
	for j, b := range f.beta {
		mean += x[j] * b
	}
	for j, s := range f.shrunk {
		along := 0.0
		for k := range x {
			along += x[k] * f.v.At(k, j)
		}
		spread += along * along * s
	}
	return Normal{mean, max(f.sigma*math.Sqrt(spread), math.SmallestNonzeroFloat64)}
}
