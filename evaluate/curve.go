package evaluate

// Curve is a line or band for a figure; Lo and Hi are nil for a line, Y for a band.
type Curve struct {
	Name string   `json:"name"`
	X    []Number `json:"x"`
	Y    []Number `json:"y,omitempty"`
	Lo   []Number `json:"lo,omitempty"`
	Hi   []Number `json:"hi,omitempty"`
}

// Floats are numbers as float64.
func Floats(list []Number) []float64 {
	out := make([]float64, len(list))
	for i, v := range list {
		out[i] = float64(v)
	}
	return out
}

// Line is the curve of the points (x[i], y[i]).
func Line(name string, x, y []float64) Curve {
	return Curve{Name: name, X: numbers(x), Y: numbers(y)}
}

// Band is the curve of the intervals at x.
func Band(name string, x []float64, intervals []Interval) Curve {
	c := Curve{Name: name, X: numbers(x)}
	for _, in := range intervals {
		c.Lo = append(c.Lo, Number(in.Lo))
		c.Hi = append(c.Hi, Number(in.Hi))
	}
	return c
}

func numbers(x []float64) []Number {
	out := make([]Number, len(x))
	for i, v := range x {
		out[i] = Number(v)
	}
	return out
}

// Names of the curves of a split. The first split has the rows too: points, surrogates and labels,
// the band of the predictive interval (MethodPPD), and the bands of the first functional's
// credible intervals under the names of their methods.
const (
	CurveReliability = "reliability" // share of labels at most the quantile, by level
	CurvePIT         = "pit"         // share of rows by interval of P_0(y)
	CurvePoint       = "point"       // point estimate of the first functional, by row
	CurveSurrogate   = "surrogate"   // the same of the surrogate
	CurveLabel       = "label"       // the test rows' labels

	// Of classes, by interval of probabilities:
	CurveBins     = "bins"     // number of probabilities
	CurveForecast = "forecast" // their mean
	CurveHits     = "hits"     // share of them whose class is the label
)
