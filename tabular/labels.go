package tabular

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/pfnamp/pfnamp/tabular/internal/ground"
	"github.com/pfnamp/pfnamp/tabular/internal/spelling"
)

// Labels are the classes of a target. The class of a row is the position of its label in Texts.
type Labels struct {
	// Kind is Numeric if labels are whole numbers, Boolean if they are true and false, otherwise
	// Categorical.
	Kind Kind
	// Texts are the labels: numbers ascending and in canonical form (3, -1), others in byte order.
	Texts []string

	column Column // has Texts as categories
}

// maxLabel is above the magnitude of labels that are numbers. float64 represents every whole number
// below it; the next whole number above it reads as maxLabel itself.
const maxLabel = 1 << 53

func newLabels(kind Kind, texts []string) *Labels {
	l := &Labels{Kind: kind, Texts: texts, column: Column{Categories: texts}}
	l.column.index()
	return l
}

// Subset returns the labels of these classes, in order, each class once.
func (l *Labels) Subset(classes []int) *Labels {
	var texts []string
	for _, k := range slices.Compact(slices.Sorted(slices.Values(classes))) {
		texts = append(texts, l.Texts[k])
	}
	return newLabels(l.Kind, texts)
}

// text returns the label of a cell that is not missing, in the form of Texts if it can have it.
func (l *Labels) text(v tableView, i int) string {
	if x, err := spelling.ParseNumber(v.text(i)); l.Kind == Numeric && err == nil {
		return spelling.FormatNumber(x+0, 64) // -0 is 0
	}
	return v.category(l.Kind, i)
}

// labels learns the labels of the target. A column of numbers, or of texts that are all numbers,
// has numbers as labels. A column of true and false has booleans. Every other column, and a column
// in SchemaOptions.Categorical, has texts.
func (l *learner) labels() error {
	name, missing := l.opt.Target, missingCells{}
	f := &found{Column: Column{Name: name}}
	if err := l.look(f, ground.FieldIndex(l.train.Schema, name)); err != nil {
		return err
	}
	for i, b := range l.train.Batches {
		missing.addAll(b, f.views[i])
	}
	views, scan := f.views, &f.scan
	if e := missing.error(l.train.File, name, l.train.Rows); e != nil {
		return e
	}
	kind := scan.kind()
	switch {
	case slices.Contains(l.opt.Numeric, name) && scan.wrong.n > 0:
		e := scan.wrong.error(name)
		return e.Advise("drop %s for this column, or write numbers", OptionNumeric)
	case slices.Contains(l.opt.Categorical, name) || kind != Numeric && kind != Boolean:
		kind = Categorical
	}
	if kind == Numeric {
		if err := l.wholeNumbers(views); err != nil {
			return err
		}
		if scan.zeros.n > 0 && !slices.Contains(l.opt.Numeric, name) {
			l.note(name, zeroLedNote, scan.zeros.place(), OptionCategorical, columnValue(name))
		}
	}
	words := kind == Categorical && !slices.Contains(l.opt.Categorical, name)
	if words && scan.allNumbers() {
		l.note(name, "is text, so its values are classes, though every value is a number: read it as "+
			"numbers with %s", OptionNumeric)
	}
	l.s.Labels = newLabels(kind, labelTexts(kind, views))
	if signs := missingLabels(l.s.Labels.Texts); words && len(signs) > 0 {
		l.note(name, "has the label %s: if that means that the label is missing, add %s %s; otherwise "+
			"keep it with %s %s", listed(signs), OptionNA, columnValues(signs), OptionCategorical,
			columnValue(name))
	}
	if twins := labelTwins(l.s.Labels.Texts); twins != "" && kind == Categorical {
		l.note(name, "has labels that differ only by case or spaces: %s", twins)
	}
	return nil
}

// missingLabels lists the labels that are signs of missing values, such as ? and n/a. Words such as
// none may be labels, and so is - beside +.
func missingLabels(texts []string) []string {
	mark := func(r rune) bool { return !unicode.IsLetter(r) }
	return slices.DeleteFunc(slices.Clone(texts), func(text string) bool {
		return !spelling.IsMissingSign(text) || !strings.ContainsFunc(text, mark) ||
			slices.Contains(texts, "+")
	})
}

// labelTwins lists the first pairs of texts that differ only by case, spaces and encoding.
func labelTwins(texts []string) string {
	return strings.Join(ground.FirstOf(twins(texts, spelling.Fold, "%s and %s")), ", ")
}

// wholeNumbers refuses labels that are numbers with a fraction, or too large for float64.
func (l *learner) wholeNumbers(views []tableView) error {
	for k, view := range views {
		read, _ := view.numbers(Numeric)
		for i := range view.n {
			v, _ := read(i)
			if v == math.Trunc(v) && math.Abs(v) < maxLabel {
				continue
			}
			name := l.opt.Target
			e := l.train.Batches[k].ErrorAt(i, name, "%s cannot be a class: a label is a text, true "+
				"or false, or a whole number", view.text(i))
			e.Fault = TargetLabels
			return e.Advise("learn the target as numbers; or as labels with %s %s",
				OptionCategorical, columnValue(name))
		}
	}
	return nil
}

