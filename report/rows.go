package report

// Asked is the question that a run answers for every query row.
type Asked struct {
	Target      string   // name of the target
	Level       float64  // probability that an interval contains its value, in (0, 1)
	Functionals []string // names, such as "mean" or, for classes, "p=yes"
	Events      []bool   // by functional: it is a probability and not in units of the target
	Classes     []string // labels; nil for numbers
	Posterior   string   // name of the posterior of the credible intervals
	Others      []string // names of other posteriors, whose intervals are shown for comparison
}

// Estimate is a functional at a row, in units of the target or a probability.
type Estimate struct {
	Point, Lo, Hi float64      // estimate and limits of its credible interval
	Others        [][2]float64 // limits by posterior of Asked.Others
}

// Row is one answered query row. Numbers are in units of the target unless noted.
type Row struct {
	At               int64      // row number in the query table, from 1
	Kept             []string   // cells of the columns that are passed through
	Estimates        []Estimate // by functional
	LabelLo, LabelHi float64    // predictive interval of the label; NaN for classes
	Label            float64    // observed label, NaN if unknown; a class by its index, -1 if new
	Read             bool       // the model has read the label, so it cannot test the prediction
	Best             int        // index of the most probable class, 0 for numbers

	Quantiles []float64 // predictive quantiles by level of QuantileLevels; nil for classes
	Mean      float64   // mean of the predictive distribution
	PIT, CRPS float64   // of the observed label, see evaluate.PIT and evaluate.PPD; NaN if unknown
}

// QuantileLevels lists the levels of Row.Quantiles, ascending in (0, 1).
func QuantileLevels() []float64 {
	levels := []float64{0.01, 0.025}
	for k := 1; k < 20; k++ {
		levels = append(levels, float64(k)/20)
	}
	return append(levels, 0.975, 0.99)
}
