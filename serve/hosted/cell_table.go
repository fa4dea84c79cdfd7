package hosted

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/pfnamp/pfnamp/serve/internal/oip"
	"github.com/pfnamp/pfnamp/serve/internal/refusal"
	"github.com/pfnamp/pfnamp/tabular"
)

// cellTable makes a table of a list of rows, each a list of cells, or of a list of cells, which are
// rows of one column. Columns are named 0, 1, .... It reads the text twice, first to learn what the
// columns hold, so that it keeps only the columns in memory.
func cellTable(
	name string, raw json.RawMessage, take func(int64) error,
) (*tabular.Table, error) {
	about := &shape{name: name}
	if err := about.read(raw, about.learn); err != nil {
		return nil, err
	}
	if about.rows == 0 {
		return nil, refusal.Newf(http.StatusBadRequest, "%s has no rows", name)
	}
	const cellBytes = 16 // of a number and its place among the missing, while the column grows
	if err := take(int64(about.rows)*int64(len(about.kinds))*cellBytes + int64(len(raw))); err != nil {
		return nil, err
	}
	columns := &columnBuilders{}
	for _, kind := range about.kinds {
		b := array.NewBuilder(memory.DefaultAllocator, kind.typ())
		b.Reserve(about.rows)
		columns.list = append(columns.list, b)
	}
	if err := (&shape{name: name, kinds: about.kinds}).read(raw, columns.add); err != nil {
		return nil, err
	}
	fields, arrays := make([]arrow.Field, len(about.kinds)), make([]arrow.Array, len(about.kinds))
	for j, b := range columns.list {
		arrays[j] = b.NewArray()
		fields[j] = arrow.Field{Name: columnName(j), Type: arrays[j].DataType(), Nullable: true}
	}
	return tableOfColumns(name, fields, arrays, int64(about.rows)), nil
}

// kind tells what the cells of a column are.
type kind struct {
	texts, numbers, truths bool
	fractions              bool // of numbers: some are not whole, or need more than 64 bits
	large                  bool // of whole numbers: some have more digits than a float64
}

// typ is the type of a column: of texts where one cell is a text, else of truth values where all
// are, else of numbers. Whole numbers stay whole where they would lose digits.
func (k kind) typ() arrow.DataType {
	switch {
	case k.texts:
		return arrow.BinaryTypes.String
	case k.truths && !k.numbers:
		return arrow.FixedWidthTypes.Boolean
	case k.large && !k.fractions && !k.truths:
		return arrow.PrimitiveTypes.Int64
	}
	return arrow.PrimitiveTypes.Float64
}

// shape is what the first reading learns, and the second compares.
type shape struct {
	name  string
	rows  int
	kinds []kind // of the columns
}

// read calls a function with every cell of valid JSON.
func (s *shape) read(raw []byte, cell func(column int, token []byte) error) error {
	open, column := 0, 0
	for i := 0; i < len(raw); {
		switch c := raw[i]; {
		case c == '[' && open < 2:
			open++
			column = 0
			i++
		case c == ']':
			if open--; open == 1 {
				if err := s.endRow(column); err != nil {
					return err
				}
			}
			i++
		case strings.IndexByte(", \t\r\n", c) >= 0:
			i++
		case open == 0:
			return refusal.Newf(http.StatusBadRequest, "%s is not a list of rows", s.name)
		case c == '[' || c == '{':
			return refusal.Newf(http.StatusBadRequest,
				"row %d of %s: cell %d is not a number, text, true, false or null", s.rows+1, s.name, column)
		default:
			token := oip.Token(raw[i:])
			if err := cell(column, token); err != nil {
				return err
			}
			i += len(token)
			if column++; open == 1 {
				if err := s.endRow(column); err != nil {
					return err
				}
				column = 0
			}
		}
	}
	return nil
}

// endRow counts a row, which must have as many cells as the first one.
func (s *shape) endRow(cells int) error {
	s.rows++
	if cells == 0 || cells != len(s.kinds) {
		return refusal.Newf(http.StatusBadRequest, "row %d of %s has %d cells, but the first row has %d",
			s.rows, s.name, cells, len(s.kinds))
	}
	return nil
}

// learn notes what a cell is.
func (s *shape) learn(column int, token []byte) error {
	if column >= len(s.kinds) {
		if s.rows > 0 {
			return refusal.Newf(http.StatusBadRequest, "row %d of %s has more cells than the first row, "+
				"which has %d", s.rows+1, s.name, len(s.kinds))
		}
		s.kinds = append(s.kinds, kind{})
	}
	k := &s.kinds[column]
	switch token[0] {
	case '"':
		k.texts = true
	case 't', 'f':
		k.truths = true
	case 'n':
	default:
		k.numbers = true
		v, err := strconv.ParseInt(string(token), 10, 64)
		const exact = 1 << 53
		k.fractions = k.fractions || err != nil
		k.large = k.large || err == nil && (v > exact || v < -exact)
	}
	return nil
}

// columnBuilders are the columns of a table while it is read.
type columnBuilders struct{ list []array.Builder }

// add appends a cell. Numbers that are too large are infinite, which no model takes.
func (c *columnBuilders) add(column int, token []byte) error {
	text := string(token)
	if text == "null" {
		c.list[column].AppendNull()
		return nil
	}
	switch b := c.list[column].(type) {
	case *array.StringBuilder:
		if token[0] == '"' {
			if err := json.Unmarshal(token, &text); err != nil {
				return fmt.Errorf("hosted: a text of valid JSON: %w", err)
			}
		}
		b.Append(text)
	case *array.BooleanBuilder:
		b.Append(text == "true")
	case *array.Int64Builder:
		v, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return err
		}
		b.Append(v)
	case *array.Float64Builder:
		b.Append(number(text))
	}
	return nil
}

// number reads a number, or a truth value among numbers.
func number(text string) float64 {
	switch text {
	case "true":
		return 1
	case "false":
		return 0
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil && !math.IsInf(v, 0) {
		return math.NaN() // no number of valid JSON
	}
	return v
}
