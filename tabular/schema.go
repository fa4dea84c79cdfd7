package tabular

import (
	"fmt"
	"hash/maphash"
	"slices"
	"sync"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/pfnamp/pfnamp/tabular/internal/ground"
	"github.com/pfnamp/pfnamp/tabular/internal/spelling"
)

// Kind is the kind of a feature's values.
type Kind int

// The kinds. A feature is encoded as a number or, if it is categorical, as the position of its
// value among the sorted categories.
const (
	Numeric     Kind = iota // numbers
	Categorical             // text, or a column in SchemaOptions.Categorical
	Boolean                 // true and false, in the spelling of the training table if it has one
	Date                    // dates, encoded as days since 1970-01-01
	Timestamp               // times, encoded as seconds since 1970-01-01 00:00:00 UTC
	Empty                   // missing in every training row; always encoded as missing
)

var kindNames = []string{"numeric", "categorical", "boolean", "date", "timestamp", "empty"}

// String returns the kind in words.
func (k Kind) String() string { return kindNames[k] }

func kindNamed(name string) (Kind, error) {
	at := slices.Index(kindNames, name)
	if at < 0 {
		return 0, fmt.Errorf("unknown kind %s", quote(name))
	}
	return Kind(at), nil
}

// categorical reports whether values of the kind are encoded by their category.
func (k Kind) categorical() bool { return k == Categorical || k == Boolean }

// Column is a feature, as learned from the training table.
type Column struct {
	// Name of the column, for matching query tables.
	Name string
	// Kind of its values.
	Kind Kind
	// Categories of a categorical or boolean feature in the training table, in byte order or in that
	// of Schema.ByContent. The code of a value is its position here.
	Categories []string
	// Missing is the number of training rows without a value.
	Missing int
	// Lo and Hi are the range of the values in the training table if they are not categories, in
	// numbers, days or seconds. Lo is above Hi if there is no value.
	Lo, Hi float64
	// Calendar lists the parts of a date or time that are features beside its number, by the clock
	// of the training table's time zone, of UTC if it has none or several.
	Calendar []Part
	// Type is the physical type in the training file; utf8 for text files.
	Type arrow.DataType

	same, canonical, folded places               // of Categories
	written                 spelling.Form        // form of numbers and dates in the training table
	clock                   *arrow.TimestampType // has the time zone of times, "" if they have none
	// number reports that every category is a number written as text; one with the canonical form of
	// a text then is the same.
	number bool
}

func (c *Column) index() {
	c.same = placesOf(c.Categories, func(text string) string { return text })
	c.canonical = placesOf(c.Categories, spelling.Canonical)
	c.folded = placesOf(c.Categories, spelling.Fold)
}

// places finds the only one of a list of texts that has the same form as another text.
type places func(text string) (at int, ok bool)

// placesOf keeps no forms, as there may be a million, but a hash of each, from the first call on.
func placesOf(texts []string, form func(string) string) places {
	seed := maphash.MakeSeed()
	find := sync.OnceValue(func() map[uint64]int32 {
		found := make(map[uint64]int32, len(texts))
		for at, text := range texts {
			hash := maphash.String(seed, form(text))
			if _, taken := found[hash]; taken {
				at = Unseen
			}
			found[hash] = int32(at)
		}
		return found
	})
	return func(text string) (int, bool) {
		text = form(text)
		at, ok := find()[maphash.String(seed, text)]
		if !ok || at == Unseen || form(texts[at]) != text {
			return Unseen, false
		}
		return int(at), true
	}
}

// code returns the position of a category, and whether it has one.
func (c *Column) code(category string) (int, bool) {
	code, ok := c.same(category)
	if !ok && c.Kind == Boolean {
		code, ok = c.folded(category)
	}
	if !ok && c.number {
		if code, ok = c.same(spelling.Canonical(category)); !ok {
			code, ok = c.canonical(category)
		}
	}
	return code, ok
}

// near returns the position of the only category that differs from a text by its spelling alone: a
// truth value in another spelling, or a text with other case, spaces or encoding of characters.
func (c *Column) near(text string) (int, bool) {
	if code, ok := c.folded(text); ok {
		return code, true
	}
	asked, ok := spelling.TruthOf(text)
	if len(c.Categories) != 2 || !ok {
		return Unseen, false
	}
	first, one := spelling.TruthOf(c.Categories[0])
	second, two := spelling.TruthOf(c.Categories[1])
	if !one || !two || first == second {
		return Unseen, false
	}
	return slices.Index([]bool{first, second}, asked), true
}

