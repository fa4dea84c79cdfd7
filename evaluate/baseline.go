package evaluate

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/distr"
	"github.com/pfnamp/pfnamp/heldout"
	"github.com/pfnamp/pfnamp/pfn"
)

// Baseline is a simple model, beside which one sees what a network is worth.
type Baseline interface {
	Model
	Name() string // how tables call it
}

// Names of the baselines.
const (
	BaselineRidge         = "ridge"
	BaselineUnconditional = "unconditional"
)

// Baselines lists them for a table, of numbers or of classes.
func Baselines(t Table) []Baseline {
	if n := len(t.Classes); n > 0 {
		return []Baseline{Logistic{n}, Shares{n}}
	}
	return []Baseline{Ridge{}, Unconditional{}}
}

// Unconditional predicts the distribution of the training labels, whatever the features.
type Unconditional struct{}

// Name returns "unconditional".
func (Unconditional) Name() string { return BaselineUnconditional }

// Predict implements Model.
func (Unconditional) Predict(
	_ context.Context, train pfn.Training, query Matrix,
) ([]amp.Prediction, error) {
	return slices.Repeat([]amp.Prediction{{PPD: NewEmpirical(train.Y)}}, query.Rows), nil
}

// Names of the baselines of classes.
const (
	BaselineShares   = "shares"
	BaselineLogistic = "logistic"
)

// Shares predicts the shares of the classes in the training rows, whatever the features.
type Shares struct{ Classes int }

// Name returns "shares".
func (Shares) Name() string { return BaselineShares }

// Predict implements Model.
func (s Shares) Predict(
	_ context.Context, train pfn.Training, query Matrix,
) ([]amp.Prediction, error) {
	shares := make([]float64, s.Classes)
	for _, k := range train.Y {
		shares[int(k)] += 1 / float64(len(train.Y))
	}
	law, err := distr.NewClasses(shares)
	return slices.Repeat([]amp.Prediction{{PPD: law}}, query.Rows), err
}

// Logistic is multinomial logistic regression with a ridge penalty: with x the columns that [Ridge]
// takes, p_k(x) ∝ exp(a_k + xᵀb_k), and a, b minimise
//
//	-Σ_i log p_{y_i}(x_i) + ½ λ Σ_k |b_k|²,  λ = 1, of two classes 2,
//
// which is the default of scikit-learn's LogisticRegression on standardised columns. Classes
// that no training row has get the probability 0.
type Logistic struct{ Classes int }

// Name returns "logistic".
func (Logistic) Name() string { return BaselineLogistic }

// errLogistic reports an optimiser that does not converge.
var errLogistic = errors.New("evaluate: logistic regression does not converge")

// Predict implements Model; it fails on features on which the optimiser does not converge.
func (l Logistic) Predict(
	_ context.Context, train pfn.Training, query Matrix,
) ([]amp.Prediction, error) {
	present, y := heldout.Present(train.Y)
	design := newDesign(train)
	f := &logisticFit{x: design.matrix(train.X), y: y, classes: len(present), penalty: 1}
	if l.Classes == 2 {
		f.penalty = 2
	}
	weights, err := f.fit()
	if err != nil {
		return nil, err
	}
	x, rows, p := design.matrix(query), make([]amp.Prediction, query.Rows), make([]float64, f.classes)
	for i := range rows {
		f.probabilities(p, weights, x.RawRowView(i))
		all := make([]float64, l.Classes)
		for place, k := range present {
			all[k] = p[place]
		}
		if rows[i].PPD, err = distr.NewClasses(all); err != nil {
			return nil, fmt.Errorf("row %d: %w", i+1, err)
		}
	}
	return rows, nil
}

// logisticFit is the function that is minimised. Weights hold a_k, b_k of one class after another.
type logisticFit struct {
	x       *mat.Dense
	y       []float64
	classes int
	penalty float64 // λ
}

func (f *logisticFit) fit() ([]float64, error) {
	_, columns := f.x.Dims()
	problem := optimize.Problem{
		Func: func(w []float64) float64 { return f.loss(w, nil) },
		Grad: func(gradient, w []float64) { f.loss(w, gradient) },
	}
	settings := &optimize.Settings{GradientThreshold: 1e-5 * float64(len(f.y)), MajorIterations: 1000}
	start := make([]float64, f.classes*(1+columns))
	result, err := optimize.Minimize(problem, start, settings, &optimize.LBFGS{})
	if result == nil || floats.HasNaN(result.X) {
		return nil, fmt.Errorf("%w: %w", errLogistic, err)
	}
	return result.X, nil // a line search that ends at the limit of float64 is near enough
}

func (f *logisticFit) probabilities(p, weights, row []float64) {
	for k := range p {
		w := weights[k*(1+len(row)):]
		p[k] = w[0] + floats.Dot(w[1:1+len(row)], row)
	}
	total := floats.LogSumExp(p)
	for k := range p {
		p[k] = math.Exp(p[k] - total)
	}
}

func (f *logisticFit) loss(weights, gradient []float64) float64 {
	_, columns := f.x.Dims()
	clear(gradient)
	p, sum := make([]float64, f.classes), 0.0
	for i, y := range f.y {
		row := f.x.RawRowView(i)
		f.probabilities(p, weights, row)
		sum -= math.Log(max(p[int(y)], math.SmallestNonzeroFloat64))
		if gradient == nil {
			continue
		}
		p[int(y)]--
		for k, residual := range p {
			g := gradient[k*(1+columns):]
			g[0] += residual
			floats.AddScaled(g[1:1+columns], residual, row)
		}
	}
	for k := range f.classes {
		for j := 1; j <= columns; j++ {
			w := weights[k*(1+columns)+j]
			sum += f.penalty * w * w / 2
			if gradient != nil {
				gradient[k*(1+columns)+j] += f.penalty * w
			}
		}
	}
	return sum
}
