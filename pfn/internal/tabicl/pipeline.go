package tabicl

import (
	"math"

	"github.com/pfnamp/pfnamp/internal/matrix"
	"github.com/pfnamp/pfnamp/pfn/internal/yeojohnson"
)

// Names of the norms, the step of a pipeline between standardising and clipping outliers.
const (
	None  = "none"  // nothing
	Power = "power" // Yeo-Johnson transform towards normality, then standardise
)

const (
	clipBound    = 100  // standardised values are clipped to [-100, 100]
	deviationEps = 1e-6 // added to deviations, and their floor
	tinyColumn   = 1e-4 // below this deviation the addition is relative
	noiseLevel   = 1e-12
)

// Pipeline maps encoded features to the values that the network reads. Columns are independent.
type Pipeline struct {
	columns []columnPipeline
}

// columnPipeline is the fitted pipeline of one column.
type columnPipeline struct {
	bend     bend
	standard standardizer
	power    *powerTransform // nil for the norm "none"
	clip     softClip
}

// FitPipeline fits a pipeline on the encoded context rows. Values further than threshold
// deviations from the centre are outliers. Leading columns are bent first.
func FitPipeline(x matrix.Matrix, norm string, threshold float64, bends []bend) *Pipeline {
	p := &Pipeline{columns: make([]columnPipeline, x.Cols)}
	values := make([]float64, 0, x.Rows)
	for j := range p.columns {
		values = x.Column(values, j)
		b := bend{}
		if j < len(bends) {
			b = bends[j]
		}
		p.columns[j] = fitColumn(values, norm, threshold, b)
	}
	return p
}

// fitColumn fits one column; values is overwritten.
func fitColumn(values []float64, norm string, threshold float64, b bend) columnPipeline {
	change(values, b.apply)
	c := columnPipeline{bend: b, standard: fitStandardizer(values)}
	change(values, c.standard.apply)
	if norm == Power {
		c.power = fitPower(values)
		change(values, c.power.apply)
	}
	c.clip = fitSoftClip(values, threshold)
	return c
}

func change(values []float64, by func(float64) float64) {
	for i, v := range values {
		values[i] = by(v)
	}
}

// Apply returns the transformed features in the same layout.
func (p *Pipeline) Apply(x matrix.Matrix) matrix.Matrix {
	out := matrix.New(x.Rows, x.Cols)
	for k, v := range x.Data {
		out.Data[k] = p.columns[k%x.Cols].apply(v)
	}
	return out
}

func (c *columnPipeline) apply(v float64) float64 {
	z := c.standard.apply(c.bend.apply(v))
	if c.power != nil {
		z = c.power.apply(z)
	}
	return c.clip.apply(z)
}

// standardizer is z = (x - mean)/(sd + 1e-6), clipped to [-100, 100].
type standardizer struct {
	moments
	divisor float64
}

// fitStandardizer measures a column. The 1e-6 of the reference would erase columns in small units.
// Below a deviation of 1e-4 it is relative to the deviation, unless the deviation is only rounding
// noise of the column's magnitude.
func fitStandardizer(values []float64) standardizer {
	m := measure(values)
	eps := math.Ldexp(deviationEps, -m.exp)
	if m.sd < math.Ldexp(tinyColumn, -m.exp) && m.sd > noiseLevel*math.Abs(m.mean) {
		eps = deviationEps * m.sd
	}
	divisor := m.sd + eps
	if divisor == 0 {
		divisor = 1
	}
	return standardizer{m, divisor}
}

func (s standardizer) apply(x float64) float64 {
	return min(max((s.scale(x)-s.mean)/s.divisor, -clipBound), clipBound)
}

// softClip bends values outside [lo, hi] to logarithmic growth.
type softClip struct{ lo, hi float64 }

// fitSoftClip measures a column twice, the second time without the values outside mean +- threshold
// sd. It uses the unbiased deviation with a floor of 1e-6.
func fitSoftClip(values []float64, threshold float64) softClip {
	first := clipRange(values, threshold)
	kept := make([]float64, 0, len(values))
	for _, v := range values {
		if v >= first.lo && v <= first.hi {
			kept = append(kept, v)
		}
	}
	return clipRange(kept, threshold)
}

func clipRange(values []float64, threshold float64) softClip {
	m := measure(values)
	n := float64(len(values))
	sd := math.Ldexp(m.sd, m.exp)
	if n > 1 {
		sd *= math.Sqrt(n / (n - 1))
	}
	mean, width := math.Ldexp(m.mean, m.exp), threshold*max(sd, deviationEps)
	return softClip{mean - width, mean + width}
}

// apply returns v = max(v, lo - ln(1+|v|)), then min(v, hi + ln(1+|v|)).
func (c softClip) apply(v float64) float64 {
	v = max(v, c.lo-math.Log1p(math.Abs(v)))
	return min(v, c.hi+math.Log1p(math.Abs(v)))
}

// powerTransform is the Yeo-Johnson transform with parameter lambda, then standardisation with
// the moments of the transformed context rows.
type powerTransform struct {
	lambda   float64
	lo, hi   float64 // range of the context rows
	standard moments
}

// fitPower chooses lambda by maximum likelihood. A column that does not vary keeps lambda 1.
func fitPower(values []float64) *powerTransform {
	p := &powerTransform{lambda: 1, lo: math.Inf(1), hi: math.Inf(-1)}
	for _, v := range values {
		p.lo, p.hi = min(p.lo, v), max(p.hi, v)
	}
	if !constantTarget(values).Constant {
		p.lambda = yeoJohnsonLambda(values)
	}
	transformed := make([]float64, len(values))
	for i, v := range values {
		transformed[i] = yeojohnson.Transform(v, p.lambda)
	}
	p.standard = measure(transformed)
	if p.standard.sd == 0 || constantTarget(transformed).Constant {
		p.standard.sd = 1
	}
	return p
}

// apply transforms one value. If the transform would leave the range of float64, it first moves the
// value into the range of the context rows, where the result is finite.
func (p *powerTransform) apply(z float64) float64 {
	t := p.standard.scale(yeojohnson.Transform(z, p.lambda))
	if math.IsInf(t, 0) || math.IsNaN(t) {
		t = p.standard.scale(yeojohnson.Transform(min(max(z, p.lo), p.hi), p.lambda))
	}
	z = (t - p.standard.mean) / p.standard.sd
	return min(max(z, -math.MaxFloat64), math.MaxFloat64)
}

// yeoJohnsonLambda maximises the profile likelihood of lambda,
//
//	-n/2 ln var(t) + (lambda - 1) sum sign(z) ln(1+|z|),  t = yeojohnson.Transform(z, lambda),
//
// within yeojohnson.Bounds, as scipy.stats.yeojohnson_normmax does.
func yeoJohnsonLambda(values []float64) float64 {
	logs := make([]float64, len(values)) // sign(z) ln(1+|z|)
	var sum float64
	for i, z := range values {
		logs[i] = yeojohnson.Log(z)
		sum += logs[i]
	}
	lo, hi := yeojohnson.Bounds(values)
	transformed := make([]float64, len(values))
	return yeojohnson.MinimizeWithin(func(lambda float64) float64 {
		for i, l := range logs {
			transformed[i] = yeojohnson.OfLog(l, lambda)
		}
		m := measure(transformed)
		if !(m.sd > 0) || math.IsInf(m.sd, 0) {
			return math.Inf(1)
		}
		logSD := math.Log(m.sd) + float64(m.exp)*math.Ln2
		return float64(len(values))*logSD - (lambda-1)*sum
	}, lo, hi)
}
