package predict

import (
	"io"
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/joint"
)

// outsideJob is a run about the mean under two posteriors, whose notes go nowhere.
func outsideJob() *predictJob {
	j := &predictJob{}
	j.Std.Err, j.From.Quiet = io.Discard, true
	j.Layout.Names = []string{"mean"}
	j.Question = pfnamp.Question{Functionals: []amp.Functional{amp.Mean{}}, Level: 0.9, Chains: 40,
		Steps: 5, Posteriors: []pfnamp.Posterior{pfnamp.Paper, pfnamp.Auto}}
	j.counts = &counters{job: j, rows: 60}
	return j
}

// One point in sixty outside its interval is noted, of every posterior; none is not.
func TestPointsOutsideAreNoted(t *testing.T) {
	j := outsideJob()
	inside := make([]amp.Estimate, 60)
	for i := range inside {
		inside[i] = amp.Estimate{Point: 1, Lo: 0, Hi: 2}
	}
	other := append([]amp.Estimate{{Lo: 1.5, Hi: 2}}, inside[1:]...)
	a := &pfnamp.Answer{Posteriors: []pfnamp.Estimated{
		{Name: pfnamp.Paper, Estimates: [][]amp.Estimate{inside}},
		{Name: pfnamp.Auto, Estimates: [][]amp.Estimate{other}}}}
	j.counts.countOutside(a)
	j.counts.noteOutside()
	if len(j.Said) != 1 || !strings.Contains(j.Said[0],
		"mean: the point estimate is outside its credible interval of posterior auto in 1 of 60 rows") {
		t.Errorf("notes %q", j.Said)
	}
}

// So is one average, or contrast, of several.
func TestAveragesOutsideAreNoted(t *testing.T) {
	j := outsideJob()
	j.joint.summary = "s.csv"
	contrast, err := joint.ParseContrast("row 1 - row 2", false)
	must.Succeed(t, err)
	a := &jointAverages{Averages: joint.NewAverages("", []joint.Contrast{contrast}),
		job: j}
	draws := []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
	for _, point := range []float64{9, 2} {
		row := joint.Row{Points: []float64{point}, Together: [][]float64{draws}}
		row.Draws = row.Together
		must.Succeed(t, a.Add("", row))
	}
	list, err := a.Effects()
	must.Succeed(t, err)
	a.noteOutside(list) // the contrast is 7, and all its draws are 0
	if len(j.Said) != 1 || !strings.Contains(j.Said[0], "in 1 of 2 lines of s.csv") {
		t.Errorf("notes %q", j.Said)
	}
}
