// Package warning lists what you should know about a table or its rows although it stops no job:
// a target with two values, a new category, a value outside the range of the training table.
//
//	for _, w := range predictor.Warnings(answer.Tally) {
//		fmt.Println(w) // a sentence
//	}
//
// A program can look at the [Kind] of a [Warning] and add what its user can do. A [Tally] counts
// what is odd about query rows, over several batches.
package warning

import "fmt"

// Kind says what a warning is about.
type Kind string

// The kinds: of training tables, of contexts, and of query rows, which a [Tally] counts.
const (
	Unlabelled     Kind = "unlabelled"      // rows lack the target and are left out
	Repeated       Kind = "repeated"        // rows repeat others and are left out
	Copies         Kind = "copies"          // rows repeat others but for a column
	SameFeatures   Kind = "same features"   // rows may measure the same thing several times
	Alone          Kind = "alone"           // a column determines the target alone
	PossibleLabels Kind = "possible labels" // a support was recognised, and predictions keep to it
	DrawnRows      Kind = "drawn rows"      // the context is a random part of the table
	DroppedLabels  Kind = "dropped labels"  // no drawn row has some of the labels
	SingleRows     Kind = "single rows"     // labels are in one row of the context each
	FewValues      Kind = "few values"      // a numeric target looks like codes of classes

	ConstantTarget Kind = "constant target" // every interval is one value
	NoFeature      Kind = "no feature"      // every row gets the distribution of the target

	UnseenCategories Kind = "unseen categories" // cells hold categories that the training table lacks
	MissingCells     Kind = "missing cells"     // in columns that are complete in the training table
	OutsideRange     Kind = "outside range"     // of the training table, where a network extrapolates
	KnownRows        Kind = "known rows"        // rows of the context test no model
)

// Warning is something worth knowing that does not stop a job.
type Warning struct {
	Kind   Kind
	Column string   // that it is about, "" for none or several
	Values []string // texts that it names: of the unlabelled rows what was read as missing
	Text   string   // a sentence without a full stop
}

func (w Warning) String() string { return w.Text }

// New makes a warning about a column, "" for none, from a sentence and what belongs into it.
func New(kind Kind, column, format string, args ...any) Warning {
	return Warning{Kind: kind, Column: column, Text: fmt.Sprintf(format, args...)}
}

// count writes a number with its noun.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
