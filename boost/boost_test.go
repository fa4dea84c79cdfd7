package boost

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/pfnamp/pfnamp/internal/matrix"
	"github.com/pfnamp/pfnamp/internal/must"
)

// simulated is a table whose target has a mean, with noise of deviation 1 or as the probability of
// the second class.
func simulated(n, d int, classes int, mean func(x []float64) float64) (t Table, means []float64) {
	r := rand.New(rand.NewPCG(1, 2))
	t = Table{X: matrix.New(n, d), Classes: classes}
	for i := range n {
		for j := range t.X.Row(i) {
			t.X.Row(i)[j] = r.Float64()
		}
		m := mean(t.X.Row(i))
		y := m + r.NormFloat64()
		if classes > 0 {
			if y = 0; r.Float64() < m {
				y = 1
			}
		}
		t.Y, means = append(t.Y, y), append(means, m)
	}
	return t, means
}

func friedman(x []float64) float64 {
	return 10*math.Sin(math.Pi*x[0]*x[1]) + 20*(x[2]-.5)*(x[2]-.5) + 10*x[3] + 5*x[4]
}

// parts divides n rows into those to read and 1,000 to hold out.
func parts(n int) (read, held []int) {
	for i := range n {
		if i < 1000 {
			held = append(held, i)
		} else {
			read = append(read, i)
		}
	}
	return read, held
}

func fit(t *testing.T, table Table) (*Forest, matrix.Matrix) {
	t.Helper()
	read, held := parts(table.X.Rows)
	f, _, err := Fit(context.Background(), table, []Fold{{read, held}}, 1000)
	must.Succeed(t, err)
	said, err := f.Beside(table.X.Take(held))
	must.Succeed(t, err)
	if table.Classes == 0 {
		for i := range said.Rows {
			said.Row(i)[table.X.Cols] *= floats.Norm(table.Y, math.Inf(1))
		}
	}
	return f, said
}

// TestFolds tells rows by trees that have not read them: these err as on new rows, and more than
// the mean of all trees, most of which have read the row.
func TestFolds(t *testing.T) {
	table, _ := simulated(1500, 8, 0, friedman)
	folds := make([]Fold, 3)
	for i := range table.Y {
		for k := range folds {
			if i%3 == k {
				folds[k].Held = append(folds[k].Held, i)
			} else {
				folds[k].Read = append(folds[k].Read, i)
			}
		}
	}
	f, told, err := Fit(context.Background(), table, folds, 1000)
	must.Succeed(t, err)
	known, err := f.Tell(table.X)
	must.Succeed(t, err)
	unit := floats.Norm(table.Y, math.Inf(1))
	floats.Scale(unit, told.Data)
	floats.Scale(unit, known.Data)
	honest, read := meanSquare(told, 0, table.Y), meanSquare(known, 0, table.Y)
	if honest < 1.5*read || honest > 10 {
		t.Errorf("%.3g is left of rows that trees have not read, and %.3g of others", honest, read)
	}
	if left := unit * f.Left; math.Abs(left*left-honest) > 1e-9 {
		t.Errorf("the square of what is left is %g, not %g", left*left, honest)
	}
}

// meanSquare returns the mean square of the difference of a score and of values.
func meanSquare(said matrix.Matrix, column int, values []float64) (sum float64) {
	for i := range said.Rows {
		d := said.Row(i)[column] - values[i]
		sum += d * d / float64(said.Rows)
	}
	return sum
}

// TestNumbers compares with the truth. scikit-learn's boosting of as many rows has the mean square
// .33 here.
func TestNumbers(t *testing.T) {
	table, means := simulated(13000, 8, 0, friedman)
	f, said := fit(t, table)
	wrong := meanSquare(said, 8, means)
	if wrong > 0.36 {
		t.Errorf("the mean square of the error is %.3f", wrong)
	}
	if told := f.Scores[0].Doubt * meanSquare(said, 8, table.Y); told < wrong/1.6 || told > 1.6*wrong {
		t.Errorf("the doubt is %.3f, and the mean square of the error %.3f", told, wrong)
	}
}

