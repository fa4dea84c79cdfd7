package reading

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/pfnamp/pfnamp/internal/donors"
)

// TestStudyOfDonors compares the mean of the law over completed rows with the oracle, without a
// network: with few completed rows, and with one for every donor.
//
//	go test ./reading -run TestStudyOfDonors -v -missing-tables 12
func TestStudyOfDonors(t *testing.T) {
	if *missingTables == 0 {
		t.Skip("-missing-tables N simulates N tables")
	}
	fmt.Print("\n| blanked | one kind, 16 rows | all donors | six kinds, 16 rows | all donors |\n" +
		"|---|---:|---:|---:|---:|\n")
	for _, blank := range blanks[1:] {
		fmt.Print("| " + blank.name)
		for _, kinds := range []int{1, 6} {
			few, all := 0.0, 0.0
			for table := range *missingTables {
				r := rand.New(rand.NewPCG(uint64(table), uint64(kinds)))
				w := newWorld(r, kinds, 0.4, false)
				train, query := w.table(r, *missingRows), newRows(w, r, studyQueries)
				lender := donors.New(train.X, train.Categorical, train.Y, 0).Lender(lackingOf(blank.lacks))
				for i := range query.Rows {
					row := blanked(query.Span(i, i+1), blank.lacks).Data
					truth := w.oracle(r, query.Row(i), blank.lacks)
					few += math.Pow(w.over(lender.Complete(row, Completions, uint64(i)))-truth, 2)
					all += math.Pow(w.over(lender.Complete(row, donors.Most, uint64(i)))-truth, 2)
				}
			}
			n := float64(*missingTables * studyQueries)
			fmt.Printf(" | %.3f | %.3f", math.Sqrt(few/n), math.Sqrt(all/n))
		}
		fmt.Println(" |")
	}
}

// lackingOf lists the blanked columns.
func lackingOf(lacks func(int) bool) (at []int) {
	for j := range studyColumns {
		if lacks(j) {
			at = append(at, j)
		}
	}
	return at
}

// over is the mean of the law over completed rows.
func (w *world) over(c donors.Completed) (mean float64) {
	for k, weight := range c.Weights {
		mean += weight * w.mean(c.Rows.Row(k))
	}
	return mean
}
