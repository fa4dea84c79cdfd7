package report

import (
	"math"

	"github.com/pfnamp/pfnamp/evaluate"
)

// classReliability draws how often a class is the label, by its predicted probability, and a
// histogram of these probabilities, over all splits together. Bars are two standard errors for the
// number of labels in one split.
func classReliability(bins []pooledBin, splits int) Chart {
	share := Series{Name: "share of rows with the class"}
	often := Series{Name: "predicted probabilities", Mark: Bars}
	total := 0.0
	for _, b := range bins {
		often.X, often.Y = append(often.X, b.at), append(often.Y, b.n)
		total += b.n
		if b.n == 0 {
			continue
		}
		p := b.hits / b.n
		share.X, share.Y = append(share.X, b.forecast/b.n), append(share.Y, p)
		share.Err = append(share.Err, 2*math.Sqrt(p*(1-p)/b.n*float64(splits)))
	}
	for i := range often.Y {
		often.Y[i] /= total
	}
	return Chart{Alt: "Calibration of the class probabilities", Panels: [][]Panel{{
		{Title: "reliability", X: "predicted probability of a class", Y: "share of rows with the class",
			Diagonal: true, Range: []float64{0, 1}, Series: []Series{share}},
		{Title: "sharpness", X: "predicted probability of a class",
			Y:      "share of predictions",
			Series: []Series{often}},
	}}, Width: 19, Height: 8}
}

// pooledBin is a column of the picture over all splits.
type pooledBin struct{ at, n, forecast, hits float64 }

func pooledBins(outcomes []evaluate.Outcome) (all []pooledBin) {
	for _, o := range outcomes {
		rows, ok := curve(o, evaluate.CurveBins)
		forecast, _ := curve(o, evaluate.CurveForecast)
		hits, _ := curve(o, evaluate.CurveHits)
		if !ok {
			continue
		}
		if all == nil {
			all = make([]pooledBin, len(rows.X))
		}
		for i, n := range rows.Y {
			b := &all[i]
			b.at = float64(rows.X[i])
			if n > 0 {
				b.n += float64(n)
				b.forecast += float64(n * forecast.Y[i])
				b.hits += float64(n * hits.Y[i])
			}
		}
	}
	return all
}
