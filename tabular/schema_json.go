package tabular

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/pfnamp/pfnamp/internal/strictjson"
	"github.com/pfnamp/pfnamp/tabular/internal/ground"
	"github.com/pfnamp/pfnamp/tabular/internal/spelling"
)

// schemaJSON is the stored form of a Schema. Lists hold one value per feature. Lists instead of
// objects keep the memory that a file can claim in proportion to its size.
type schemaJSON struct {
	File       string     `json:"file"`
	Rows       int64      `json:"rows"`
	Target     string     `json:"target"`
	Names      []string   `json:"names"`
	Kinds      []string   `json:"kinds"`
	Missing    []int      `json:"missing"`
	Numbers    []bool     `json:"numbers"` // every category is a number written as text
	Categories [][]string `json:"categories"`
	Ignored    []string   `json:"ignored"`
	Kept       []string   `json:"kept"`
	NA         []string   `json:"na"`

	Labels *labelsJSON `json:"labels,omitempty"`
	// Ranges are the ranges of columns that are not categorical.
	Ranges [][]float64 `json:"ranges"`
	// Written is the form of numbers and dates of columns with an unusual form, and WrittenTarget
	// that of the target.
	Written       []string `json:"written"`
	WrittenTarget string   `json:"written_target,omitempty"`
	// Strict is SchemaOptions.Strict.
	Strict bool `json:"strict,omitempty"`
	// Calendars are the parts of dates that are features.
	Calendars [][]Part `json:"calendars"`
	Zones     []string `json:"zones"`              // of times, "" for none
	Sequence  []int    `json:"sequence,omitempty"` // of the columns in encoded rows
}

// MarshalJSON stores everything that Features and Match need, so that a schema works without its
// training table. It leaves out physical types and notes. It fails if a name or a category is not
// valid UTF-8.
func (s *Schema) MarshalJSON() ([]byte, error) {
	j := schemaJSON{File: s.File, Strict: s.strict, Rows: s.Rows, Target: s.TargetName,
		Names: s.FeatureNames(), Ignored: s.Ignored, Kept: s.Kept,
		NA: slices.Sorted(maps.Keys(s.na.texts)), Sequence: s.sequence, WrittenTarget: s.written.String()}
	texts := slices.Concat([]string{s.TargetName}, s.Ignored, s.Kept, j.NA)
	if s.Labels != nil {
		j.Labels = &labelsJSON{s.Labels.Kind.String(), s.Labels.Texts}
		texts = append(texts, s.Labels.Texts...)
	}
	for _, c := range s.Columns {
		j.Kinds = append(j.Kinds, c.Kind.String())
		j.Missing = append(j.Missing, c.Missing)
		j.Numbers = append(j.Numbers, c.number)
		j.Categories = append(j.Categories, c.Categories)
		j.Ranges = append(j.Ranges, nil)
		if c.Lo <= c.Hi && !math.IsInf(c.Hi, 0) && !c.Kind.categorical() { // it has values
			j.Ranges[len(j.Ranges)-1] = []float64{c.Lo, c.Hi}
		}
		j.Written = append(j.Written, c.written.String())
		j.Calendars = append(j.Calendars, c.Calendar)
		j.Zones = append(j.Zones, c.clock.TimeZone)
		texts = append(append(texts, c.Name), c.Categories...)
	}
	for _, text := range texts {
		if !utf8.ValidString(text) {
			return nil, &Error{File: s.File,
				Msg: fmt.Sprintf("%s is not valid UTF-8 and cannot be stored", quote(text))}
		}
	}
	return json.Marshal(j)
}

// UnmarshalJSON reads the output of MarshalJSON. It fails on any other text.
func (s *Schema) UnmarshalJSON(data []byte) error {
	var j schemaJSON
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&j); err != nil {
		return fmt.Errorf("tabular: stored schema: %w", strictjson.Worded(err))
	}
	n := len(j.Names)
	if n == 0 || n > ground.MaxColumns || len(j.Kinds) != n || len(j.Missing) != n ||
		len(j.Numbers) != n || len(j.Categories) != n || len(j.Written) != n || len(j.Ranges) != n ||
		len(j.Calendars) != n || len(j.Zones) != n {
		return errors.New("tabular: stored schema: the lists of columns are empty or differ in length")
	}
	read := Schema{File: j.File, strict: j.Strict, Rows: j.Rows, TargetName: j.Target,
		Ignored: j.Ignored, Kept: j.Kept, na: newNA(append([]string{}, j.NA...)),
		sequence: j.Sequence}
	for k, at := range slices.Sorted(slices.Values(j.Sequence)) {
		if at != k || len(j.Sequence) != n {
			return errors.New("tabular: stored schema: the sequence of columns is incomplete")
		}
	}
	var err error
	if read.Labels, err = j.Labels.restore(); err == nil {
		read.written, err = spelling.ReadForm(j.WrittenTarget)
	}
	if err != nil {
		return fmt.Errorf("tabular: stored schema: %w", err)
	}
	seen := map[string]bool{"": true, j.Target: true}
	for i, name := range j.Names {
		if seen[name] {
			return fmt.Errorf("tabular: stored schema: column %s is unnamed or occurs twice", quote(name))
		}
		seen[name] = true
		c := Column{Name: name, Categories: j.Categories[i], Missing: j.Missing[i],
			Lo: math.Inf(-1), Hi: math.Inf(1), number: j.Numbers[i], // every value is inside
			clock: &arrow.TimestampType{TimeZone: j.Zones[i]}}
		if len(j.Ranges[i]) == 2 {
			c.Lo, c.Hi = j.Ranges[i][0], j.Ranges[i][1]
		}
		if c.written, err = spelling.ReadForm(j.Written[i]); err == nil {
			err = c.restore(j.Kinds[i], j.Calendars[i], j.Sequence != nil)
		}
		if err != nil {
			return fmt.Errorf("tabular: stored schema: column %s: %w", quote(name), err)
		}
		read.Columns = append(read.Columns, c)
	}
	*s = read
	return nil
}

// restore sets the kind by its name and the parts of dates, and indexes the categories, which are
// sorted unless their order is that of ByContent.
func (c *Column) restore(kind string, calendar []Part, content bool) error {
	var err error
	if c.Kind, err = kindNamed(kind); err != nil {
		return err
	}
	for _, part := range calendar {
		if !slices.Contains(parts, part) || slices.Contains(c.Calendar, part) ||
			c.Kind != Date && c.Kind != Timestamp {
			return fmt.Errorf("calendar column %s of a %s column", quote(string(part)), c.Kind)
		}
		c.Calendar = append(c.Calendar, part)
	}
	switch {
	case !c.Kind.categorical() && (len(c.Categories) > 0 || c.number):
		return errors.New("the column has categories, but its kind has none")
	case !content && !slices.IsSorted(c.Categories):
		return errors.New("the categories are not sorted")
	case len(slices.Compact(slices.Sorted(slices.Values(c.Categories)))) != len(c.Categories):
		return errors.New("a category occurs twice")
	}
	c.index()
	return nil
}
