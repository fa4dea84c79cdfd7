package workbook

import (
	"archive/zip"
	"bufio"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/pfnamp/pfnamp/tabular/internal/csv"
	"github.com/pfnamp/pfnamp/tabular/internal/ground"
)

// maxExact bounds the whole numbers that Excel keeps exactly: it has 15 digits. Larger numbers,
// which are mostly codes, are written as text.
const maxExact = 1_000_000_000_000_000

// plainDecimal is a number without leading zeros or an exponent, as people write it.
var plainDecimal = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?$`)

// encoder writes a workbook with one sheet. It writes numbers, truth values and dates as such,
// other values as in CSV, and a null as an empty cell. Texts that are plain decimals, days or times
// become those, because cells of text files are texts and Excel does not calculate with texts. The
// bytes depend only on the cells.
type encoder struct {
	zip   *zip.Writer
	sheet *bufio.Writer
	row   int
	err   error // sticky
}

// NewEncoder writes the names of the columns.
func NewEncoder(w io.Writer, to ground.Output) (ground.Encoder, error) {
	names := ground.FieldNames(to.Schema)
	if len(names) > MaxColumns {
		return nil, &ground.Error{Msg: fmt.Sprintf("a sheet holds up to %d columns, but the table has %d",
			MaxColumns, len(names)), Limit: true, Hint: "write .csv or .parquet"}
	}
	if err := csv.CheckTypes(to.Schema); err != nil {
		return nil, err
	}
	e := &encoder{zip: zip.NewWriter(w)}
	if err := e.begin(names); err != nil {
		return nil, err
	}
	for i, name := range names {
		if err := e.putText(i, ` s="3"`, name); err != nil {
			return nil, &ground.Error{Column: ground.Quote(name), Msg: err.Error()}
		}
	}
	return e, nil
}

// putCell writes a value, which is not null, to a column of the row.
type putCell func(column, row int) error

// Write appends the rows of a batch.
func (e *encoder) Write(rec arrow.RecordBatch) error {
	puts := make([]putCell, rec.NumCols())
	for i, column := range rec.Columns() {
		puts[i] = e.cell(column)
	}
	for row := range int(rec.NumRows()) {
		if err := e.nextRow(); err != nil {
			return &ground.Error{Msg: err.Error(), Hint: "write .csv or .parquet"}
		}
		for i, column := range rec.Columns() {
			if column.IsNull(row) || column.DataType().ID() == arrow.NULL {
				continue
			}
			if err := puts[i](i, row); err != nil {
				return &ground.Error{Column: rec.ColumnName(i), Msg: err.Error(),
					Hint: "write .csv or .parquet"}
			}
		}
	}
	return nil
}

func (e *encoder) cell(column arrow.Array) putCell {
	switch a := column.(type) {
	case *array.Boolean:
		return func(c, i int) error {
			e.openCell(c, ` t="b"`)
			e.print("<v>", map[bool]string{true: "1", false: "0"}[a.Value(i)], "</v></c>")
			return nil
		}
	case array.StringLike:
		return func(c, i int) error {
			text := a.Value(i)
			if len(text) <= 15 && plainDecimal.MatchString(text) {
				e.putNumber(c, "", text)
				return nil
			}
			for _, layout := range []string{time.DateOnly, "2006-01-02T15:04:05", time.DateTime} {
				if len(text) != len(layout) || text[4] != '-' {
					continue
				}
				at, err := time.Parse(layout, text)
				if err == nil && e.putDate(c, at, layout == time.DateOnly) {
					return nil
				}
			}
			return e.putText(c, "", text)
		}
	case *array.Date32:
		return e.dates(column, true, func(i int) time.Time { return a.Value(i).ToTime() })
	case *array.Timestamp:
		t := a.DataType().(*arrow.TimestampType)
		if t.TimeZone == "" { // a workbook has no time zones
			return e.dates(column, false, func(i int) time.Time { return a.Value(i).ToTime(t.Unit) })
		}
	case array.ExtensionArray:
		return func(c, i int) error { return e.putText(c, "", a.ValueStr(i)) }
	}
	return e.numbers(column)
}

// dates writes days or times; those that a workbook cannot hold become texts.
func (e *encoder) dates(column arrow.Array, day bool, at func(int) time.Time) putCell {
	text := csv.CellText(column)
	return func(c, i int) error {
		if e.putDate(c, at(i), day) {
			return nil
		}
		return e.putText(c, "", string(text(nil, i)))
	}
}

// numbers writes numbers. Values like inf, and numbers with more digits than a workbook holds,
// become texts.
func (e *encoder) numbers(column arrow.Array) putCell {
	text := csv.CellText(column)
	kind := column.DataType().ID()
	numeric := arrow.IsInteger(kind) || arrow.IsFloating(kind) || arrow.IsDecimal(kind)
	return func(c, i int) error {
		cell := string(text(nil, i))
		x, err := strconv.ParseFloat(cell, 64)
		exact := arrow.IsFloating(kind) || math.Abs(x) < maxExact && len(cell) <= 16
		if numeric && err == nil && !math.IsInf(x, 0) && !math.IsNaN(x) && exact {
			style := ""
			if arrow.IsFloating(kind) {
				style = styleOf(x, len(cell))
			}
			e.putNumber(c, style, cell)
			return nil
		}
		return e.putText(c, "", cell)
	}
}
