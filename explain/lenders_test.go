package explain

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/pfn"
)

// seen is a score that keeps the rows that the network is asked.
type seen struct {
	crpsScore
	rows *[]pfn.Matrix
}

func (s seen) predict(ctx context.Context, c *pfn.Context, x pfn.Matrix) ([]amp.PPD, error) {
	*s.rows = append(*s.rows, x)
	return s.crpsScore.predict(ctx, c, x)
}

// Cells of held rows are replaced by cells of rows that the model has read, never by those of held
// rows: all rows of one town are held.
func TestHeldRowsLendNothing(t *testing.T) {
	type row struct {
		Town string
		A, Y float64
	}
	rows, held, others := make([]row, 30), []int{}, []int{}
	for i := range rows {
		rows[i] = row{[]string{"York", "Bath", "Hull"}[i%3], 0.5 + float64(i*i%13), float64(i * 11 % 30)}
	}
	f, asked := fitted(t, "", rows), []pfn.Matrix{}
	m := &measuring{model: f.Model(), rows: f.ContextRows(), draws: 8,
		options: ImportanceOptions{}.complete(), score: seen{crpsScore{f.Support()}, &asked}}
	town := slices.Index(m.rows.Categorical, true)
	away := m.rows.X.Row(0)[town]
	for i := range 30 {
		if m.rows.X.Row(i)[town] == away {
			held = append(held, i)
		} else {
			others = append(others, i)
		}
	}
	m.groups = []group{{features: []int{town}}}
	m.prepare()
	must.Succeed(t, m.fold(t.Context(), held, others))
	if len(asked) != 2 || asked[0].Row(0)[town] != away || asked[1].Rows <= len(held) {
		t.Fatalf("the network is asked %d times", len(asked))
	}
	for i := range asked[1].Rows {
		if asked[1].Row(i)[town] == away {
			t.Error("a row that was not read lends its cell")
		}
	}
}

// Missing cells of a column are left to the network from 5 % on.
func TestOftenMissing(t *testing.T) {
	for rows, often := range map[int]bool{19: true, 20: true, 21: false} {
		x := pfn.Matrix{Rows: rows, Cols: 1, Data: make([]float64, rows)}
		for i := range x.Data {
			x.Data[i] = float64(i)
		}
		x.Data[3] = math.NaN()
		m := &measuring{}
		if got := m.lenders(pfn.Training{X: x, Y: make([]float64, rows)}).often[0]; got != often {
			t.Errorf("1 of %d cells is missing: often is %v", rows, got)
		}
	}
}
