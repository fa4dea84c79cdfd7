package trend

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/pfnamp/pfnamp/internal/matrix"
	"github.com/pfnamp/pfnamp/internal/must"
)

// groupsTable has a category of six levels, years that come again and a number, and a target in
// which every level and, with numbers, every year has an effect of its own.
func groupsTable(n int, numbers float64) (Features, []float64) {
	r := rand.New(rand.NewPCG(7, uint64(n)))
	z, y := matrix.New(n, 3), make([]float64, n)
	effects := []float64{1, -2, 0.5, 2, -1, 0}
	years := []float64{0.6, -1, 1.1, -0.4, 0.9}
	for i := range y {
		group, year := r.IntN(6), r.IntN(5)
		copy(z.Row(i), []float64{float64(group), float64(year) / 2, r.NormFloat64()})
		y[i] = effects[group] + numbers*years[year] + 0.5*z.Row(i)[2] + 0.1*r.NormFloat64()
	}
	return Features{Matrix: z, Words: 1}, scores(y)
}

func TestLevelsOfCategoriesAndNumbers(t *testing.T) {
	z, _ := groupsTable(90, 0)
	for numbers, want := range map[int]int{0: 6, numberRows: 11} {
		l := findLevels(z.Matrix, z.Words, numbers, 400)
		if len(l.Columns) != want {
			t.Fatalf("numbers %v: %d levels", numbers, len(l.Columns))
		}
		shown := l.of(z.Matrix)
		if shown.Cols != 2+want {
			t.Errorf("%d columns for %d levels: the codes of the category are left out", shown.Cols, want)
		}
		for i := range shown.Rows {
			row, from := shown.Row(i), z.Row(i)
			if row[0] != from[1] || row[1] != from[2] || row[2+int(from[0])] != 1 {
				t.Fatalf("row %d is %v, its features %v", i, row, from)
			}
		}
	}
	if l := findLevels(z.Matrix, 0, 0, 400); l != nil {
		t.Errorf("levels %v without categories", l)
	}
}

// Of too many levels those of the most rows stay, and a category without any keeps its codes. A
// column that divides the rows as an earlier one does adds no levels.
func TestFewLevels(t *testing.T) {
	z := matrix.New(40, 3)
	at := 0
	for level, n := range []int{5, 12, 8, 3, 8, 4} {
		for range n {
			copy(z.Row(at), []float64{float64(level), float64(at), math.Exp(-float64(level))})
			at++
		}
	}
	for most, want := range map[int][]float64{400: {0, 1, 2, 3, 4, 5}, 4: {0, 1, 2, 4}, 2: {1}} {
		l := findLevels(z, 3, 0, most)
		if !slices.Equal(l.Values, want) {
			t.Errorf("at most %d levels: %v, want %v: equal ones stay together", most, l.Values, want)
		}
		if kept := l.kept(3); !slices.Equal(kept, []int{1, 2}) {
			t.Errorf("columns %v are read as they are: all but that of the levels", kept)
		}
	}
	if l := findLevels(z.Span(0, 10), 2, 0, 400); l != nil {
		t.Errorf("levels %v of two values", l)
	}
}

// A line has the levels that leave the least, and none where they are noise or it follows a law.
func TestLinesWithLevels(t *testing.T) {
	for _, c := range []struct {
		numbers float64
		want    int
	}{{0, 6}, {2, 11}} {
		z, y := groupsTable(120, c.numbers)
		s, lesson := Fit([]string{Linear}, z, y, 0)
		line, _ := fitLine(z.Matrix, nil, y)
		if got := s.By[Linear].Levels; got == nil || len(got.Columns) != c.want {
			t.Fatalf("effects of numbers %g: levels %v, want %d", c.numbers, got, c.want)
		}
		if s.By[Linear].Scale > 0.3*line.Scale {
			t.Errorf("effects of numbers %g: %g is left, without levels %g",
				c.numbers, s.By[Linear].Scale, line.Scale)
		}
		if sd := deviationOf(lesson.Left[Linear]); math.Abs(sd-1) > 1e-6 {
			t.Errorf("members read a target with the deviation %g", sd)
		}
	}
	z, _ := groupsTable(120, 0)
	for _, noise := range []float64{0, 1} {
		r, y := rand.New(rand.NewPCG(9, 9)), z.Column(nil, 2)
		for i := range y {
			y[i] += noise * r.NormFloat64()
		}
		if s, _ := Fit([]string{Linear}, z, scores(y), 0); s.By[Linear].Levels != nil {
			t.Errorf("noise %g: a line without effects of levels has levels", noise)
		}
	}
}

func deviationOf(v []float32) float64 {
	wide := make([]float64, len(v))
	for i, x := range v {
		wide[i] = float64(x)
	}
	return stat.PopStdDev(wide, nil)
}

