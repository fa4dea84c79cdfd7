package pfnamp

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"testing"

	"github.com/pfnamp/pfnamp/internal/must"
)

// encode encodes rows that cannot fail.
func encode(t *testing.T, p *Predictor, rows any) *Query {
	t.Helper()
	table := tableOf(t, "rows", rows)
	q, err := p.Encode(table.Batches[0])
	must.Succeed(t, err)
	return q
}

// Queries that are answered together have the bits, counts and warnings that each has alone, of
// numbers and of classes.
func TestQueriesTogether(t *testing.T) {
	for name, opt := range map[string]FitOptions{
		"":                        {Target: "y", Ignore: []string{"kind"}},
		"testdata/tabicl-classes": {Target: "kind", Ignore: []string{"y"}},
	} {
		f := fit(t, opened(t, name), opt)
		p := prepare(t, f, Question{Chains: 40, Posteriors: []Posterior{Limit, Paper}})
		rows := flats(12)
		rows[5]["town"], rows[7]["area"], rows[8]["area"] = "Atlantis", nil, math.NaN()
		parts := [][]map[string]any{rows[:1], rows[1:7], rows[7:8], rows[8:]}
		var queries []*Query
		for _, part := range parts {
			queries = append(queries, encode(t, p, part))
		}
		answers, err := p.Answers(t.Context(), queries...)
		must.Succeed(t, err)
		for i, part := range parts {
			sameAnswer(t, p, answers[i], ask(t, p, part))
		}
	}
}

// sameAnswer compares two answers by their records and what they tell besides.
func sameAnswer(t *testing.T, p *Predictor, got, want *Answer) {
	t.Helper()
	a, err := p.Record(got)
	b, err2 := p.Record(want)
	must.Succeed(t, errors.Join(err, err2))
	if a.NumRows() != b.NumRows() || fmt.Sprint(a.Columns()) != fmt.Sprint(b.Columns()) {
		t.Errorf("got\n%v\nwant\n%v", a, b)
	}
	if !reflect.DeepEqual(got.Tally, want.Tally) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
	for i, estimates := range want.Posteriors[0].Estimates {
		for row, e := range estimates {
			if g := got.Posteriors[0].Estimates[i][row]; math.Float64bits(g.Lo) != math.Float64bits(e.Lo) {
				t.Errorf("row %d: %v, want %v", row, g.Lo, e.Lo)
			}
		}
	}
}

// Pointers to structs are rows as the structs are; no rows have no answer, and no error.
func TestRowsOfPointersAndNone(t *testing.T) {
	type flat struct {
		Area float64 `pfnamp:"area"`
		Town string  `pfnamp:"town"`
	}
	f := fit(t, opened(t, "testdata/tiny"), FitOptions{Target: "y", Ignore: []string{"kind"}})
	p := prepare(t, f, Question{Chains: 50})
	structs := []flat{{40, "Bath"}, {50, "York"}}
	want, err := p.Rows(t.Context(), structs)
	must.Succeed(t, err)
	got, err := p.Rows(t.Context(), []*flat{&structs[0], &structs[1]})
	if err != nil || !reflect.DeepEqual(got.Predictive, want.Predictive) {
		t.Errorf("%v %v, want %v", err, got, want.Predictive)
	}
	for _, none := range []any{[]map[string]any{}, []map[string]any(nil), []flat{}, []*flat{}} {
		if a, err := p.Rows(t.Context(), none); err != nil || a.Rows() != 0 {
			t.Errorf("%T: %v", none, err)
		}
	}
}
