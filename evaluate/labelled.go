package evaluate

import "math"

// Labelled counts how predictions of rows agree with their labels, row by row: numbers or classes.
// The zero value is empty.
type Labelled struct {
	Rows  int // with a label
	Held  int // numbers inside their predictive intervals
	Right int // labels that are the most probable class
	// Unseen are the labels that no class has. They have the probability 0.
	Unseen int

	classes                       map[int]int // rows of every class
	labels                        Moments
	square, crps, brier, surprise float64 // sums
}

// Add counts a number y, with the mean of its predictive distribution, the CRPS of that and its
// predictive interval.
func (l *Labelled) Add(y, mean, crps float64, in Interval) {
	l.Rows++
	l.labels.Add(y)
	l.square += (y - mean) * (y - mean)
	l.crps += crps
	if in.Lo <= y && y <= in.Hi {
		l.Held++
	}
}

// AddClass counts a label, which is a class or, if no class has it, negative.
func (l *Labelled) AddClass(probabilities []float64, best, label int) {
	l.Rows++
	if best == label {
		l.Right++
	}
	for k, p := range probabilities {
		if k == label {
			l.surprise -= math.Log(p)
			p = 1 - p
		}
		l.brier += p * p
	}
	if label < 0 {
		l.Unseen++
		l.brier++
	}
	if l.classes == nil {
		l.classes = map[int]int{}
	}
	l.classes[label]++
}

// Majority is the class of most labels, the first of several, and how many labels have it: what is
// right so often without any model. Labels that no class has are left out; of none the class is
// negative.
func (l *Labelled) Majority() (class, rows int) {
	class = -1
	for k, n := range l.classes {
		if k >= 0 && (n > rows || n == rows && k < class) {
			class, rows = k, n
		}
	}
	return class, rows
}

func (l *Labelled) mean(sum float64) float64 { return sum / float64(l.Rows) }

// RMSE is the root of the mean squared error of the means.
func (l *Labelled) RMSE() float64 { return math.Sqrt(l.mean(l.square)) }

// CRPS is the mean continuous ranked probability score.
func (l *Labelled) CRPS() float64 { return l.mean(l.crps) }

// Coverage is the share of numbers inside their predictive intervals.
func (l *Labelled) Coverage() float64 { return l.mean(float64(l.Held)) }

// Accuracy is the share of labels that are the most probable class.
func (l *Labelled) Accuracy() float64 { return l.mean(float64(l.Right)) }

// Brier is the mean over rows of the sum of squared errors of all probabilities, in [0, 2].
func (l *Labelled) Brier() float64 { return l.mean(l.brier) }

// LogLoss is the mean of -log of a label's probability, in nats, over labels that a class has.
func (l *Labelled) LogLoss() float64 { return l.surprise / float64(l.Rows-l.Unseen) }

// Spread is the root mean squared distance of the numbers from their mean: the RMSE of the one
// number that is best for every row. It is NaN for fewer than two.
func (l *Labelled) Spread() float64 {
	n := float64(l.Rows)
	return l.labels.SE() * math.Sqrt(n-1)
}

// R2 is 1 - Σ(y-ŷ)² / Σ(y-ȳ)², NaN for fewer than two labels and for equal ones.
func (l *Labelled) R2() float64 {
	n := float64(l.Rows)
	about := l.labels.SE() * l.labels.SE() * n * (n - 1) // of the labels about their mean
	if !(about > 0) {
		return math.NaN()
	}
	return 1 - l.square/about
}
