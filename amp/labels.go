package amp

import "math/rand/v2"

// labelStream is the random stream that draws labels.
const labelStream = 0x4c61_6265_6c73_0001

// DrawLabels returns n independent draws of a row's label. Derive the number row from the row's
// content and position. Then the draws do not depend on batches, shards or workers.
func DrawLabels(ppd PPD, n int, seed, row uint64) []float64 {
	random := rand.New(rand.NewPCG(seed^labelStream, row))
	labels, quantile := make([]float64, n), ppd.Quantile
	if c, ok := ppd.(interface{ drawn(float64) float64 }); ok {
		quantile = c.drawn
	}
	for i := range labels {
		u := random.Float64()
		for u == 0 {
			u = random.Float64()
		}
		labels[i] = quantile(u)
	}
	return labels
}
