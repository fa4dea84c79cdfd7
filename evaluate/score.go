package evaluate

import (
	"math"

	"github.com/pfnamp/pfnamp/amp"
)

// Moments accumulates a mean with its standard error. The zero value is empty.
type Moments struct {
	n            int
	mean, square float64 // square: sum of squared distances from the mean
}

// Add counts one value (Welford 1962).
func (m *Moments) Add(v float64) {
	m.n++
	d := v - m.mean
	m.mean += d / float64(m.n)
	m.square += d * (v - m.mean)
}

// N returns the number of values.
func (m Moments) N() int { return m.n }

// Mean returns the mean, NaN if there are no values.
func (m Moments) Mean() float64 {
	if m.n == 0 {
		return math.NaN()
	}
	return m.mean
}

// SE returns the standard error of the mean of independent values, NaN for fewer than two.
func (m Moments) SE() float64 {
	if m.n < 2 {
		return math.NaN()
	}
	return math.Sqrt(m.square / float64(m.n-1) / float64(m.n))
}

// Coverage is the share of the intervals that hold the truth, ends included.
func Coverage(intervals []Interval, truth []float64) float64 {
	held := 0
	for i, in := range intervals {
		if in.Lo <= truth[i] && truth[i] <= in.Hi {
			held++
		}
	}
	return float64(held) / float64(len(intervals))
}

// Width is the mean width of intervals.
func Width(intervals []Interval) float64 {
	sum := 0.0
	for _, in := range intervals {
		sum += in.Hi - in.Lo
	}
	return sum / float64(len(intervals))
}

// Pinball is the quantile score 2 (1{y<=q} - p)(q - y) of a quantile q of level p at the outcome
// y: twice the check loss, so that its integral over p is the CRPS (Gneiting and Ranjan 2011).
func Pinball(q, p, y float64) float64 {
	if y <= q {
		return 2 * (1 - p) * (q - y)
	}
	return 2 * p * (y - q)
}

// PIT is the probability integral transform P_0(y) of an outcome, where P_0 is continuous there.
// At an atom it is the middle of the jump.
func PIT(ppd PPD, y float64) float64 {
	right, left := ppd.CDF(y), ppd.CDF(math.Nextafter(y, math.Inf(-1)))
	if right-left > 1e-9 {
		return (left + right) / 2
	}
	return right
}

// PPDScores are mean scores of predictive distributions at outcomes, in units of the label where
// not said otherwise.
type PPDScores struct {
	CRPS       float64
	Pinball    []float64 // by level of Levels
	LogScore   float64   // mean of -log density, in nats; +Inf where a density is 0
	RMSE       float64   // of the mean
	R2         float64   // 1 - RMSE²/var(y), NaN where the outcomes are equal
	Coverage   float64   // share of outcomes inside the central predictive interval
	Width      float64   // of that interval
	PIT        []float64 // by row
	Calibrated []float64 // share of outcomes at most the quantile, by level of Levels
}

// Levels are the quantile levels of reliability curves and pinball scores.
func Levels() []float64 {
	levels := make([]float64, 19)
	for i := range levels {
		levels[i] = float64(i+1) / 20
	}
	return levels
}

// ScorePPDs scores predictive distributions, each a [PPD], at outcomes; level is that of the
// predictive interval, in (0, 1). It panics if the lengths differ.
func ScorePPDs(rows []amp.Prediction, y []float64, level float64) PPDScores {
	if len(rows) != len(y) || len(y) == 0 {
		panic("evaluate: ScorePPDs needs one outcome per distribution")
	}
	levels := Levels()
	s := PPDScores{PIT: make([]float64, len(y)),
		Pinball: make([]float64, len(levels)), Calibrated: make([]float64, len(levels))}
	each := 1 / float64(len(y))
	for i, row := range rows {
		ppd := row.PPD.(PPD)
		s.CRPS += each * ppd.CRPS(y[i])
		s.LogScore -= each * ppd.LogDensity(y[i])
		s.RMSE += each * (y[i] - ppd.Mean()) * (y[i] - ppd.Mean())
		lo, hi := amp.PredictiveInterval(ppd, level)
		s.Width += each * (hi - lo)
		if lo <= y[i] && y[i] <= hi {
			s.Coverage += each
		}
		s.PIT[i] = PIT(ppd, y[i])
		for k, p := range levels {
			q := ppd.Quantile(p)
			s.Pinball[k] += each * Pinball(q, p, y[i])
			if y[i] <= q {
				s.Calibrated[k] += each
			}
		}
	}
	var about Moments
	for _, v := range y {
		about.Add(v)
	}
	s.R2 = math.NaN()
	if about.square > 0 {
		s.R2 = 1 - s.RMSE*float64(len(y))/about.square
	}
	s.RMSE = math.Sqrt(s.RMSE)
	return s
}

// ScoreNames are the metrics of predictive distributions, of numbers or of classes, and of Judge.
func ScoreNames(classes bool) (names []string) {
	var t Tally
	var table Table
	if classes {
		ClassScores{}.tally(&t, MethodPPD)
		table.Classes = []string{""}
	} else {
		PPDScores{Pinball: Levels()}.tally(&t, MethodPPD, 1)
	}
	for _, m := range t.Measures() {
		names = append(names, m.Metric)
	}
	names = append(names, "time_s")
	if !classes {
		names = append(names, "coverage_lo", "coverage_hi")
	}
	for _, b := range Baselines(table) {
		below := names[0] + "_below_" + b.Name()
		names = append(names, below, below+"_lo", below+"_hi")
	}
	return names
}

func (s PPDScores) tally(t *Tally, method string, unit float64) {
	for _, m := range []struct {
		metric string
		value  float64
	}{
		{"crps", s.CRPS / unit}, {"log_score", s.LogScore - math.Log(unit)},
		{"rmse", s.RMSE / unit}, {"r2", s.R2}, {"coverage", s.Coverage}, {"width", s.Width / unit},
		{"pinball_0.5", s.Pinball[9] / unit}, {"pinball_0.9", s.Pinball[17] / unit},
	} {
		t.Add(method, "", m.metric, m.value)
	}
}

// pitBins is the number of bins of a PIT histogram.
const pitBins = 10

func (s PPDScores) curves() []Curve {
	x, shares := make([]float64, pitBins), make([]float64, pitBins)
	for i := range x {
		x[i] = (float64(i) + 0.5) / pitBins
	}
	for _, u := range s.PIT {
		shares[min(pitBins-1, int(u*pitBins))] += 1 / float64(len(s.PIT))
	}
	return []Curve{Line(CurveReliability, Levels(), s.Calibrated), Line(CurvePIT, x, shares)}
}