// labelTexts lists the labels of a kind in order.
func labelTexts(kind Kind, views []tableView) []string {
	l, seen := Labels{Kind: kind}, map[string]bool{}
	for _, v := range views {
		for i := range v.n {
			if !v.missing(i) && !seen[l.text(v, i)] {
				seen[strings.Clone(l.text(v, i))] = true // which frees the batch
			}
		}
	}
	texts := slices.Sorted(maps.Keys(seen))
	if kind == Numeric {
		slices.SortFunc(texts, func(a, b string) int {
			x, _ := strconv.ParseFloat(a, 64)
			y, _ := strconv.ParseFloat(b, 64)
			return int(math.Copysign(1, x-y))
		})
	}
	return texts
}

// classes returns the class of every row of a batch.
func (s *Schema) classes(b *Batch) ([]float64, error) {
	view, err := s.target(b)
	if err != nil {
		return nil, err
	}
	missing := missingCells{}
	if missing.addAll(b, view); missing.n > 0 {
		return nil, missing.error(b.File, s.TargetName, int64(b.Rows()))
	}
	y := make([]float64, b.Rows())
	for i := range y {
		if y[i] = s.observedClass(view, i); y[i] == Unseen {
			return nil, b.ErrorAt(i, s.TargetName, "no row of %s has the label %s", s.File,
				quote(view.text(i)))
		}
	}
	return y, nil
}

// labelsJSON is the stored form of Labels.
type labelsJSON struct {
	Kind  string   `json:"kind"`
	Texts []string `json:"texts"`
}

// restore returns the stored labels, nil if there are none.
func (j *labelsJSON) restore() (*Labels, error) {
	if j == nil {
		return nil, nil
	}
	kind, err := kindNamed(j.Kind)
	sorted := slices.Sorted(slices.Values(j.Texts))
	switch {
	case err != nil || kind != Numeric && kind != Boolean && kind != Categorical:
		return nil, fmt.Errorf("labels of unknown kind %s", quote(j.Kind))
	case len(j.Texts) < 1 || len(slices.Compact(sorted)) != len(j.Texts):
		return nil, errors.New("no labels, or a label twice")
	}
	return newLabels(kind, j.Texts), nil
}

// Observed returns the targets that a query table itself has, by row, for comparison: the numbers,
// or the classes if the schema has labels, with [Unseen] for a label that is not in the training
// table in any spelling. It returns NaN for a cell that is missing or not a number. If the table
// has no such column, or one whose type holds no targets, it returns NaN for every row.
func (s *Schema) Observed(b *Batch) []float64 {
	values := slices.Repeat([]float64{math.NaN()}, b.Rows())
	view, err := s.target(b)
	if err != nil {
		return values
	}
	read, ok := view.numbers(Numeric)
	for i := range values {
		if s.Labels != nil {
			values[i] = s.observedClass(view, i)
		} else if ok && view.class != Boolean {
			if v, state := read(i); state == hasValue {
				values[i] = v
			}
		}
	}
	return values
}

// OddLabels returns, for what Observed has returned for a batch, the first label that is not in the
// training table, and the first one that is there in another spelling, with that; "" for none.
func (s *Schema) OddLabels(b *Batch, observed []float64) (odd [3]string) {
	view, _ := s.target(b) // Observed has read it
	for i, class := range observed {
		switch {
		case s.Labels == nil || math.IsNaN(class):
		case class == Unseen:
			odd[0] = cmp.Or(odd[0], view.text(i))
		case odd[1] == "" && s.Labels.text(view, i) != s.Labels.Texts[int(class)]:
			odd[1], odd[2] = view.text(i), s.Labels.Texts[int(class)]
		}
	}
	return odd
}

// observedClass returns the class of a cell, NaN if it holds no label.
func (s *Schema) observedClass(v tableView, i int) float64 {
	if v.missing(i) {
		return math.NaN()
	}
	code, ok := s.Labels.column.code(s.Labels.text(v, i))
	if !ok {
		code, _ = s.Labels.column.near(v.text(i))
	}
	return float64(code)
}

// TargetKind returns the kind of the column SchemaOptions.Target of a training table, before the
// caller decides between numbers and labels. SchemaOptions.Categorical and Numeric take precedence;
// otherwise it is the kind that Learn would give a feature. A column of a text file is Numeric if
// at least half of its cells are numbers in some form; the other cells are then mistakes. Errors
// are those of Learn about its options and about unsupported types.
func TargetKind(train *Table, opt SchemaOptions) (Kind, error) {
	opt.Labels, opt.RequireTarget = true, true
	l := learner{train: train, opt: opt, s: &Schema{File: train.File,
		na: cmp.Or(train.na, newNA(nil))}}
	if err := l.check(); err != nil {
		return Empty, err
	}
	switch {
	case slices.Contains(opt.Categorical, opt.Target):
		return Categorical, nil
	case slices.Contains(opt.Numeric, opt.Target):
		return Numeric, nil
	}
	f := &found{Column: Column{Name: opt.Target}}
	if err := l.look(f, ground.FieldIndex(train.Schema, opt.Target)); err != nil {
		return Empty, err
	}
	if kind := f.scan.kind(); kind != Categorical || !f.scan.readable() ||
		2*f.scan.numeric() < f.scan.present {
		return kind, nil
	}
	return Numeric, nil
}