func TestCategoriesAndMissing(t *testing.T) {
	of := []float64{3, -3, 0, 2, -2, 3, -3}
	table, _ := simulated(9000, 2, 0, func(x []float64) float64 {
		x[0] = math.Floor(7 * x[0])
		if x[1] < 0.2 {
			x[1] = math.NaN()
			return of[int(x[0])] + 5
		}
		return of[int(x[0])]
	})
	table.Categorical = []bool{true, false}
	f, _ := fit(t, table)
	asked := matrix.Matrix{Rows: 4, Cols: 2, Data: []float64{1, 0.5, 5, math.NaN(), 5, 0.9, 12, 0.5}}
	said, err := f.Beside(asked)
	unit := floats.Norm(table.Y, math.Inf(1))
	must.Succeed(t, err)
	for i, want := range []float64{-3, 8, 3, 0} {
		if i == 3 { // a category that no row has: anywhere between those that have
			if v := unit * said.Row(i)[2]; math.Abs(v) > 3.3 {
				t.Errorf("a new category is predicted %.2f", v)
			}
		} else if v := unit * said.Row(i)[2]; math.Abs(v-want) > 0.3 {
			t.Errorf("row %d is predicted %.2f, want %.2f", i, v, want)
		}
	}
}

// TestMany reads a feature of 600 groups, as categories and as whole numbers. Without the means of
// groups the mean square of the error is .8.
func TestMany(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	effects := make([]float64, 600)
	for k := range effects {
		effects[k] = r.NormFloat64()
	}
	for _, categorical := range []bool{true, false} {
		table, means := simulated(13000, 2, 0, func(x []float64) float64 {
			x[0] = math.Floor(600 * x[0])
			return effects[int(x[0])] + x[1]
		})
		table.Categorical = []bool{categorical, false}
		f, said := fit(t, table)
		if wrong := meanSquare(said, 2, means); wrong > 0.12 {
			t.Errorf("categories %v: the mean square of the error is %.3f", categorical, wrong)
		}
		if len(f.Columns) != 3 || f.Columns[2].Feature != 0 || len(f.Columns[2].Means) != 601 {
			t.Errorf("the columns do not hold the means of 600 groups: %d columns", len(f.Columns))
		}
		odd, err := f.Tell(matrix.Matrix{Rows: 2, Cols: 2, Data: []float64{math.NaN(), 0.5, 1e6, 0.5}})
		if unit := floats.Norm(table.Y, math.Inf(1)); err != nil ||
			math.Abs(unit*odd.Row(0)[0]-0.5) > 0.5 || math.Abs(unit*odd.Row(1)[0]-0.5) > 0.5 {
			t.Errorf("rows of no group are told %v, %v", odd.Data, err)
		}
		if f.Columns[2].Means = f.Columns[2].Means[1:]; f.Sound(2) {
			t.Error("a forest without all means is sound")
		}
	}
}

func TestClasses(t *testing.T) {
	table, p := simulated(13000, 3, 2, func(x []float64) float64 { return 0.2 + 0.6*math.Round(x[0]) })
	f, said := fit(t, table)
	if len(f.Scores) != 1 {
		t.Fatalf("%d scores for two classes", len(f.Scores))
	}
	noise := 0.0 // of classes, about their probabilities
	for i := range said.Rows {
		said.Row(i)[3] = 1 / (1 + math.Exp(-said.Row(i)[3]))
		noise += p[i] * (1 - p[i]) / float64(said.Rows)
	}
	if left := f.Left * f.Left; math.Abs(left-noise) > 0.01 {
		t.Errorf("the square of what is left is %.4f, and of noise %.4f", left, noise)
	}
	if wrong := meanSquare(said, 3, p); wrong > 0.003 {
		t.Errorf("the mean square of the error is %.5f", wrong)
	}
	table.Classes = 3
	for i := range table.Y {
		table.Y[i] = math.Floor(3 * table.X.Row(i)[0])
	}
	f, said = fit(t, table)
	if len(f.Scores) != 3 {
		t.Fatalf("%d scores for three classes", len(f.Scores))
	}
	right := 0
	for i := range said.Rows {
		if floats.MaxIdx(said.Row(i)[3:]) == int(table.Y[i]) {
			right++
		}
	}
	if right < 985 {
		t.Errorf("%d of 1000 classes are right", right)
	}
}

