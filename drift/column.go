package drift

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/combin"
	"gonum.org/v1/gonum/stat/distuv"
)

// Column is the comparison of one column.
type Column struct {
	// P is the p-value of the difference, corrected for the number of columns (Bonferroni), in
	// [0, 1]. If both samples come from the same distribution, the probability that any column has a
	// P below p is at most p.
	P float64
	// Shift is the mean of the batch minus the mean of the context, in standard deviations of the
	// context; NaN for categories.
	Shift float64
	// Missing is the share of cells without a value in the context [0] and in the batch [1]. New
	// categories of the batch count as missing.
	Missing [2]float64
}

// compareColumns compares column by column.
func compareColumns(a, b Matrix, categorical []bool) []Column {
	all := make([]Column, a.Cols)
	for j := range all {
		category := isCategory(categorical, j)
		var values [2][]float64
		c := &all[j]
		for side, x := range []Matrix{a, b} {
			for i := range x.Rows {
				if v := x.Row(i)[j]; known(category, v) {
					values[side] = append(values[side], v)
				}
			}
			c.Missing[side] = float64(x.Rows-len(values[side])) / float64(x.Rows)
		}
		c.Shift = math.NaN()
		rows := [2]float64{float64(a.Rows), float64(b.Rows)}
		missing := [2]float64{rows[0] - float64(len(values[0])), rows[1] - float64(len(values[1]))}
		if category {
			c.P = chiSquared(categoryCounts(values, missing))
			if missing != [2]float64{} && few(missing, rows) {
				c.P = math.Min(1, 2*math.Min(c.P, fisher(missing, rows)))
			}
		} else {
			if m, v := moments(values[0]); v > 0 && len(values[1]) > 0 {
				mean, _ := moments(values[1])
				c.Shift = (mean - m) / math.Sqrt(v)
			}
			c.P = math.Min(1, 2*math.Min(kolmogorov(values[0], values[1]), uneven(missing, rows)))
		}
		c.P = math.Min(1, c.P*float64(a.Cols))
	}
	return all
}

// kolmogorov is the probability of the largest distance of two empirical distributions (Smirnov
// 1939; the correction of the sample size by Stephens 1970). It is 1 where a sample is empty.
func kolmogorov(a, b []float64) float64 {
	if len(a) == 0 || len(b) == 0 {
		return 1
	}
	a, b = slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b))
	m, n, most := float64(len(a)), float64(len(b)), 0.0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		v := math.Min(a[i], b[j])
		for i < len(a) && a[i] == v {
			i++
		}
		for j < len(b) && b[j] == v {
			j++
		}
		most = math.Max(most, math.Abs(float64(i)/m-float64(j)/n))
	}
	size := math.Sqrt(m * n / (m + n))
	x, sum := (size+0.12+0.11/size)*most, 0.0
	if x < 0.3 {
		return 1
	}
	for k := 1.0; k < 100; k++ {
		sign := 1 - 2*math.Mod(k+1, 2)
		sum += sign * math.Exp(-2*k*k*x*x)
	}
	return math.Min(1, math.Max(0, 2*sum))
}

// categoryCounts are the rows of every category, and of missing cells, in both samples.
func categoryCounts(values [2][]float64, missing [2]float64) [][2]float64 {
	counts := map[float64]*[2]float64{}
	var codes []float64
	for side, of := range values {
		for _, v := range of {
			if counts[v] == nil {
				counts[v] = new([2]float64)
				codes = append(codes, v)
			}
			counts[v][side]++
		}
	}
	slices.Sort(codes)
	all := [][2]float64{missing}
	for _, code := range codes {
		all = append(all, *counts[code])
	}
	return all
}

// uneven is the p-value of the difference between two shares of missing cells.
func uneven(missing, rows [2]float64) float64 {
	if few(missing, rows) {
		return fisher(missing, rows)
	}
	return chiSquared([][2]float64{missing, {rows[0] - missing[0], rows[1] - missing[1]}})
}

// leastExpected is the number of rows of a cell from which on the statistic is taken to be χ²;
// rarer ones are put together.
const leastExpected = 5

// few tells whether missing or known cells are too rare for χ².
func few(missing, rows [2]float64) bool {
	all, some := rows[0]+rows[1], missing[0]+missing[1]
	return math.Min(some, all-some)*math.Min(rows[0], rows[1])/all < leastExpected
}

// fisher is the p-value of Fisher's exact test (1935): the probability, given how many cells are
// missing in both samples together, of all divisions that are at most as probable as this one.
//
//	p(k) = C(n₁, k) C(n₀, m-k) / C(n₀+n₁, m)
func fisher(missing, rows [2]float64) float64 {
	m := missing[0] + missing[1]
	logP := func(k float64) float64 {
		return combin.LogGeneralizedBinomial(rows[1], k) +
			combin.LogGeneralizedBinomial(rows[0], m-k) -
			combin.LogGeneralizedBinomial(rows[0]+rows[1], m)
	}
	const tie = 1e-9 // divisions that are equally probable but for rounding
	sum, most := 0.0, logP(missing[1])+tie
	for k := math.Max(0, m-rows[0]); k <= math.Min(m, rows[1]); k++ {
		if l := logP(k); l <= most {
			sum += math.Exp(l)
		}
	}
	return math.Min(1, sum)
}

// chiSquared is the probability of the statistic of Pearson (1900) for two samples, 1 of a single
// cell.
func chiSquared(cells [][2]float64) float64 {
	var total [2]float64
	for _, c := range cells {
		total[0] += c[0]
		total[1] += c[1]
	}
	share := math.Min(total[0], total[1]) / (total[0] + total[1])
	var kept [][2]float64
	var rare [2]float64
	for _, c := range cells {
		if (c[0]+c[1])*share < leastExpected {
			rare[0] += c[0]
			rare[1] += c[1]
		} else {
			kept = append(kept, c)
		}
	}
	if (rare[0]+rare[1])*share >= leastExpected {
		kept = append(kept, rare)
	} else if len(kept) > 0 {
		kept[0][0] += rare[0]
		kept[0][1] += rare[1]
	}
	if len(kept) < 2 {
		return 1
	}
	statistic := 0.0
	for _, c := range kept {
		for side := range 2 {
			want := (c[0] + c[1]) * total[side] / (total[0] + total[1])
			statistic += (c[side] - want) * (c[side] - want) / want
		}
	}
	return distuv.ChiSquared{K: float64(len(kept) - 1)}.Survival(statistic)
}
