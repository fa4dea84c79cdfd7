// Package warning has what is worth knowing about tables and rows and stops no job, worded for
// people. Programs may add what can be done about it: every warning is a type with its facts.
package warning

import "fmt"

// Warning is something worth knowing that does not stop a job: one of [Unlabelled],
// [PossibleLabels], [DrawnRows], [DroppedLabels], [SingleRows], [FewValues], [ConstantTarget],
// [NoFeature], [UnseenCategories], [MissingCells], [OutsideRange], [KnownRows].
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
