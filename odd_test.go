package pfnamp

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp/warning"
)

// Odd warns of query rows that are rows of the context or far from it, and of no others.
func TestOdd(t *testing.T) {
	p := prepare(t, fit(t, opened(t, ""), FitOptions{Target: "y", Ignore: []string{"kind"}}),
		Question{Chains: 2, Steps: 1})
	odd := func(rows []map[string]any) string {
		a := ask(t, p, rows)
		var texts []string
		for _, w := range p.Warnings(a.Tally) {
			texts = append(texts, w.String())
		}
		return strings.Join(texts, "; ")
	}
	inside := []map[string]any{{"area": 30.5, "town": "Bath"}, {"area": 31.5, "town": "Hull"}}
	if got := odd(inside); got != "" {
		t.Errorf("usual rows: %s", got)
	}
	inside[1]["area"] = 90.0
	want := `column "area": 1 of 2 rows (50 %) outside the range of flats, 20 to 56: the network ` +
		"extrapolates there"
	if got := odd(inside); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	few := warning.Tally{Counted: 60, Outside: map[string]int{"area": 3}}
	if got := p.Warnings(few); len(got) != 0 {
		t.Errorf("3 of 60 cells: %v", got)
	}
	if got := p.Warnings(warning.Tally{}); got != nil {
		t.Errorf("no rows: %v", got)
	}
	// The rows of flats repeat themselves.
	if got := ask(t, p, flats(20)).Tally.Known; got != 0 {
		t.Errorf("%d known rows of a context that has rows twice", got)
	}
	rows := flats(20)
	for i := range rows {
		rows[i]["area"] = float64(20 + i)
	}
	f := fitRows(t, p.Fitted().Model(), "few", rows,
		FitOptions{Target: "y", Ignore: []string{"kind"}, KeepFeatures: []string{"area"}})
	p = prepare(t, f, Question{Chains: 2, Steps: 1})
	if got := odd(rows); !strings.HasPrefix(got, "20 of 20 rows have the features of a row of few: ") {
		t.Errorf("the context itself: %s", got)
	}
	rows = append([]map[string]any{{"area": 20.5}, {"area": 21.5}, {"area": 22.5}}, rows[:2]...)
	if got := odd(rows); got != "" {
		t.Errorf("2 of 5 known rows: %s", got)
	}
	if got := fmt.Sprint(ask(t, p, rows).Tally.Known); got != "2" {
		t.Errorf("%s known rows of 2", got)
	}
}
