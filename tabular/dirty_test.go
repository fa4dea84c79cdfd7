package tabular

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/text/unicode/norm"

	"github.com/pfnamp/pfnamp/tabular/internal/spelling"
)

// dirts are ways to dirty a cell that holds a number. Their results may be read or refused, and if
// they are read, then as the number or as missing.
var dirts = []func(r *rand.Rand, text string) string{
	anySign,
	func(_ *rand.Rand, text string) string { return strings.Replace(text, "-", "−", 1) },
	func(_ *rand.Rand, text string) string { return strings.Replace(text, ".", ",", 1) },
	func(_ *rand.Rand, text string) string { return text + " kg" },
	func(_ *rand.Rand, text string) string { return "$" + text },
	func(_ *rand.Rand, text string) string { return text + "%" },
	func(_ *rand.Rand, text string) string { return "~" + text },
	func(_ *rand.Rand, text string) string { return text + "*" },
	func(_ *rand.Rand, text string) string { return `="` + text + `"` },
	func(_ *rand.Rand, text string) string { return " " + text + " " },
	func(_ *rand.Rand, text string) string { return text + "\u00a0CR" },
	func(_ *rand.Rand, text string) string { return "No. " + text },
	func(_ *rand.Rand, text string) string {
		return strings.Map(func(d rune) rune {
			if '0' <= d && d <= '9' {
				return d - '0' + '٠'
			}
			return d
		}, text)
	},
	func(_ *rand.Rand, text string) string {
		if rest, ok := strings.CutPrefix(text, "-"); ok {
			return []string{rest + "-", "(" + rest + ")"}[len(rest)%2]
		}
		return text
	},
	func(_ *rand.Rand, text string) string { return "o" + text },
}

type dirtKind struct {
	name  string
	cell  func(r *rand.Rand) string
	dirts []func(r *rand.Rand, text string) string
	// same tells whether an encoded cell of a column is the clean one.
	same func(c *Column, v float64, clean string) bool
}

// always makes a way to dirty that draws nothing.
func always(way func(string) string) func(*rand.Rand, string) string {
	return func(_ *rand.Rand, text string) string { return way(text) }
}

// asDate writes an ISO date in another form.
func asDate(form string) func(*rand.Rand, string) string {
	return always(func(text string) string {
		day, err := time.Parse(time.DateOnly, text)
		if err != nil {
			return text
		}
		return day.Format(form)
	})
}

var anySign = func(r *rand.Rand, _ string) string {
	return spelling.MissingSigns[r.IntN(len(spelling.MissingSigns))]
}

// sameText tells whether a category, or a text that every cell is, is the clean one but for case,
// spaces and the encoding of accents.
func sameText(c *Column, v float64, clean string) bool {
	return spelling.Fold(c.Categories[int(v)]) == spelling.Fold(clean)
}

