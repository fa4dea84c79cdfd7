package pfnamp

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/internal/panics"
	"github.com/pfnamp/pfnamp/internal/rows"
)

// labelStream is the random stream that draws labels.
const labelStream = 0x4c61_6265_6c73_0001

// MostSamples is the largest Question.Samples.
const MostSamples = 100_000

// checkLabel checks what a question asks of the distribution of the label itself.
func (q Question) checkLabel(task Task) error {
	switch {
	case q.Samples < 0 || q.Samples > MostSamples:
		return optionError("Samples", "samples are %d: give 0 to %d", q.Samples, MostSamples)
	case slices.Contains(q.Label, nil):
		return optionError("Label", "a statistic of the label is nil")
	case q.Predictive == ConformalInterval && (q.Label != nil || q.Samples > 0):
		return optionError("Predictive", "conformal intervals hold for one level, and tell no "+
			"distribution of the label: ask for Label and Samples with Predictive %s", PPDInterval)
	}
	return task.checkLabel(q)
}

// checkDense refuses densities of labels that are whole numbers.
func (q Question) checkDense(s amp.Support) error {
	for _, statistic := range q.Label {
		if d, ok := statistic.(amp.Density); ok && !s.Dense() {
			event := amp.Probability{Lo: d.At - 0.5, Hi: d.At + 0.5}
			return optionError("Label", "%s: the labels are whole numbers, which have probabilities and no "+
				"density: ask for %s", d, event)
		}
	}
	return nil
}

// describeLabels fills in what the question asks of the distribution of the label itself.
func (p *Predictor) describeLabels(a *Answer, first int64) error {
	q := p.question
	if q.Label == nil && q.Samples == 0 {
		return nil
	}
	a.Label = make([][]float64, len(q.Label))
	for s := range a.Label {
		a.Label[s] = make([]float64, a.Rows())
	}
	if q.Samples > 0 {
		a.Samples = make([][]float64, a.Rows())
	}
	return panics.Each(a.Rows(), func(i int) {
		ppd := a.Predictions[i].PPD
		for s, statistic := range q.Label {
			a.Label[s][i] = statistic.Point(ppd)
		}
		if q.Samples > 0 {
			a.Samples[i] = drawLabels(ppd, q.Samples, q.Seed, rows.Hash(a.x, i)+uint64(first)+uint64(i))
		}
	})
}

// drawLabels draws independent labels. Rows are told apart by what they hold and by their number,
// so that the draws do not depend on batches, shards and workers.
func drawLabels(ppd amp.PPD, n int, seed, row uint64) []float64 {
	random := rand.New(rand.NewPCG(seed^labelStream, row))
	labels := make([]float64, n)
	for i := range labels {
		u := random.Float64()
		for u == 0 {
			u = random.Float64()
		}
		labels[i] = ppd.Quantile(u)
	}
	return labels
}

// SampleColumn is the name of the column of a drawn label, from 1.
func SampleColumn(number int) string { return fmt.Sprintf("sample_%d", number) }

// labelColumns are the columns about the distribution of the label itself.
func (l Layout) labelColumns() (columns []column) {
	for s, statistic := range l.Label {
		columns = append(columns, numberColumn("ppd_"+statistic,
			func(a *Answer, row int) float64 { return a.Label[s][row] }))
	}
	for s := range l.Samples {
		columns = append(columns, column{SampleColumn(s + 1), l.SampleType(),
			func(a *Answer) (arrow.Array, error) {
				return l.SampleArray(a.Rows(), func(i int) float64 { return a.Samples[i][s] })
			}})
	}
	return columns
}

// SampleType is the type of drawn labels: that of the labels for classes, otherwise float64.
func (l Layout) SampleType() arrow.DataType { return taskOf(l.Labels).cell() }

// SampleArray is a column of drawn labels, which are numbers of classes if there are classes.
func (l Layout) SampleArray(n int, label func(i int) float64) (arrow.Array, error) {
	return taskOf(l.Labels).cells(n, label)
}

// statisticNames are the text forms of statistics.
func statisticNames(statistics []amp.Statistic) (names []string) {
	for _, s := range statistics {
		names = append(names, s.String())
	}
	return names
}
