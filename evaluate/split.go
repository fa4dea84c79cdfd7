package evaluate

import (
	"fmt"
	"math"
	"math/rand/v2"
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
