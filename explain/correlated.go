package explain

import (
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/pfnamp/pfnamp/internal/matrix"
	"github.com/pfnamp/pfnamp/internal/panics"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/tabular"
)

// group is columns that are replaced together.
type group struct {
	columns  []string
	features []int // of the encoded rows
}

// groupsOf groups the columns of a table by average linkage: the two groups with the highest
// average correlation are joined as long as that is at least o.Correlated. A date is a column with
// all its calendar features. Columns without values are left out.
func groupsOf(schema *tabular.Schema, rows pfn.Training, o ImportanceOptions) []group {
	var singles []group
	at := map[string]int{}
	for j, c := range schema.Encoded() {
		if c.Kind == tabular.Empty {
			continue
		}
		k, known := at[c.Name]
		if !known {
			k = len(singles)
			at[c.Name], singles = k, append(singles, group{columns: []string{c.Name}})
		}
		singles[k].features = append(singles[k].features, j)
	}
	groups, names := linked(singles, correlations(singles, rows, o.Workers), o.Correlated),
		schema.FeatureNames()
	for _, g := range groups { // names are in the order of the table, whatever that of the features
		slices.SortFunc(g.columns, func(a, b string) int {
			return slices.Index(names, a) - slices.Index(names, b)
		})
	}
	return groups
}

// linked joins groups.
func linked(groups []group, correlation [][]float64, least float64) []group {
	members := make([][]int, len(groups))
	for i := range members {
		members[i] = []int{i}
	}
	for {
		best, first, second := 0.0, -1, -1
		for a := range members {
			for b := a + 1; b < len(members); b++ {
				if c := linkage(correlation, members[a], members[b]); c > best {
					best, first, second = c, a, b
				}
			}
		}
		if first < 0 || best < least-1e-9 {
			break
		}
		members[first] = append(members[first], members[second]...)
		members = slices.Delete(members, second, second+1)
	}
	var joined []group
	for _, of := range members {
		slices.Sort(of)
		var g group
		for _, i := range of {
			g.columns = append(g.columns, groups[i].columns...)
			g.features = append(g.features, groups[i].features...)
		}
		joined = append(joined, g)
	}
	return joined
}

// linkage is the average correlation between the members of two groups.
func linkage(correlation [][]float64, a, b []int) (mean float64) {
	for _, i := range a {
		for _, j := range b {
			mean += correlation[i][j] / float64(len(a)*len(b))
		}
	}
	return mean
}

// correlations returns the correlations of columns, 0 to 1: the largest between their features.
// Two numbers have Spearman's rank correlation. A number and a category have the square root of
// the share of the ranks' variance between the categories, two categories Cramér's V; both are
// corrected for chance. Each uses the rows that have both cells.
func correlations(columns []group, rows pfn.Training, workers int) [][]float64 {
	var views []feature
	for j := range rows.X.Cols {
		categorical := j < len(rows.Categorical) && rows.Categorical[j]
		views = append(views, feature{rows.X.Column(nil, j), categorical})
	}
	out := make([][]float64, len(columns))
	for a := range out {
		out[a] = make([]float64, len(columns))
	}
	_ = panics.EachOf(workers, len(columns), func(a int) {
		for b := range a {
			for _, i := range columns[a].features {
				for _, j := range columns[b].features {
					out[a][b] = max(out[a][b], correlation(views[i], views[j]))
				}
			}
			out[b][a] = out[a][b]
		}
	})
	return out
}

// feature is a column of encoded rows.
type feature struct {
	values      []float64
	categorical bool
}

// lacks tells whether a row has no value.
func (f feature) lacks(i int) bool {
	return math.IsNaN(f.values[i]) || f.categorical && f.values[i] < 0
}

// correlation is that of two features over the rows that have both.
func correlation(f, g feature) float64 {
	if f.categorical && !g.categorical {
		f, g = g, f
	}
	var a, b []float64
	for i := range f.values {
		if !f.lacks(i) && !g.lacks(i) {
			a, b = append(a, f.values[i]), append(b, g.values[i])
		}
	}
	if len(a) < 3 {
		return 0
	}
	c := 0.0
	switch {
	case !g.categorical:
		c = math.Abs(stat.Correlation(matrix.Ranks(a), matrix.Ranks(b), nil))
	case !f.categorical:
		c = between(matrix.Ranks(a), b)
	default:
		c = cramer(a, b)
	}
	if math.IsNaN(c) {
		return 0 // a feature does not vary
	}
	return min(c, 1)
}

// between is √ε² (Kelley 1935) of values in categories.
func between(values, categories []float64) float64 {
	sums, counts := map[float64]float64{}, map[float64]float64{}
	mean, n := stat.Mean(values, nil), float64(len(values))
	total := 0.0
	for i, v := range values {
		sums[categories[i]] += v - mean
		counts[categories[i]]++
		total += (v - mean) * (v - mean)
	}
	k, among := float64(len(counts)), 0.0
	for _, c := range slices.Sorted(maps.Keys(counts)) {
		among += sums[c] * sums[c] / counts[c]
	}
	if n <= k {
		return 0
	}
	return math.Sqrt(max(0, 1-(total-among)/(n-k)/(total/(n-1))))
}

// cramer is V of two categories, without bias (Bergsma 2013).
func cramer(a, b []float64) float64 {
	n := float64(len(a))
	rows, columns, cells := map[float64]float64{}, map[float64]float64{}, map[[2]float64]float64{}
	for i := range a {
		rows[a[i]]++
		columns[b[i]]++
		cells[[2]float64{a[i], b[i]}]++
	}
	square := 0.0
	for _, r := range slices.Sorted(maps.Keys(rows)) {
		for _, c := range slices.Sorted(maps.Keys(columns)) {
			expected := rows[r] * columns[c] / n
			off := cells[[2]float64{r, c}] - expected
			square += off * off / expected
		}
	}
	r, c := float64(len(rows)), float64(len(columns))
	phi := max(0, square/n-(r-1)*(c-1)/(n-1))
	r -= (r - 1) * (r - 1) / (n - 1)
	c -= (c - 1) * (c - 1) / (n - 1)
	if least := min(r, c) - 1; least > 0 {
		return math.Sqrt(phi / least)
	}
	return 0
}
