package tabular

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/pfnamp/pfnamp/tabular/internal/ground"
	"github.com/pfnamp/pfnamp/tabular/internal/spelling"
)

// evidence counts how the numbers and dates of a text column are written.
type evidence struct {
	// Numbers with a decimal point, numbers with a decimal comma, and those of them without a unit.
	// Below: the first few different units.
	point, comma, bare int
	units              []string
	// The numbers among them whose unit must be in all cells, as kg must.
	measured         wrongCells
	pointed, commaed int            // of these
	spelled          [32]wrongCells // by spelling: the cells that have it
	grouped          wrongCells     // unusual for their separators only
	resembling       wrongCells     // unread cells that look like numbers or dates
	signs            wrongCells     // cells that mean a missing value among numbers

	// Dates that are not ISO 8601: how many each order can read, and the cells that it cannot.
	ordered [3]int
	unlike  [3]wrongCells
	dated   int
	clock   bool // a date has a time of day

	// odd: cells that ParseNumber and parseTime do not read. doubtful: cells that can be read in
	// two ways.
	odd, doubtful        wrongCells
	onlyPoint, onlyComma wrongCells // numbers with only one of the decimal signs
	unread               wrongCells // neither numbers nor dates
}

// addNumber adds a cell that ParseNumber reads. number reports that the file holds it as a number,
// as JSON and workbooks do.
func (e *evidence) addNumber(b *Batch, row int, text string, number bool) {
	e.point++
	e.bare++
	switch {
	case number || strings.IndexByte(text, '.') < 0:
		e.comma++
	case oneGroup(text):
		e.comma++
		e.doubtful.add(b, row, text)
	default:
		e.onlyPoint.add(b, row, text)
	}
}

// oneGroup reports whether the point of a number that ParseNumber reads could separate thousands.
func oneGroup(text string) bool {
	_, text = spelling.CutSign(spelling.Trim(text))
	n := len(text) - 4
	return 1 <= n && n <= 3 && text[n] == '.' && text[0] != '0' && spelling.Digits(text) == n &&
		spelling.Digits(text[n+1:]) == 3
}

// addText adds any other cell.
func (e *evidence) addText(b *Batch, row int, text string) {
	if c := spelling.ReadAmount(text); c.Point || c.Comma {
		e.odd.add(b, row, text)
		e.count(b, row, text, c)
		switch {
		case !c.Comma:
			e.onlyPoint.add(b, row, text)
		case !c.Point:
			e.onlyComma.add(b, row, text)
		}
		if c.Differ {
			e.doubtful.add(b, row, text)
		}
		return
	}
	if e.addDate(b, row, text) {
		return
	}
	e.unread.add(b, row, text)
	if resembles(text) {
		e.resembling.add(b, row, text)
	}
}

func (e *evidence) addDate(b *Batch, row int, text string) bool {
	var seconds [3]float64
	var reads [3]bool
	for i, order := range spelling.Orders {
		var day bool
		if seconds[i], day, reads[i] = order.Parse(text); reads[i] {
			e.clock = e.clock || !day
		}
	}
	if !slices.Contains(reads[:], true) {
		return false
	}
	e.odd.add(b, row, text)
	e.dated++
	for i, ok := range reads {
		if ok {
			e.ordered[i]++
		} else {
			e.unlike[i].add(b, row, text)
		}
	}
	if reads[0] && reads[1] && seconds[0] != seconds[1] {
		e.doubtful.add(b, row, text)
	}
	return true
}

// resembles reports whether a text that is not read looks like a number or a date: it has a digit,
// and at most as many letters as digits, or the name of a month. Codes such as p0 and AB-12 do not.
func resembles(text string) bool {
	digits, letters, word := 0, 0, []rune(nil)
	month := false
	for _, r := range strings.ToLower(text) + " " {
		switch {
		case unicode.IsDigit(r):
			digits++
		case unicode.IsLetter(r):
			letters++
			word = append(word, r)
			continue
		}
		month = month || spelling.Months()[string(word)] > 0
		word = word[:0]
	}
	return digits > 0 && (month || letters <= digits && !codes.MatchString(text))
}

// codes match texts of letters, then digits.
var codes = regexp.MustCompile(`^\s*\pL+[-_]?\d`)

func (e *evidence) count(b *Batch, row int, text string, c spelling.Amount) {
	for i := range spelling.Spellings {
		if c.How&(1<<i) != 0 {
			e.spelled[i].add(b, row, text)
		}
	}
	if c.Point {
		e.point++
	}
	if c.Comma {
		e.comma++
	}
	if c.Unit == "" {
		if c.How == 0 {
			e.grouped.add(b, row, text)
		}
		e.bare++
		return
	}
	if spelling.IsMeasure(c.Unit) {
		e.measured.add(b, row, text)
		if c.Point {
			e.pointed++
		}
		if c.Comma {
			e.commaed++
		}
	}
	if !slices.Contains(e.units, c.Unit) && len(e.units) < ground.MaxListed {
		e.units = append(e.units, c.Unit)
	}
}

// decimal returns the decimal sign of a column with this many cells, or 0 if the sign is in doubt
// or the cells are not numbers.
func (e *evidence) decimal(present int) byte {
	switch point, comma := e.point == present, e.comma == present; {
	case point && !comma:
		return '.'
	case comma && !point:
		return ','
	}
	return 0
}

// days returns the order of dates likewise; dates that begin with the year are in doubt only if no
// other order reads them all.
func (e *evidence) days() DayOrder {
	if e.dated == 0 || e.ordered[0] == e.dated && e.ordered[1] == e.dated {
		return ""
	}
	if i := slices.Index(e.ordered[:], e.dated); i >= 0 {
		return spelling.Orders[i]
	}
	return ""
}

// settle makes cells with units unread unless all cells of the column have one and the same.
func (e *evidence) settle() {
	if e.measured.n == 0 || e.bare == 0 && len(e.units) == 1 {
		return
	}
	e.point, e.comma = e.point-e.pointed, e.comma-e.commaed
	e.units = slices.DeleteFunc(e.units, spelling.IsMeasure)
	e.unread.merge(&e.measured)
	e.resembling.merge(&e.measured)
	e.measured, e.pointed, e.commaed = wrongCells{}, 0, 0
}

// told returns the value that all columns without doubt share, or the zero value if they differ.
func told[T cmp.Ordered](values []T) (none T) {
	different := slices.Compact(slices.Sorted(slices.Values(values)))
	different = slices.DeleteFunc(different, func(v T) bool { return v == none })
	if len(different) == 1 {
		return different[0]
	}
	return none
}
