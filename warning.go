package pfnamp

import "fmt"

// Warning is something worth knowing that does not stop a job: one of [DrawnRows],
// [DroppedLabels], [ConstantTarget], [NoFeature], [UnseenCategories].
type Warning interface {
	// String says it in a sentence without a full stop.
	String() string
}

// DrawnRows tells that the context is a random part of the table.
type DrawnRows struct {
	Kept, Rows int
	Seed       uint64
}

// String implements [Warning].
func (w DrawnRows) String() string {
	return fmt.Sprintf("the context is %d of these %d rows, drawn at random with seed %d",
		w.Kept, w.Rows, w.Seed)
}

// DroppedLabels tells that no drawn row has some of the labels.
type DroppedLabels struct {
	Count int
	File  string
}

// String implements [Warning].
func (w DroppedLabels) String() string {
	return fmt.Sprintf("%s of %s without a drawn row: not among the classes",
		count(w.Count, "label"), w.File)
}

// ConstantTarget tells that every interval is one value.
type ConstantTarget struct{}

// String implements [Warning].
func (ConstantTarget) String() string {
	return "the target is constant, or varies too little for its size: every interval is one value"
}

// NoFeature tells that every row gets the distribution of the target.
type NoFeature struct{}

// String implements [Warning].
func (NoFeature) String() string {
	return "no feature varies: every row gets the distribution of the target"
}

// UnseenCategories tells that cells of a column were treated as missing.
type UnseenCategories struct {
	Column string
	Cells  int
	File   string // the training table, which lacks the categories
}

// String implements [Warning].
func (w UnseenCategories) String() string {
	return fmt.Sprintf("column %q: %s with a category that %s does not have, treated as missing",
		w.Column, count(w.Cells, "cell"), w.File)
}

// count writes a number with its noun.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
