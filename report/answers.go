package report

import (
	"math"
	"slices"

	"github.com/pfnamp/pfnamp/evaluate"
	"github.com/pfnamp/pfnamp/internal/matrix"
	"github.com/pfnamp/pfnamp/internal/plain"
)

// MaxListed is the largest number of rows that a page lists and draws. If there are more, the page
// lists a random sample of MaxListed rows. Shares and errors always count all rows.
const MaxListed = 2000

// Answers collects the rows of a run for a page. Its memory is bounded, whatever the number of
// rows.
type Answers struct {
	Asked
	Kept []string // names of the columns that are passed through
	Seed uint64   // draws the sample of listed rows
	Read int      // number of rows whose label the model has read

	listed Sample
	totals totals
}

// Add counts the next row and adds it to the sample of listed rows.
func (a *Answers) Add(r Row) {
	a.totals.add(a.Asked, r)
	a.listed.Most, a.listed.Seed = MaxListed, a.Seed
	a.listed.Add(r)
}

// rowsData is Answers as the page's script reads them: by column.
type rowsData struct {
	Target      string           `json:"target"`
	Level       float64          `json:"level"`
	Posterior   string           `json:"posterior"`
	Others      []string         `json:"others"`
	Functionals []functionalData `json:"functionals"`
	Classes     []string         `json:"classes,omitempty"`
	Kept        []string         `json:"kept"`
	Levels      Numbers          `json:"levels"`

	Order []int `json:"order,omitempty"` // of classes, see Asked.Shown
	// the first kept column has dates, whose order is kept
	Dates bool        `json:"dates,omitempty"`
	At    []int64     `json:"at"`
	Cells [][]string  `json:"cells"`           // by kept column and row
	Est   [][]Numbers `json:"est"`             // by functional; point, limits, those of others; row
	Label []Numbers   `json:"label,omitempty"` // predictive limits by row
	Seen  Numbers     `json:"seen,omitempty"`  // observed labels, null if unknown
	Best  []int       `json:"best,omitempty"`
	Q     []Numbers   `json:"q,omitempty"` // quantiles by row
}

type functionalData struct {
	Name  string `json:"name"`
	Event bool   `json:"event,omitempty"`
}

func newRowsData(a *Answers) *rowsData {
	d := &rowsData{Target: plain.Text(a.Target), Level: a.Level, Posterior: a.Posterior,
		Others: append([]string{}, a.Others...), Classes: plainTexts(a.Classes),
		Kept: append([]string{}, plainTexts(a.Kept)...), Levels: QuantileLevels(),
		At: []int64{}, Cells: make([][]string, len(a.Kept))}
	for k, name := range a.Functionals {
		d.Functionals = append(d.Functionals, functionalData{plain.Text(name), a.Events[k]})
		d.Est = append(d.Est, make([]Numbers, 3+2*len(a.Others)))
	}
	if a.Classes == nil {
		d.Label = make([]Numbers, 2)
	}
	rows := a.listed.Rows()
	d.Dates = dated(rows)
	if a.Classes != nil {
		d.Order = a.Shown(rows)
	}
	for _, r := range rows {
		d.add(r)
		if a.totals.Rows > 0 || a.Read > 0 {
			d.Seen = append(d.Seen, r.Label)
		}
	}
	return d
}

// Shown lists the functionals that figures and pages show: numbers as they are, classes by the
// number of rows in which each is the most probable one. Of two classes it lists the second, as the
// other one's probability is 1 minus it.
func (a Asked) Shown(rows []Row) []int {
	order, often := matrix.Upto(len(a.Functionals)), make([]int, len(a.Functionals))
	if len(a.Classes) == 2 {
		return order[1:]
	}
	for _, r := range rows {
		often[r.Best]++
	}
	if a.Classes != nil {
		slices.SortStableFunc(order, func(a, b int) int { return often[b] - often[a] })
	}
	return order
}

func (d *rowsData) add(r Row) {
	d.At = append(d.At, r.At)
	for k, cell := range r.Kept {
		d.Cells[k] = append(d.Cells[k], plain.Text(cell))
	}
	for k, e := range r.Estimates {
		numbers := []float64{e.Point, e.Lo, e.Hi}
		for _, other := range e.Others {
			numbers = append(numbers, other[0], other[1])
		}
		for part, v := range numbers {
			d.Est[k][part] = append(d.Est[k][part], v)
		}
	}
	if d.Classes != nil {
		d.Best = append(d.Best, r.Best)
		return
	}
	d.Label[0] = append(d.Label[0], r.LabelLo)
	d.Label[1] = append(d.Label[1], r.LabelHi)
	d.Q = append(d.Q, r.Quantiles)
}

// widths lists the widths of the intervals of the listed rows, where they are numbers.
func (a *Answers) widths(of func(Row) float64) []float64 {
	var all []float64
	for _, r := range a.listed.kept {
		if w := of(r); !math.IsNaN(w) && !math.IsInf(w, 0) {
			all = append(all, w)
		}
	}
	slices.Sort(all)
	return all
}

// pitBins is the number of columns of a PIT histogram.
const pitBins = 10

// totals counts over all rows of a run.
type totals struct {
	rows int
	evaluate.Labelled
	pit     [pitBins]int
	central [19]int // labels inside the central interval of level (i+1)/20

	// sum of the probabilities of the most probable class, where labels are known
	sure        float64
	classes     [pitBins]int // labels by probability of the most probable class
	classesTrue [pitBins]int // those that are that class
}

func (t *totals) add(asked Asked, r Row) {
	t.rows++
	if math.IsNaN(r.Label) || r.Read {
		return
	}
	if asked.Classes != nil {
		t.addClass(r)
		return
	}
	t.Add(r.Label, r.Mean, r.CRPS, evaluate.Interval{Lo: r.LabelLo, Hi: r.LabelHi})
	t.pit[bin(r.PIT)]++
	for i := range t.central {
		if math.Abs(r.PIT-0.5) <= float64(i+1)/40 {
			t.central[i]++
		}
	}
}

func (t *totals) addClass(r Row) {
	probabilities := make([]float64, len(r.Estimates))
	for k, e := range r.Estimates {
		probabilities[k] = e.Point
	}
	t.AddClass(probabilities, r.Best, int(r.Label))
	best := probabilities[r.Best]
	t.sure += best
	t.classes[bin(best)]++
	if int(r.Label) == r.Best {
		t.classesTrue[bin(best)]++
	}
}

func bin(p float64) int { return max(0, min(pitBins-1, int(p*pitBins))) }
