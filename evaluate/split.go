package evaluate

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/pfnamp/pfnamp/folds"
)

// SplitError reports a table that cannot be split as asked.
type SplitError struct {
	Rows   int // of the table
	Train  int // training rows that the share gives
	Reason string

	Classes int // of the table; 0 of numbers
	Folds   int // of a cross-validation; 0 for a split
	Fits    int // folds that the table allows instead of Folds; 0 if there is no such number
}

// Error implements error.
func (e *SplitError) Error() string {
	if e.Classes > 0 {
		return fmt.Sprintf("%d rows of %d classes: %s", e.Rows, e.Classes, e.Reason)
	}
	if e.Folds > 0 {
		return fmt.Sprintf("%d folds of %d rows: %s", e.Folds, e.Rows, e.Reason)
	}
	return fmt.Sprintf("%d rows with %d of them for training: %s", e.Rows, e.Train, e.Reason)
}

// twoEach is what classes need.
const twoEach = "two classes need at least 2 rows each, one to learn from and one to score"

// minPart is the least number of rows on either side of a split.
const minPart = 2

// Split divides rows 0..n-1 at random: round(share n) of them for training, the rest for testing,
// each in random order. It depends on (seed, key, n, share) only. It fails with a *SplitError if
// a part has fewer than 2 rows.
func Split(seed uint64, key string, n int, share float64) (train, test []int, err error) {
	cut := int(math.Round(share * float64(n)))
	if cut < minPart || n-cut < minPart {
		return nil, nil, &SplitError{Rows: n, Train: cut,
			Reason: fmt.Sprintf("both parts need at least %d rows", minPart)}
	}
	order := Stream(seed, key+"/split").Perm(n)
	return order[:cut], order[cut:], nil
}

// Stream returns the random stream that belongs to a seed and a key, such as the name of a cell and
// the number of a data set. Splits and the bootstrap draw from streams of their own.
func Stream(seed uint64, key string) *rand.Rand {
	h := uint64(14695981039346656037) // FNV-1a
	for _, b := range []byte(key) {
		h = (h ^ uint64(b)) * 1099511628211
	}
	return rand.New(rand.NewPCG(seed, h))
}

// ClassSplit divides rows at random as [Split] does, class by class: of the n rows of every class
// round(share n) are for training, at least one and, where there are two, not all. Both lists
// ascend. It fails with a *SplitError unless two classes have two rows or more.
func ClassSplit(
	seed uint64, key string, y []float64, share float64,
) (train, test []int, err error) {
	of := make([]int, len(y))
	for i, k := range y {
		of[i] = int(k)
	}
	rows, random, large := folds.InOrder(of), Stream(seed, key+"/split"), 0
	for _, of := range rows {
		random.Shuffle(len(of), func(i, j int) { of[i], of[j] = of[j], of[i] })
		cut := min(len(of), max(1, int(math.Round(share*float64(len(of))))))
		if len(of) > 1 {
			cut = min(cut, len(of)-1)
			large++
		}
		train, test = append(train, of[:cut]...), append(test, of[cut:]...)
	}
	if large < 2 {
		return nil, nil, &SplitError{Rows: len(y), Train: len(train), Classes: len(rows),
			Reason: twoEach}
	}
	slices.Sort(train)
	slices.Sort(test)
	return train, test, nil
}

// AllClasses is the functional of means over the probabilities of all classes.
const AllClasses = "all classes"

func overClasses(measures []Measure) []Measure {
	var means Tally
	for _, m := range measures {
		if m.Functional != "" {
			means.Add(m.Method, AllClasses, m.Metric, float64(m.Value))
		}
	}
	all := means.Measures()
	for i := range all { // classes of a split are not independent
		all[i].SE, all[i].N = Number(math.NaN()), 1
	}
	return all
}