// TestSame fits the same table with one goroutine, and with its rows in another order.
func TestSame(t *testing.T) {
	table, _ := simulated(4000, 4, 0, func(x []float64) float64 { return 3 * x[0] * x[1] })
	f, _ := fit(t, table)
	old := runtime.GOMAXPROCS(1)
	alone, _ := fit(t, table)
	runtime.GOMAXPROCS(old)
	order := rand.New(rand.NewPCG(3, 4)).Perm(4000)
	moved, place := Table{X: table.X.Take(order)}, make([]int, 4000)
	for to, from := range order {
		moved.Y, place[from] = append(moved.Y, table.Y[from]), to
	}
	read, held := parts(4000)
	for _, rows := range [][]int{read, held} {
		for k, row := range rows {
			rows[k] = place[row]
		}
	}
	other, _, err := Fit(context.Background(), moved, []Fold{{read, held}}, 1000)
	must.Succeed(t, err)
	first, _ := json.Marshal(f.Scores[0].Trees)
	for _, g := range []*Forest{alone, other} {
		if same, _ := json.Marshal(g.Scores[0].Trees); !reflect.DeepEqual(same, first) {
			t.Error("the trees differ")
		}
	}
	if !f.Sound(4) || f.Sound(5) {
		t.Error("a forest of another number of features is sound, or this one is not")
	}
	for _, bad := range []tree{{}, {[]split{{Column: 4}}, []float64{1, 2}},
		{[]split{{}}, []float64{1}}, {make([]split, 9), make([]float64, 512)}} {
		if (&Forest{Features: 4, Columns: f.Columns, Scores: []Score{{Trees: []tree{bad}}}}).Sound(4) {
			t.Errorf("a forest with the tree %v is sound", bad)
		}
	}
	if (&Forest{Features: 4, Columns: f.Columns, Kept: []int{1, 4}}).Sound(4) {
		t.Error("a forest that keeps a fifth feature of four is sound")
	}
	var saved Forest
	data, _ := json.Marshal(f)
	if err := json.Unmarshal(data, &saved); err != nil || !reflect.DeepEqual(&saved, f) {
		t.Errorf("a saved forest differs: %v", err)
	}
}

func TestOddTables(t *testing.T) {
	table, _ := simulated(3000, 2, 0, func(x []float64) float64 {
		x[0], x[1] = 1, math.NaN()
		return 0
	})
	f, _ := fit(t, table)
	if n := len(f.Scores[0].Trees); n != 0 {
		t.Errorf("%d trees without a feature that varies", n)
	}
	for i := range table.Y {
		table.Y[i] = 7
	}
	if _, said := fit(t, table); said.Row(0)[2] != 7 {
		t.Errorf("a constant target is predicted %g", said.Row(0)[2])
	}
	large, means := simulated(3000, 2, 0, func(x []float64) float64 { return 1e300 * x[0] })
	if _, said := fit(t, large); math.Abs(said.Row(0)[2]-means[0]) > 1e299 {
		t.Errorf("%g is predicted %g", means[0], said.Row(0)[2])
	}
	ctx, stop := context.WithCancelCause(context.Background())
	cause := errors.New("enough")
	stop(cause)
	read, held := parts(3000)
	if _, _, err := Fit(ctx, table, []Fold{{read, held}}, 1000); !errors.Is(err, cause) {
		t.Errorf("a cancelled fit returns %v", err)
	}
	if x, err := (*Forest)(nil).Beside(table.X); err != nil || x.Cols != 2 {
		t.Errorf("without a forest: %d columns, %v", x.Cols, err)
	}
}

// TestKept lets trees choose three of 40 features.
func TestKept(t *testing.T) {
	table, _ := simulated(3000, 40, 0, func(x []float64) float64 { return 5*x[7] + 9*x[30] - 7*x[12] })
	read, held := parts(3000)
	f, _, err := Fit(context.Background(), table, []Fold{{read, held}}, 4)
	if err != nil || !reflect.DeepEqual(f.Kept, []int{7, 12, 30}) {
		t.Fatalf("%v, %v", f.Kept, err)
	}
	x, err := f.Beside(table.X.Span(0, 2))
	if err != nil || x.Cols != 4 || x.Row(1)[1] != table.X.Row(1)[12] {
		t.Errorf("%v, %v", x, err)
	}
	categorical := make([]bool, 40)
	categorical[30] = true
	if got := f.Kinds(categorical); !reflect.DeepEqual(got, []bool{false, false, true, false}) {
		t.Errorf("kinds %v", got)
	}
}