var dirtKinds = []dirtKind{
	{"numbers", func(r *rand.Rand) string { return fmt.Sprintf("%.2f", 2000*r.Float64()-1000) }, dirts,
		func(c *Column, v float64, clean string) bool {
			x, err := strconv.ParseFloat(clean, 64)
			return c.Kind != Numeric || err == nil && math.Abs(v) == math.Abs(x)
		}},
	{"texts", func(r *rand.Rand) string { return []string{"Ålesund", "Málaga", "Oslo"}[r.IntN(3)] },
		[]func(*rand.Rand, string) string{anySign, always(strings.ToLower), always(strings.ToUpper),
			always(norm.NFD.String), always(func(s string) string { return s + " " }),
			always(func(s string) string { return strings.Replace(s, "o", "?", 1) }),
			always(func(string) string { return "Paris" })}, sameText},
	{"truth values", func(r *rand.Rand) string { return []string{"TRUE", "FALSE"}[r.IntN(2)] },
		[]func(*rand.Rand, string) string{anySign, always(strings.ToLower),
			always(strings.NewReplacer("TRUE", "T", "FALSE", "F").Replace),
			always(strings.NewReplacer("TRUE", "yes", "FALSE", "no").Replace),
			always(strings.NewReplacer("TRUE", "1", "FALSE", "0").Replace),
			always(strings.NewReplacer("TRUE", "ja", "FALSE", "nein").Replace),
			always(func(string) string { return "maybe" })},
		func(c *Column, v float64, clean string) bool {
			return c.Kind == Categorical || v == map[string]float64{"TRUE": 1, "FALSE": 0}[clean]
		}},
	{"dates", func(r *rand.Rand) string {
		return time.Date(2021, 1, 1+r.IntN(700), 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
	}, []func(*rand.Rand, string) string{anySign, asDate("2.1.2006"), asDate("January 2, 2006"),
		asDate("02-Jan-2006"), asDate("2006/01/02"), asDate("1/2/06"), asDate(time.RFC1123Z),
		always(func(s string) string { return "ca. " + s }),
		always(func(string) string { return "unknown day" })},
		func(c *Column, v float64, clean string) bool {
			day, _ := time.Parse(time.DateOnly, clean)
			return c.Kind == Categorical || c.Kind == Date && v == float64(day.Unix()/86400) ||
				c.Kind == Timestamp && v == float64(day.Unix())
		}},
}

// dirtied dirties cells: in some or all, in one way or two.
func dirtied(r *rand.Rand, clean []string, dirts []func(*rand.Rand, string) string) []string {
	cells := slices.Clone(clean)
	share := []float64{0.03, 0.2, 1}[r.IntN(3)]
	for range 1 + r.IntN(2) {
		way := dirts[r.IntN(len(dirts))]
		for i := range cells {
			if r.Float64() < share {
				cells[i] = way(r, cells[i])
			}
		}
	}
	return cells
}

// TestDirtyKinds dirties columns at random, in some cells or all, in one way or two, in the
// training table or in query rows. A dirtied cell is right, refused with a place and a remedy, or
// noted with the name of the column; never another value.
func TestDirtyKinds(t *testing.T) {
	for _, kind := range dirtKinds {
		outcomes := map[string]int{}
		for seed := range uint64(1500) {
			r := rand.New(rand.NewPCG(seed, 2))
			clean := make([]string, 40)
			for i := range clean {
				clean[i] = kind.cell(r)
			}
			cells := dirtied(r, clean, kind.dirts)
			train := [][]string{clean, cells}[seed%2]
			s, err := Learn(tableOf(t, "x", quoted(train)), SchemaOptions{Ignore: []string{"n"}})
			var f Features
			if err == nil {
				f, err = s.Features(tableOf(t, "x", quoted(cells)).Batches[0])
			}
			if err != nil {
				outcomes["refused"]++
				if e, ok := err.(*Error); !ok || (e.Column != "x" || e.Hint == "") &&
					!strings.Contains(err.Error(), "no features") {
					t.Errorf("%s, seed %d: %q is refused with %v", kind.name, seed, cells, err)
				}
				continue
			}
			c := &s.Columns[0]
			noted := len(f.Notes) > 0 || f.Unseen["x"] > 0 || slices.ContainsFunc(s.Notes,
				func(note string) bool { return strings.Contains(note, `"x"`) })
			changed := !slices.EqualFunc(cells, clean, sameCell)
			if kind.name == "numbers" { // to which spaces do not belong
				changed = !slices.EqualFunc(cells, clean, func(a, b string) bool {
					return sameCell(strings.TrimSpace(a), b)
				})
			}
			switch { // TRAIN may have any texts but two alike, and any truth values but two kinds
			case seed%2 == 0:
			case kind.name == "numbers":
				changed = changed && slices.ContainsFunc(cells, resembles)
			case kind.name == "texts":
				clean, changed = cells, labelTwins(c.Categories) != ""
			case kind.name == "truth values":
				changed = changed && slices.ContainsFunc(cells, isTruth)
			case kind.name == "dates":
				changed = changed && strings.ContainsAny(strings.Join(cells, ""), "0123456789")
			}
			if !noted && changed {
				t.Errorf("%s, seed %d: %q is read without a note as %v", kind.name, seed, cells, c.Kind)
			}
			for i := range cells {
				v := f.Row(i)[0]
				if missing := math.IsNaN(v) || c.Kind.categorical() && v == Unseen; missing {
					outcomes["missing"]++
				} else if kind.same(c, v, clean[i]) {
					outcomes["right"]++
				} else {
					t.Errorf("%s, seed %d: %q for %q is read as %v", kind.name, seed, cells[i], clean[i], v)
				}
			}
		}
		if outcomes["right"] < 5000 || outcomes["missing"] < 500 {
			t.Errorf("%s: %v", kind.name, outcomes)
		}
	}
}

func isTruth(text string) bool {
	_, ok := spelling.ParseTruth(text)
	return ok
}

// sameCell tells whether two cells differ at most by what every reader ignores: spaces around
// them, the case of truth values, and usual signs of missing values.
func sameCell(a, b string) bool {
	return a == b || strings.EqualFold(a, b) && isTruth(a) || slices.Contains(DefaultNA(), a)
}

// quoted are cells as text files have them.
func quoted(cells []string) []string {
	all := make([]string, len(cells))
	for i, cell := range cells {
		all[i] = `"` + strings.ReplaceAll(cell, `"`, `""`) + `"`
	}
	return all
}
