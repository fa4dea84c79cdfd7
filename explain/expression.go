package explain

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/pfnamp/pfnamp/tabular"
)

// Expression changes a cell of a query row: COLUMN=VALUE, COLUMN*F, COLUMN/F, COLUMN+F or COLUMN-F.
// Dates and times move by days.
type Expression struct {
	Text   string
	column *column
	sign   byte
	value  float64 // encoded, or the factor or summand
}

// ExpressionError reports an expression that cannot be read.
type ExpressionError struct {
	Text  string
	Place int // number of the wrong character, from 1
	Msg   string
	Hint  string
}

// Error returns the expression, the place and the reason.
func (e *ExpressionError) Error() string {
	return fmt.Sprintf("%q cannot be read at character %d: %s", e.Text, e.Place, e.Msg)
}

// signs stand between a column and a number or value.
const signs = "=*/+-"

// ParseExpression reads an expression about the features of a schema. The name of a column may
// contain signs; double quotes around it are optional. "column=" makes the cell missing. Errors are
// an *ExpressionError, or a *tabular.Error about the column or its value.
func ParseExpression(text string, s *tabular.Schema) (Expression, error) {
	e := Expression{Text: text}
	name, at, err := splitName(text, s.FeatureNames())
	if err != nil {
		return e, err
	}
	if e.column, err = findColumn(s, name); err != nil {
		return e, err
	}
	e.sign = text[at]
	from := at + 1 + len(text[at+1:]) - len(strings.TrimLeft(text[at+1:], " "))
	value := strings.TrimSpace(text[from:])
	wrong := &ExpressionError{Text: text, Place: 1 + len([]rune(text[:from]))}
	switch {
	case value == "" && e.sign != '=':
		wrong.Msg, wrong.Hint = "the value is missing", "write it after the sign: "+name+"+3"
		return e, wrong
	case e.sign == '=':
		e.value, err = e.column.Value(value)
		if told, ok := err.(*tabular.Error); ok {
			told.File = s.File
		}
		return e, err
	}
	return e, e.amount(value, name, wrong)
}

// amount reads the number behind a sign of arithmetic.
func (e *Expression) amount(value, name string, wrong *ExpressionError) error {
	var err error
	dates := e.column.Kind == tabular.Date || e.column.Kind == tabular.Timestamp
	e.value, err = strconv.ParseFloat(value, 64)
	switch {
	case e.column.Categories != nil:
		wrong.Msg = fmt.Sprintf("%s holds labels, and arithmetic needs numbers", name)
		wrong.Hint = "write " + name + "=VALUE"
	case dates && (e.sign == '*' || e.sign == '/'):
		wrong.Msg = name + " holds dates, which cannot be multiplied or divided"
		wrong.Hint = "move them by days: " + name + "+7"
	case err != nil || math.IsInf(e.value, 0) || math.IsNaN(e.value):
		wrong.Msg = fmt.Sprintf("%q is not a number", value)
		wrong.Hint = "write " + name + string(e.sign) + "1.1"
		share, percent := strings.CutSuffix(value, "%")
		if x, bad := strconv.ParseFloat(share, 64); percent && bad == nil && e.sign != '/' {
			whole := map[byte]float64{'+': 100, '-': -100}[e.sign]
			wrong.Hint = fmt.Sprintf("write %s*%g", name, math.Abs(whole+x)/100)
		}
	case e.sign == '/' && e.value == 0:
		wrong.Msg, wrong.Hint = "a division by 0 has no result", "write another number"
	default:
		if e.column.Kind == tabular.Timestamp {
			e.value *= 24 * 60 * 60
		}
		return nil
	}
	return wrong
}

// splitName finds the name of the column and the place of the sign. The longest name that fits
// counts.
func splitName(text string, names []string) (name string, sign int, err error) {
	wrong := &ExpressionError{Text: text, Place: 1 + len([]rune(text)),
		Msg:  "a sign and a value are missing",
		Hint: "write COLUMN=VALUE, COLUMN*1.1, COLUMN/2, COLUMN+5 or COLUMN-5"}
	if rest, quoted := strings.CutPrefix(text, `"`); quoted {
		name, behind, closed := strings.Cut(rest, `"`)
		sign = len(text) - len(strings.TrimLeft(behind, " "))
		if !closed || sign == len(text) {
			return "", 0, wrong
		}
		if strings.IndexByte(signs, text[sign]) < 0 {
			wrong.Place, wrong.Msg = 1+len([]rune(text[:sign])), "a sign is missing: one of = * / + -"
			return "", 0, wrong
		}
		return name, sign, nil
	}
	byLength := slices.Clone(names)
	slices.SortStableFunc(byLength, func(a, b string) int { return len(b) - len(a) })
	for _, known := range byLength {
		rest, found := strings.CutPrefix(text, known)
		trimmed := strings.TrimLeft(rest, " ")
		if found && trimmed != "" && strings.IndexByte(signs, trimmed[0]) >= 0 {
			return known, len(text) - len(trimmed), nil
		}
	}
	sign = strings.IndexAny(text, signs)
	if sign < 0 {
		return "", 0, wrong
	}
	if name = strings.TrimSpace(text[:sign]); name == "" {
		wrong.Place, wrong.Msg = 1, "the name of a column is missing"
		return "", 0, wrong
	}
	return name, sign, nil // which findColumn refuses, with the nearest name
}

// apply changes the cell of an encoded row. A number that is missing stays so, unless it is set.
func (e Expression) apply(row []float64) {
	cell := &row[e.column.at]
	switch e.sign {
	case '=':
		*cell = e.value
	case '*':
		*cell *= e.value
	case '/':
		*cell /= e.value
	case '+':
		*cell += e.value
	case '-':
		*cell -= e.value
	}
}

// outside tells whether a row now has a number that the training table has not reached.
func (e Expression) outside(row []float64) bool {
	v := row[e.column.at]
	return e.column.Categories == nil && (v < e.column.Lo || v > e.column.Hi)
}
