package pfnamp

import (
	"fmt"
	"math"
	"testing"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/internal/matrix"
)

// jump is fitted to a step, near which the outputs of the network contradict each other.
func jump(t *testing.T) *Fitted {
	t.Helper()
	rows := make([]map[string]any, 60)
	for i := range rows {
		rows[i] = map[string]any{"x": float64(i*i%61 - 30), "y": 0}
		if i*i%61 > 30 {
			rows[i]["y"] = 1000
		}
	}
	return fitRows(t, opened(t, ""), "jump", rows,
		FitOptions{Target: "y", Values: &amp.Support{}}) // any number, as the step has two values
}

// Posteriors that are asked for together say what each says alone, in any order, where Auto falls
// back too; and coupled rows have the draws of the first one.
func TestFallBackOfAutoAlone(t *testing.T) {
	f := jump(t)
	var rows []map[string]any
	for x := -30; x <= 30; x += 2 {
		rows = append(rows, map[string]any{"x": x})
	}
	alone := map[Posterior]*Answer{}
	for _, p := range []Posterior{Auto, Direct} {
		alone[p] = ask(t, prepare(t, f, Question{Posteriors: []Posterior{p}, Chains: 100}), rows)
	}
	if n := alone[Auto].Tally.FellBack; n == 0 || n == len(rows) || alone[Direct].Tally.FellBack != 0 {
		t.Fatalf("%d of %d rows fell back", n, len(rows))
	}
	same := func(a, b []amp.Estimate) bool { return fmt.Sprint(a) == fmt.Sprint(b) }
	for _, order := range [][]Posterior{{Auto, Direct}, {Direct, Auto}} {
		p := prepare(t, f, Question{Posteriors: order, Chains: 100})
		a := ask(t, p, rows)
		if !same(a.Posteriors[0].Estimates[0], alone[order[0]].Posteriors[0].Estimates[0]) ||
			!same(a.Posteriors[1].Estimates[0], alone[order[1]].Posteriors[0].Estimates[0]) ||
			a.Tally.FellBack != alone[Auto].Tally.FellBack {
			t.Errorf("%v: another answer than each gives alone", order)
		}
		ranks := matrix.Upto(p.Question().Draws())
		for i, e := range a.Posteriors[0].Estimates[0] {
			draws := p.Draws(a, i, [][]int{ranks})
			lo, hi := amp.CredibleInterval(draws[0], 0.9, amp.EqualTailed)
			if tolerance := 0.3 * (e.Hi - e.Lo); math.Abs(lo-e.Lo) > tolerance ||
				math.Abs(hi-e.Hi) > tolerance {
				t.Errorf("%v, row %d: %v to %v of draws, %+v alone", order, i, lo, hi, e)
			}
		}
	}
}
