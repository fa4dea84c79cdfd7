package pfn

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/pfnamp/pfnamp/distr"
	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn/internal/ort"
	"github.com/pfnamp/pfnamp/pfn/internal/trend"
)

// someSurface is a head of four levels u and five levels τ, with a scale.
var someSurface = surfaceHead{[]float64{0.02, 0.3, 0.5, 0.98},
	[]float64{0.05, 0.2, 0.5, 0.8, 0.95}, 0.8}

// checkOrder tests that a surface ascends in both directions.
func checkOrder(t *testing.T, s *distr.Surface) {
	t.Helper()
	for k, row := range append(slices.Clip(s.Quantiles), s.Mean) {
		for j := range row {
			if j > 0 && row[j] < row[j-1] || k > 0 && k < len(s.Levels) && row[j] < s.Quantiles[k-1][j] {
				t.Fatalf("not in order: %v, mean %v", s.Quantiles, s.Mean)
			}
		}
	}
}

// rawSurface is what so many members return for a row, not in order.
func rawSurface(r *rand.Rand, members int) [][]float32 {
	raw := make([][]float32, members)
	for b := range raw {
		for range someSurface.output().size() {
			raw[b] = append(raw[b], float32(r.NormFloat64()))
		}
	}
	return raw
}

// A mean that all members are sure of is not wider than they say, however the quantiles are.
func TestSureMeanIsNotWidened(t *testing.T) {
	raw := rawSurface(rand.New(rand.NewPCG(2, 1)), 2)
	for _, member := range raw {
		for i := len(someSurface.levels) * len(someSurface.posterior); i < len(member); i++ {
			member[i] = 0.25
		}
	}
	unit := target{}
	unit.SD = 1
	w := weighing{weights: []float64{0.5, 0.5}, doubted: true, doubt: 0.5}
	if s := someSurface.combiner(none{}, unit)(raw, w).(*distr.Surface); slices.Min(s.Mean) != 0.25 ||
		slices.Max(s.Mean) != 0.25 {
		t.Errorf("the mean is %g", s.Mean)
	}
}

// A surface ascends in both directions; that of one member keeps the values of every row and column
// in sum, and that of several the medians of the mean's row.
func TestSurfaceOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	unit := target{}
	unit.SD = 1
	combine := someSurface.combiner(none{}, unit)
	for range 200 {
		raw := rawSurface(r, 3)
		s := combine(raw[:1], weighing{}).(*distr.Surface)
		checkOrder(t, s)
		if s.Scale != 0.8 {
			t.Fatalf("scale %g", s.Scale)
		}
		var want, got float64
		for i := range raw[0] {
			want += float64(raw[0][i])
		}
		for _, v := range slices.Concat(slices.Concat(s.Quantiles...), s.Mean) {
			got += v
		}
		if math.Abs(got-want) > 1e-12 {
			t.Fatalf("sum %g, want %g", got, want)
		}
		s = combine(raw, weighing{}).(*distr.Surface)
		checkOrder(t, s)
		median := 0.0 // the mean's row of every member is sorted by itself
		for _, member := range raw {
			median += float64(slices.Sorted(slices.Values(member[20:]))[2]) / 3
		}
		if math.Abs(median-s.Mean[2]) > 1e-12 {
			t.Fatalf("median of the mean %g, want %g", s.Mean[2], median)
		}
	}
}

// y -> a y + b with a > 0 does the same to a surface, with and without a network.
func TestSurfaceEquivariance(t *testing.T) {
	m := openBundle(t, surfaceBundle)
	flat := synthetic(4, 31, 3)
	clear(flat.X.Data)
	query := synthetic(5, 9, 3).X
	for name, train := range map[string]Training{"varied": synthetic(1, 40, 3), "flat": flat} {
		moved := func(a, b float64) []*distr.Surface {
			given := train
			given.Y = shifted(train.Y, b, a)
			return surfaces(results(t, fit(t, m, given), query))
		}
		base := moved(1, 0)
		for _, to := range [][2]float64{{8, 0}, {3.7, -1e4}, {1e-9, 5e-9}, {1e290, 0}} {
			for i, s := range moved(to[0], to[1]) {
				checkOrder(t, s)
				want := slices.Concat(slices.Concat(base[i].Quantiles...), base[i].Mean)
				for at, v := range slices.Concat(slices.Concat(s.Quantiles...), s.Mean) {
					if math.Abs((v-to[1])/to[0]-want[at]) > 1e-4 {
						t.Fatalf("%s, %v: row %d has %g, want %g", name, to, i,
							(v-to[1])/to[0], want[at])
					}
				}
			}
		}
	}
}

