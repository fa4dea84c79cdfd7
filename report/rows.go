package report

// Asked is what was asked of every query row.
type Asked struct {
	Target      string   // name of the target
	Level       float64  // probability that the intervals hold, in (0, 1)
	Functionals []string // names, such as "mean"; of classes those of their probabilities
	Events      []bool   // by functional: a probability, which has not the unit of the target
	Classes     []string // labels; nil of numbers
	Posterior   string   // of the credible intervals
	Others      []string // other posteriors, whose intervals come beside those
}

// Estimate is a functional at a row, in units of the target or a probability.
type Estimate struct {
	Point, Lo, Hi float64      // with its credible interval
	Others        [][2]float64 // those of other posteriors
}

// Row is what is known of one query row, in units of the target where not said otherwise.
type Row struct {
	At               int64      // its number in the query table, from 1
	Kept             []string   // cells that are passed through
	Estimates        []Estimate // by functional
	LabelLo, LabelHi float64    // predictive interval of the label; NaN of classes
	Label            float64    // observed, NaN if unknown; of classes the class, -1 for another label
	Read             bool       // the model has read the label, so that it is no test
	Best             int        // most probable class, 0 of numbers

	Quantiles []float64 // of the predictive distribution, by level of QuantileLevels; nil of classes
	Mean      float64   // of that distribution
	PIT, CRPS float64   // of the observed label: see evaluate.PIT, evaluate.PPD; NaN if unknown
}

// QuantileLevels are the levels at which a page knows the predictive distribution of a row.
func QuantileLevels() []float64 {
	levels := []float64{0.01, 0.025}
	for k := 1; k < 20; k++ {
		levels = append(levels, float64(k)/20)
	}
	return append(levels, 0.975, 0.99)
}
