package output

import (
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"golang.org/x/term"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/stdio"
	"github.com/pfnamp/pfnamp/internal/plain"
	"github.com/pfnamp/pfnamp/report"
)

// Bounds of what a terminal shows.
const (
	screenRows   = 50 // a longer table is shown by its first and last rows
	screenFirst  = 40
	screenLast   = 10
	screenText   = 24 // characters of a cell of text
	screenDigits = 4  // significant digits, unless --digits says otherwise
	screenWidth  = 80 // where the terminal does not tell
)

// Scale is which columns of a screen have their decimals in common.
type Scale int

// Scales: text and kept columns; the unit of the target; probabilities.
const (
	AsItIs Scale = iota
	OfTarget
	OfProbability
)

// screen shows a table of predictions to a person: aligned, with few digits and, where it is long,
// the first and the last rows. Numbers of one scale have equally many decimals.
type screen struct {
	out    io.Writer
	width  int // of the terminal
	digits int
	bold   bool
	names  []string
	scales []Scale

	rows        int64
	first, last []shownRow
}

// shownRow is a row: its number, and texts or numbers of its cells.
type shownRow struct {
	number int64
	texts  []string
	values []float64
}

func openScreen(out io.Writer, digits int, shown View) *screen {
	s := &screen{out: stdio.Behind(out), width: screenWidth, digits: digits,
		bold: os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"}
	for i, field := range shown.Schema.Fields() {
		scale := AsItIs
		if field.Type.ID() == arrow.FLOAT64 {
			scale = shown.Scale(i, field.Name)
		}
		s.names, s.scales = append(s.names, field.Name), append(s.scales, scale)
	}
	if digits == 0 {
		s.digits = screenDigits
	}
	if checked, ok := s.out.(*stdio.Checked); ok {
		if file, ok := checked.Writer.(*os.File); ok {
			if w, _, err := term.GetSize(int(file.Fd())); err == nil && w > 0 {
				s.width = w
			}
		}
	}
	return s
}

// add keeps the rows of a batch that will be shown.
func (s *screen) add(record arrow.RecordBatch) {
	for i := range int(record.NumRows()) {
		s.rows++
		switch {
		case len(s.first) < screenRows:
			s.first = append(s.first, s.row(record, i))
		case record.NumRows()-int64(i) <= screenLast: // of this batch; later ones push them out
			s.last = append(s.last, s.row(record, i))
		}
	}
	s.last = s.last[max(0, len(s.last)-screenLast):]
}

func (s *screen) row(record arrow.RecordBatch, i int) shownRow {
	row := shownRow{s.rows, make([]string, len(s.names)), make([]float64, len(s.names))}
	for k, column := range record.Columns() {
		switch floats, ok := column.(*array.Float64); {
		case column.IsNull(i):
			row.values[k] = math.NaN()
		case ok && s.scales[k] != AsItIs:
			row.values[k] = floats.Value(i)
			row.texts[k] = "number"
		default:
			row.texts[k] = report.Shorten(plain.Text(column.ValueStr(i)), screenText)
		}
	}
	return row
}

func (s *screen) finish() error {
	shown := s.shown()
	decimals := map[Scale]int{OfProbability: s.digits - 1, OfTarget: s.decimals(shown)}
	columns := [][]string{{""}}
	for _, row := range shown {
		number := "⋮"
		if row.number >= 0 {
			number = strconv.FormatInt(row.number, 10) // in TEST
		}
		columns[0] = append(columns[0], number)
	}
	for k, name := range s.names {
		column := []string{report.Shorten(plain.Text(name), screenText)}
		for _, row := range shown {
			text := row.texts[k]
			if text != "" && s.scales[k] != AsItIs {
				text = fixed(row.values[k], decimals[s.scales[k]], s.digits)
				if s.scales[k] == OfProbability {
					text = bounded(row.values[k], text)
				}
			}
			column = append(column, text)
		}
		columns = append(columns, column)
	}
	return s.print(columns)
}

// shown lists the rows that are shown, with an empty one where some are left out.
func (s *screen) shown() []shownRow {
	if s.rows <= screenRows {
		return s.first
	}
	last := slices.Concat(s.first, s.last)
	last = last[max(len(last)-screenLast, screenFirst):]
	gap := shownRow{-1, make([]string, len(s.names)), make([]float64, len(s.names))}
	return slices.Concat(s.first[:screenFirst], []shownRow{gap}, last)
}

// decimals is how many decimals give the target's numbers the digits asked for, by their median
// size.
func (s *screen) decimals(rows []shownRow) int {
	var sizes []float64
	for _, row := range rows {
		for k, v := range row.values {
			if size := math.Abs(v); s.scales[k] == OfTarget && size > 0 && !math.IsInf(size, 0) {
				sizes = append(sizes, size)
			}
		}
	}
	if len(sizes) == 0 {
		return 0
	}
	slices.Sort(sizes)
	return s.digits - 1 - int(math.Floor(math.Log10(sizes[len(sizes)/2])))
}

// fixed writes a number with so many decimals, or in powers of ten where that were long.
func fixed(v float64, decimals, digits int) string {
	if decimals > 7 || decimals < digits-9 {
		return strconv.FormatFloat(v, 'e', digits-1, 64)
	}
	text := strconv.FormatFloat(v, 'f', max(0, decimals), 64)
	if strings.Trim(text, "-0.") == "" {
		return strings.TrimPrefix(text, "-") // no negative zero
	}
	return text
}

// bounded is the text of a probability. One that looks like 0 or 1 and is neither becomes a bound:
// <0.001 or >0.999.
func bounded(p float64, text string) string {
	digits, decimals := strings.CutPrefix(text, "0.")
	nines, nearOne := strings.CutPrefix(text, "1.")
	switch {
	case p > 0 && decimals && strings.Trim(digits, "0") == "":
		return "<" + text[:len(text)-1] + "1"
	case p < 1 && nearOne && strings.Trim(nines, "0") == "":
		return ">0." + strings.Repeat("9", len(nines))
	}
	return text
}

// print aligns columns; those for which the terminal has no room are named at the end.
func (s *screen) print(columns [][]string) error {
	lines := make([]strings.Builder, len(columns[0]))
	widths := make([]int, len(columns))
	used, shown := 0, 0
	for k, column := range columns {
		for _, text := range column {
			widths[k] = max(widths[k], utf8.RuneCountInString(text))
		}
		if used += 2*min(k, 1) + widths[k]; used > s.width && k > 1 {
			break
		}
		shown = k + 1
	}
	for k, column := range columns[:shown] {
		gap, width := 2*min(k, 1), widths[k]
		for i, text := range column {
			space := strings.Repeat(" ", width-utf8.RuneCountInString(text))
			lines[i].WriteString(strings.Repeat(" ", gap))
			if k > 0 && s.scales[k-1] == AsItIs {
				lines[i].WriteString(text + space)
			} else {
				lines[i].WriteString(space + text)
			}
		}
	}
	var out strings.Builder
	for i := range lines {
		line := strings.TrimRight(lines[i].String(), " ")
		if i == 0 && s.bold {
			line = "\x1b[1m" + line + "\x1b[m"
		}
		out.WriteString(line + "\n")
	}
	if left := s.names[shown-1:]; len(left) > 0 {
		fmt.Fprintf(&out, "not shown, because the terminal is too narrow: %s\n",
			plain.Text(strings.Join(left, ", ")))
	}
	_, err := io.WriteString(s.out, out.String())
	return err
}
