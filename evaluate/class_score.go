package evaluate

import (
	"math"
	"slices"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/distr"
)

// least bounds probabilities away from 0 in logarithms, as it bounds a log loss to 34.5.
const least = 1e-15

// classBins is the number of columns of equal width of a reliability picture.
const classBins = 10

// ClassScores are mean scores of probabilities of classes at labels.
type ClassScores struct {
	LogLoss  float64 // mean of -log p of the label, in nats, p at least 1e-15
	Brier    float64 // mean of Σ_k (p_k - 1{label is k})², in [0, 2]
	Accuracy float64 // share of labels that are the most probable class, the first of several
	// AUC is the area under the curve of sensitivity against false alarms: of two classes of the
	// second one, of more the mean over the classes of one against the rest. NaN where no class has
	// rows on both sides.
	AUC float64
	// CalibrationError is Σ_b n_b/n |share of hits - mean probability| over ten bins of equal
	// width, of the second of two classes, otherwise of the probabilities of all classes together
	// (Naeini, Cooper and Hauskrecht 2015). Calibrated probabilities have one above 0, by chance.
	CalibrationError float64
	Bins             [classBins]ReliabilityBin
}

// ReliabilityBin counts the probabilities in an interval and how often their class was the label.
type ReliabilityBin struct {
	N        int
	Forecast float64 // sum of probabilities
	Hits     float64
}

// ScoreClasses scores predictions of classes at labels 0..K-1. It panics if the lengths differ.
func ScoreClasses(rows []amp.Prediction, y []float64) ClassScores {
	if len(rows) != len(y) || len(y) == 0 {
		panic("evaluate: ScoreClasses needs one label per distribution")
	}
	var s ClassScores
	each := 1 / float64(len(y))
	for i, row := range rows {
		p, label := row.PPD.(distr.Classes), int(y[i])
		s.LogLoss -= each * math.Log(max(p[label], least))
		if p.Best() == label {
			s.Accuracy += each
		}
		for k, q := range p {
			if k == label {
				s.Brier += each * (1 - q) * (1 - q)
			} else {
				s.Brier += each * q * q
			}
		}
	}
	s.rank(rows, y)
	s.bin(rows, y)
	return s
}

// firstScored is the first class whose probabilities are compared with the rest: of two the
// second.
func firstScored(count int) int {
	if count == 2 {
		return 1
	}
	return 0
}

// rank computes the AUC.
func (s *ClassScores) rank(rows []amp.Prediction, y []float64) {
	var areas Moments
	count := len(rows[0].PPD.(distr.Classes))
	for k := firstScored(count); k < count; k++ {
		var hits, others []float64
		for i, row := range rows {
			if p := row.PPD.(distr.Classes)[k]; int(y[i]) == k {
				hits = append(hits, p)
			} else {
				others = append(others, p)
			}
		}
		if hits != nil && others != nil {
			areas.Add(AUC(hits, others))
		}
	}
	s.AUC = areas.Mean()
}

// AUC is the share of pairs of a hit and another one in which the hit's score is higher, ties by
// half (Mann and Whitney 1947). It sorts both, which must not be empty.
func AUC(hits, others []float64) float64 {
	slices.Sort(hits)
	slices.Sort(others)
	sum, below, upto := 0.0, 0, 0
	for _, h := range hits {
		for below < len(others) && others[below] < h {
			below++
		}
		upto = max(upto, below)
		for upto < len(others) && others[upto] <= h {
			upto++
		}
		sum += float64(below+upto) / 2
	}
	return sum / float64(len(hits)) / float64(len(others))
}

// bin computes the calibration error.
func (s *ClassScores) bin(rows []amp.Prediction, y []float64) {
	total := 0
	for i, row := range rows {
		p := row.PPD.(distr.Classes)
		for k := firstScored(len(p)); k < len(p); k++ {
			b := &s.Bins[min(classBins-1, int(p[k]*classBins))]
			b.N++
			b.Forecast += p[k]
			if int(y[i]) == k {
				b.Hits++
			}
			total++
		}
	}
	for _, b := range s.Bins {
		s.CalibrationError += math.Abs(b.Hits-b.Forecast) / float64(total)
	}
}

func (s ClassScores) tally(t *Tally, method string) {
	t.Add(method, "", MetricLogLoss, s.LogLoss)
	t.Add(method, "", "brier", s.Brier)
	t.Add(method, "", "auc", s.AUC)
	t.Add(method, "", "accuracy", s.Accuracy)
	t.Add(method, "", "calibration_error", s.CalibrationError)
}

// MetricLogLoss is the name of the log loss, which every scored prediction of classes has.
const MetricLogLoss = "log_loss"

// curves returns the columns of the reliability picture: how many probabilities, their mean and the
// share of hits.
func (s ClassScores) curves() []Curve {
	var x, n, forecast, hits []float64
	for i, b := range s.Bins {
		x = append(x, (float64(i)+0.5)/classBins)
		n = append(n, float64(b.N))
		forecast = append(forecast, b.Forecast/float64(b.N))
		hits = append(hits, b.Hits/float64(b.N))
	}
	return []Curve{Line(CurveBins, x, n), Line(CurveForecast, x, forecast), Line(CurveHits, x, hits)}
}
