package check

import (
	"fmt"
	"math"
	"testing"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/internal/must"
)

// judged is a report on labels alone.
func judged(t *testing.T, f *pfnamp.Fitted, rows []map[string]any) (r Report) {
	t.Helper()
	must.Succeed(t, r.JudgeLabels(t.Context(), f, batchOf(t, f.Schema(), rows), 0.9, 1))
	return r
}

// Labels that come from where those of the context came from do not let the bet grow, and others
// do; coverage, score and their values at the fit tell the same.
func TestJudgeLabels(t *testing.T) {
	f := fit(t, "tiny", "price", houses(1, 120, 0))
	judge := func(rows []map[string]any) *Labels { return judged(t, f, rows).Judged }
	like, other := houses(2, 80, 0), houses(2, 80, 0)
	for _, row := range other {
		row["price"] = row["price"].(float64) + 200
	}
	same, moved := judge(like), judge(other)
	if same.Rows != 80 || same.Metric != "CRPS" || same.Accuracy != nil {
		t.Errorf("%+v", same)
	}
	if m := same.Martingale; !(m >= 1 && m < 20) {
		t.Errorf("labels that are alike: martingale %v", m)
	}
	if m := moved.Martingale; !(m > 1000) {
		t.Errorf("labels that are not: martingale %v", m)
	}
	if c := same.Coverage; !(c.Lo <= c.Value && c.Value <= c.Hi && c.Lo > 0.5) {
		t.Errorf("coverage of labels that are alike: %+v", c)
	}
	if same.ScoreAtFit != moved.ScoreAtFit || !(moved.Score > 2*moved.ScoreAtFit) ||
		!(math.Abs(float64(same.Score/same.ScoreAtFit)-1) < 0.3) {
		t.Errorf("scores: %+v, %+v", same, moved)
	}
	// rows that the model has read would look too good
	both := judged(t, f, append(houses(1, 50, 0), like...))
	if own := judged(t, f, houses(1, 120, 0)); own.Read != 120 || own.Judged != nil ||
		both.Read != 50 || both.Judged.Score != same.Score || both.Judged.Martingale != same.Martingale {
		t.Errorf("%d of 120 rows and %d of 50 were read: %+v", own.Read, both.Read, both.Judged)
	}
	for _, row := range like {
		delete(row, "price")
	}
	if l := judge(like); l != nil {
		t.Errorf("a batch without labels: %+v", l)
	}
}

// Classes have an accuracy and the log loss.
func TestJudgeClasses(t *testing.T) {
	f := fit(t, "tabicl-classes", "kind", houses(1, 120, 0))
	rows := houses(2, 60, 0)
	rows[0]["kind"], rows[1]["kind"] = "castle", "hut"
	r := judged(t, f, rows)
	l := r.Judged
	if l.Metric != "log loss" || l.Coverage != nil || !(l.Accuracy.Lo < l.Accuracy.Value) {
		t.Errorf("%+v", l)
	}
	if l.New != 2 || r.Figure("new_labels") != 2/float64(l.Rows) || l.Rows < 50 {
		t.Errorf("%d of %d labels are new", l.New, l.Rows)
	}
	// no column tells the kind
	if !(l.Score > 1.5 && l.Score < 3) || !(l.ScoreAtFit > 0.5 && l.ScoreAtFit < 1.5) {
		t.Errorf("log loss %v, at the fit %v", l.Score, l.ScoreAtFit)
	}
}

// In the order of time the score at the fit is that of the rows that a model of the past predicts;
// by group every row is predicted by a model that has not read its group.
func TestDivided(t *testing.T) {
	rows := houses(1, 120, 0)
	for i, row := range rows {
		row["day"], row["site"] = float64(i), fmt.Sprint("s", i/30)
	}
	for _, opt := range []pfnamp.FitOptions{{Time: "day"}, {Group: "site"}} {
		opt.Target, opt.Ignore = "price", []string{"kind", "day", "site"}
		f := fitBy(t, "tiny", rows, opt)
		b := batchOf(t, f.Schema(), houses(2, 40, 0))
		c, err := f.CheckLabels(t.Context(), b.Matrix, b.Labels, 0.9, 1)
		must.Succeed(t, err)
		held := map[string]int{"day": 100, "site": 120}[opt.Time+opt.Group]
		if len(c.Context) != held || len(c.ContextHit) != held {
			t.Errorf("%+v: %d rows are predicted, want %d", opt, len(c.Context), held)
		}
		for i, score := range c.Context {
			if !(score > 0) {
				t.Errorf("row %d has the score %v", i, score)
			}
		}
		if n := len(c.Calibration); n != map[string]int{"day": 20, "site": 30}[opt.Time+opt.Group] {
			t.Errorf("%+v: %d rows of calibration", opt, n)
		}
	}
}

// Intervals of a whole target are the whole numbers of answers.
func TestWholeLabels(t *testing.T) {
	rows, batch := houses(1, 120, 0), houses(2, 60, 0)
	for _, row := range append(rows, batch...) {
		row["price"] = math.Round(row["price"].(float64) / 10)
	}
	f := fit(t, "tiny", "price", rows)
	p, err := f.Prepare(t.Context(), pfnamp.Question{Level: 0.5})
	must.Succeed(t, err)
	defer p.Close()
	a, err := p.Rows(t.Context(), batch)
	must.Succeed(t, err)
	var r Report
	must.Succeed(t, r.JudgeLabels(t.Context(), f, batchOf(t, f.Schema(), batch), 0.5, 1))
	inside, left := 0.0, 0
	for i, in := range a.Predictive {
		if y := batch[i]["price"].(float64); p.Read(a, i, y) {
			left++
		} else if in.Lo <= y && y <= in.Hi {
			inside++
		}
	}
	near(t, "coverage", float64(r.Judged.Coverage.Value), inside/float64(len(batch)-left))
	if r.Read != left || f.Support().Any() {
		t.Errorf("%d rows were read, want %d; the labels are %v", r.Read, left, f.Support())
	}
}