// Without features the mean has Student's t and a quantile what order statistics say of it.
func TestSurfaceAlone(t *testing.T) {
	train := synthetic(7, 41, 2)
	clear(train.X.Data)
	m := &Model{bundle: &models.Bundle{Manifest: models.Manifest{
		Limits: models.Limits{MinRows: 2, MaxRows: 99, MaxFeatures: 9}}}}
	given, err := m.admit(train)
	must.Succeed(t, err)
	s := someSurface.alone(given).(*distr.Surface)
	checkOrder(t, s)
	if s.Scale != 1 {
		t.Errorf("scale %g, where no ensemble needs calibration", s.Scale)
	}
	mean, sd := stat.MeanStdDev(train.Y, nil)
	student := distuv.StudentsT{Sigma: 1, Nu: 40}
	for j, p := range s.PosteriorLevels {
		want := mean + sd/math.Sqrt(41)*student.Quantile(p)
		if math.Abs(s.Mean[j]-want) > 1e-6 {
			t.Errorf("mean: quantile %g is %g, want %g", p, s.Mean[j], want)
		}
	}
	sorted := slices.Sorted(slices.Values(train.Y))
	for j, p := range s.PosteriorLevels {
		want := quantileRank(p, 0.5, len(sorted)).of(sorted)
		if math.Abs(s.Quantiles[2][j]-want) > 1e-6 {
			t.Errorf("median: quantile %g is %g, want %g", p, s.Quantiles[2][j], want)
		}
	}
	for i := range given.Y {
		given.Y[i] = -7
	}
	given, err = m.admit(given.Training)
	must.Succeed(t, err)
	s = someSurface.alone(given).(*distr.Surface)
	for _, v := range slices.Concat(slices.Concat(s.Quantiles...), s.Mean) {
		if v != -7 {
			t.Fatalf("constant target -7: %+v", s)
		}
	}
}

// The error of a faulty network names the network and the row.
func TestReadNamesTheRow(t *testing.T) {
	m := &Model{bundle: &models.Bundle{Manifest: models.Manifest{Name: "bad", Version: "1"}}}
	size, sound := someSurface.output().size(), []int64{1, 4, 5, 5}
	data := make([]float32, 4*size)
	data[2*size+7], data[3*size] = float32(math.NaN()), float32(math.Inf(1))
	for want, c := range map[string]struct {
		shape []int64
		rows  int
	}{
		`bad 1 fails: the output "surface" has NaN or Inf for query row 102`: {sound, 3},
		"has the shape [1 4 25] from query row 100 on, instead of [1 4 5 5]": {[]int64{1, 4, 25}, 2},
		"has the shape [1 3 5 5]": {[]int64{1, 3, 5, 5}, 2},
		"":                        {sound, 2}, // what follows is padding
	} {
		_, err := m.read(&voice{head: someSurface}, []ort.Tensor{{Shape: c.shape, Data: data}},
			block{first: 100, rows: c.rows}, 4)
		var fault *ModelError
		if want == "" && err == nil {
			continue
		}
		if !errors.As(err, &fault) || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v does not contain %q", err, want)
		}
	}
}

// surfaces are those of results.
func surfaces(rows []Result) []*distr.Surface {
	all := make([]*distr.Surface, len(rows))
	for i, r := range rows {
		all[i] = r.Own.(*distr.Surface)
	}
	return all
}

// Without own, or without the output for it, there is no posterior.
func TestResultsWithoutOwn(t *testing.T) {
	query := synthetic(2, 3, 3).X
	rows, err := fit(t, openBundle(t, surfaceBundle), synthetic(1, 40, 3)).Results(t.Context(), query,
		false)
	if err != nil || rows[2].Own != nil || rows[2].PPD == nil || rows[2].Classes != nil {
		t.Errorf("%+v, %v", rows, err)
	}
	c := fit(t, openFolder(t, tinyClassifier, Options{}), classTable(1, 20, 3, 2))
	row := results(t, c, query)[1]
	if row.Own != nil || row.PPD != nil || len(row.Classes) != 2 || c.Model().Own() {
		t.Errorf("a classifier without a posterior: %+v", row)
	}
}

// What a law leaves is not lost beside the trend in float32, and a plain member keeps its place.
func TestLittleLeftIsKept(t *testing.T) {
	law := trends{members: []memberTrend{{at: []float64{1.5}, scale: 1e-9}, {}}}
	said := [][]float32{{-1, 0, 1}, {1, 1.5, 2}}
	law.add(0, said)
	w := law.weigh(0, said)
	w.weights = []float64{0.5, 0.5}
	got := quantileHead{levels: 3}.combiner(none{}, target{})(said, w).(*distr.Quantiles).Knots
	for k, want := range []float64{1.25 - 0.5e-9, 1.5, 1.75 + 0.5e-9} {
		if math.Abs(got[k]-want) > 1e-15 {
			t.Errorf("knot %d: %v, want %v", k, got[k], want)
		}
	}
}

// A row beyond the context has a wider distribution: a normal one stays normal, and what is far
// from a narrow middle is not carried further.
func TestSpread(t *testing.T) {
	normal, narrow := make([]float64, 999), make([]float64, 999)
	for i := range normal {
		normal[i] = 2 + 0.3*distuv.UnitNormal.Quantile(float64(i+1)/1000)
		if narrow[i] = 2 + 1e-6*(normal[i]-2); i < 5 || i >= 994 {
			narrow[i] = normal[i]
		}
	}
	w := weighing{beyond: trend.Beyond{Share: 0.5, Variance: 0.04}, weights: []float64{1}}
	for _, c := range []struct {
		knots []float64
		sd    float64 // of the middle
	}{{normal, math.Sqrt(1.25*0.09 + 0.04)}, {narrow, 0.2}} {
		before := distr.NewQuantiles(slices.Clone(c.knots))
		wide := spread(before, []*distr.Quantiles{before}, w)
		for _, u := range []float64{0.05, 0.5, 0.95} {
			want := 2 + c.sd*distuv.UnitNormal.Quantile(u)
			if got := wide.Quantile(u); math.Abs(got-want) > 1e-6 {
				t.Errorf("quantile %g is %g, want %g", u, got, want)
			}
		}
		if sd := math.Sqrt(wide.Variance()); sd > 1.1*math.Sqrt(1.25*0.09+0.04) {
			t.Errorf("the standard deviation is %g", sd)
		}
	}
}