// SchemaOptions assign roles to the columns of a training table. Names must be columns of the
// table; Keep may also name columns that only query tables have.
type SchemaOptions struct {
	// Target is the column to predict; it is not a feature. "" means none.
	Target string
	// Ignore lists columns that are not features.
	Ignore []string
	// Keep lists columns of query tables that are copied to the output. Those in the training table
	// are also features, unless Ignore lists them.
	Keep []string
	// Categorical lists columns whose values are categories, whatever they look like.
	Categorical []string
	// Numeric lists columns whose values must be numbers; text in them is an error.
	Numeric []string
	// KeepFeatures lists columns that are features even if they look like identifiers.
	KeepFeatures []string
	// RequireTarget refuses an empty Target.
	RequireTarget bool
	// Dates is how columns with dates and times are read and encoded.
	Dates Dates
	// Labels reports that the target holds labels of classes rather than numbers.
	Labels bool
	// Strict refuses a training table, or query rows, with cells or columns that may not be what
	// they seem: unusual spellings, signs of missing values, texts that look like numbers, unknown
	// categories. Otherwise notes tell of them. Only notes on ISO 8601 dates, and on columns that
	// only query tables have, are no error.
	Strict bool
}

// Schema holds what Learn found in a training table, and encodes its rows and the rows of query
// tables. It is immutable and safe for concurrent use.
type Schema struct {
	// File is the training file.
	File string
	// Rows is the number of training rows.
	Rows int64
	// TargetName is the column to predict; "" if there is none.
	TargetName string
	// Labels are the classes of the target; nil if it is a number.
	Labels *Labels
	// Columns are the features, in the order of the training file.
	Columns []Column
	// Ignored lists the columns of the training file that are not used.
	Ignored []string
	// Kept lists the columns that are copied to the output, as in SchemaOptions.Keep.
	Kept []string
	// Notes are notes about the training table, a sentence each. They name the options of this
	// package as in Go; NotesWith names them in the terms of a program.
	Notes []string

	written spelling.Form // form of the target
	strict  bool          // SchemaOptions.Strict
	na      *naSet
	// sequence lists Columns in the order of Features.Matrix; nil if it is the same.
	sequence []int
	advice   []ground.Advice // the source of Notes
}

// FeatureNames lists the features, in the order of Columns.
func (s *Schema) FeatureNames() []string {
	names := make([]string, len(s.Columns))
	for i, c := range s.Columns {
		names[i] = c.Name
	}
	return names
}

// Categorical reports for each column of Features.Matrix whether it holds codes of categories
// rather than numbers.
func (s *Schema) Categorical() []bool {
	flags := make([]bool, s.Width())
	for i, c := range s.Encoded() {
		flags[i] = c.Part == "" && c.Kind.categorical()
	}
	return flags
}

// place returns the column of Features.Matrix with feature j.
func (s *Schema) place(j int) int {
	if s.sequence == nil {
		return j
	}
	return slices.Index(s.sequence, j)
}

// inOrder returns the features in the order of Features.Matrix.
func (s *Schema) inOrder() []*Column {
	all := make([]*Column, len(s.Columns))
	for j := range all {
		all[j] = &s.Columns[j]
		if s.sequence != nil {
			all[j] = &s.Columns[s.sequence[j]]
		}
	}
	return all
}

// Match checks that a query table with these columns has every feature and every kept column. It
// returns notes on columns that are not used. Call it once per table; Features checks again.
func (s *Schema) Match(file string, names []string) ([]string, error) {
	missing := slices.DeleteFunc(s.FeatureNames(), func(name string) bool {
		return slices.Contains(names, name)
	})
	if len(missing) > 0 {
		return nil, s.missingColumns(file, missing, names)
	}
	for _, name := range s.Kept {
		if !slices.Contains(names, name) {
			return nil, NoColumn(file, name, names)
		}
	}
	known := slices.Concat(s.FeatureNames(), s.Kept, s.Ignored, []string{s.TargetName})
	extra := slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		return slices.Contains(known, name)
	})
	if len(extra) == 0 {
		return nil, nil
	}
	return []string{fmt.Sprintf("%s not in %s, ignored: %s", ground.Count(len(extra), "column"),
		s.File, listed(extra))}, nil
}

// missingColumns returns the error for a query table that lacks columns.
func (s *Schema) missingColumns(file string, missing, names []string) *Error {
	e := NoColumn(file, missing[0], names)
	if f := FormatOf(file); len(missing) == len(s.Columns) && (f == CSV || f == Excel) {
		e.Also("if another row has the names, say which: %s 2", OptionHeaderRow)
	}
	if len(missing) == 1 {
		e.Msg += fmt.Sprintf(" (%s has it)", s.File)
		return e
	}
	e.Column = ""
	e.Msg = fmt.Sprintf("%d columns of %s are missing: %s", len(missing), s.File, listed(missing))
	return e
}

// NotesWith returns Notes in the terms of a program. A schema read with UnmarshalJSON has no notes.
func (s *Schema) NotesWith(w Words) []string {
	notes := make([]string, len(s.advice))
	for i, note := range s.advice {
		notes[i] = note.Words(w)
	}
	return notes
}
