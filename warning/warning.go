// Package warning lists what you should know about a table or its rows although it stops no job:
// a target with two values, a new category, a value outside the range of the training table.
//
//	for _, w := range answer.Warnings {
//		fmt.Println(w) // a sentence
//	}
//
// Every [Warning] is a type of its own with its facts, such as [UnseenCategories] with the column
// and the number of cells. A program can switch on the type and add what its user can do. [Add]
// sums the warnings of several batches.
package warning

import "fmt"

// Warning is something worth knowing that does not stop a job: one of [Unlabelled],
// [Repeated], [SameFeatures], [Alone], [PossibleLabels], [DrawnRows], [DroppedLabels],
// [SingleRows], [FewValues], [ConstantTarget], [NoFeature], [UnseenCategories], [MissingCells],
// [OutsideRange], [KnownRows].
type Warning interface {
	// String says it in a sentence without a full stop.
	String() string
}

// count writes a number with its noun.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