// A kernel sees that levels are equal or not, which codes do not tell, also after a state.
// A row of a new level is as far as its other features say.
func TestKernelWithLevels(t *testing.T) {
	z, y := groupsTable(150, 0)
	for i := range y {
		y[i] += math.Cos(3*z.Row(i)[2]) * float64(int(z.Row(i)[0])%2)
	}
	y = scores(y)
	fitted, _ := Fit(kinds, z, y, 0)
	kernel := fitted.By[Kernel]
	if kernel == nil || kernel.Levels == nil || fitted.Reach.Levels == nil {
		t.Fatal("the kernel has no levels")
	}
	codes, _ := Fit(kinds, Features{Matrix: z.Matrix}, y, 0)
	if plain := codes.By[Kernel]; plain != nil && kernel.Scale > 0.8*plain.Scale {
		t.Errorf("with levels %g is left, with codes %g", kernel.Scale, plain.Scale)
	}
	restored := stored(t, fitted)
	rows := matrix.New(3, 3)
	copy(rows.Data, []float64{2, 1, 0.5, -7, 1, 0.5, 2, 1, 40})
	want, got := fitted.Along(rows), restored.Along(rows)
	for kind := range want.At {
		if !slices.Equal(want.At[kind], got.At[kind]) {
			t.Errorf("the trend %s of a state differs", kind)
		}
	}
	if want.Beyond[0].Variance != 0 || !(want.Beyond[2].Variance > 0) {
		t.Errorf("a row within the context and one beyond: %v", want.Beyond)
	}
	held, _, _ := fitted.Reach.hold(rows)
	if held.Row(2)[0] != 2 || !(held.Row(2)[2] < 10) {
		t.Errorf("the row beyond is held at %v: its category stays", held.Row(2))
	}
}

// Shares of classes have levels where these tell the classes.
func TestSharesWithLevels(t *testing.T) {
	z, y := groupsTable(160, 0)
	classes := classesOf(y, 3)
	codes := newLearner(z.Matrix, nil, nil).shares(centredShares(classes, 3))
	lines := fitShares(Linear, z, classes, 3)
	if lines.trend.Levels == nil || lines.left > 0.9*codes.left {
		t.Errorf("levels %v leave %g, codes %g", lines.trend.Levels, lines.left, codes.left)
	}
}

// People who are in two rows have levels where these tell the class, and then log odds have them.
func TestLevelsOfPairs(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 9))
	z, told, noise := matrix.New(120, 2), make([]float64, 120), make([]float64, 120)
	for i := range told {
		copy(z.Row(i), []float64{float64(i / 2), r.NormFloat64()})
		told[i], noise[i] = float64((i/2*7)%5/3), float64(r.IntN(2))
	}
	for _, c := range []struct {
		y    []float64
		want int // levels
	}{{told, 60}, {noise, 0}} {
		line := fitShares(Linear, Features{Matrix: z}, c.y, 2).trend
		odds, _ := fitOdds(Features{Matrix: z}, c.y, 2, line.Levels)
		for _, trend := range []*Trend{line, odds} {
			if read := len(trend.Weights[0]) - z.Cols; read != c.want {
				t.Errorf("%d levels, want %d", read, c.want)
			}
		}
	}
}

// The doubt about an effect is its posterior variance in a linear model with normal effects, here
// by the inverse of its whole matrix; that of a level without context rows is the variance of the
// others.
func TestDoubtOfLevels(t *testing.T) {
	z, y := groupsTable(90, 0)
	z.Matrix = z.Take(slices.Repeat([]int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, 9))
	z.Matrix = z.Pick([]int{0})
	levels := findLevels(z.Matrix, 1, 0, lineLevels)
	l := newLearner(z.Matrix, levels, nil)
	fit, _ := l.learn(y)
	l.doubtLevels(fit, 1)
	shown := levels.of(z.Matrix)
	x := mat.NewDense(shown.Rows, shown.Cols, shown.Data)
	var gram, inverse mat.Dense
	gram.Mul(x.T(), x)
	for k := range shown.Cols {
		gram.Set(k, k, gram.At(k, k)+fit.penalty)
	}
	must.Succeed(t, inverse.Inverse(&gram))
	asked := matrix.Matrix{Rows: shown.Cols + 1, Cols: 1,
		Data: append(slices.Clone(levels.Values), 99)}
	got := levels.Variances(asked)
	for k := range shown.Cols {
		if want := fit.noise * inverse.At(k, k); math.Abs(got[k]/want-1) > 1e-9 {
			t.Errorf("level %d: %g, want %g", k, got[k], want)
		}
	}
	effects := fit.slope[shown.Cols-len(levels.Columns):]
	if want := stat.Mean(got[:shown.Cols], nil) + stat.PopVariance(effects, nil); math.Abs(
		got[shown.Cols]/want-1) > 1e-9 {
		t.Errorf("another level: %g, want %g", got[shown.Cols], want)
	}
}

// Another value of a column is as doubtful as the effects of that column are large, whatever those
// of other columns are.
func TestDoubtOfAnotherValue(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 8))
	z, y := matrix.New(200, 2), make([]float64, 200)
	for i := range y {
		copy(z.Row(i), []float64{float64(i % 5), float64(r.IntN(4))})
		y[i] = float64(i%5*i%5) + 0.01*z.Row(i)[1] + 0.001*r.NormFloat64()
	}
	line, _ := fitLine(z, findLevels(z, 2, 0, lineLevels), scores(y))
	asked := matrix.Matrix{Rows: 3, Cols: 2, Data: []float64{1, 1, 9, 1, 1, 9}}
	doubts := line.Levels.Variances(asked)
	if doubts[0] > 1e-5 || doubts[1] < 0.3 || doubts[2] > 1e-3 || doubts[2] < 2*doubts[0] {
		t.Errorf("doubts %v of known values, and of another one in each column", doubts)
	}
}
