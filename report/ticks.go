package report

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
)

// roundTicks marks an axis at round numbers, as nearly so many as there are.
type roundTicks int

// Ticks implements plot.Ticker: multiples of 1, 2, 2.5 or 5 times a power of ten in [lo, hi].
func (n roundTicks) Ticks(lo, hi float64) []plot.Tick {
	if !(hi > lo) || math.IsInf(hi-lo, 0) {
		return []plot.Tick{{Value: lo, Label: tickText(lo)}}
	}
	power := math.Pow(10, math.Floor(math.Log10((hi-lo)/float64(n))))
	var best []plot.Tick
	for _, m := range []float64{10, 5, 2.5, 2, 1} {
		ticks := multiples(m*power, lo, hi)
		far := func(t []plot.Tick) float64 { return math.Abs(float64(len(t) - int(n))) }
		if best == nil || far(ticks) < far(best) {
			best = ticks
		}
	}
	return best
}

// widest is the largest number that an axis shows, so that the length of an axis is finite. Larger
// ones are drawn there.
const widest = math.MaxFloat64 / 4

// drawable returns values as an axis shows them.
func drawable(values []float64) []float64 {
	shown := slices.Clone(values)
	for i, v := range shown {
		shown[i] = max(-widest, min(widest, v))
	}
	return shown
}

func multiples(step, lo, hi float64) []plot.Tick {
	var ticks []plot.Tick
	first, last := math.Ceil(lo/step-1e-9), math.Floor(hi/step+1e-9)
	for i := 0; float64(i) <= last-first; i++ {
		v, _ := strconv.ParseFloat(strconv.FormatFloat((first+float64(i))*step, 'g', 12, 64), 64)
		ticks = append(ticks, plot.Tick{Value: v, Label: tickText(v)})
	}
	return ticks
}

// tickText writes a round number, without an exponent where that is readable.
func tickText(v float64) string {
	if size := math.Abs(v); size >= 1e7 || size > 0 && size < 1e-4 {
		return strconv.FormatFloat(v, 'g', 4, 64)
	}
	return strconv.FormatFloat(v+0, 'f', -1, 64)
}

// inYear is a date without its time, its month or quarter, and its year.
var inYear = regexp.MustCompile(`^((\d{4})(?:[-/M]\d\d|[-/ ]?Q[1-4]| [A-Z][a-z]+))(?:-\d\d|$)`)
var first = regexp.MustCompile(`(01|Q1| Jan(uary)?)$`) // month or quarter

// periodTicks marks the beginnings of years, months or days, whichever are most but at most twelve;
// of more years than that, some. There are none if the names are no times, or all of one period.
func periodTicks(names []string) (ticks plot.ConstantTicks) {
	for _, part := range []int{2, 1, 0} {
		var finer plot.ConstantTicks
		for i, name := range names {
			found := inYear.FindStringSubmatch(name)
			switch {
			case found == nil:
				return nil
			case i > 0 && strings.HasPrefix(names[i-1], found[part]):
				continue
			case i == 0 && part == 2 && len(names) > 1 && strings.HasPrefix(names[1], found[part]) &&
				!first.MatchString(found[1]):
				found[part] = found[1] // where a year does not begin
			}
			finer = append(finer, plot.Tick{Value: float64(i), Label: found[part]})
		}
		every := (len(finer) + 11) / 12
		if part == 2 || every == 1 && len(finer) > len(ticks) {
			ticks = nil
			for k := 0; k < len(finer); k += every {
				ticks = append(ticks, finer[k])
			}
		}
	}
	if len(ticks) < 2 || len(ticks) == len(names) && strings.Count(names[0], "-") < 2 {
		return nil // each name is its own mark
	}
	return ticks
}

// namedTicks marks the values 0, 1, ... with names, as many of them as there is room for.
func namedTicks(names []string, most int) plot.ConstantTicks {
	if ticks := periodTicks(names); ticks != nil {
		return ticks
	}
	every := (len(names) + most - 1) / most
	var ticks plot.ConstantTicks
	for i := 0; i < len(names); i += every {
		ticks = append(ticks, plot.Tick{Value: float64(i), Label: Shorten(names[i], 24)})
	}
	return ticks
}

// ticks are the values of X of all series.
func (p Panel) ticks() plot.ConstantTicks {
	var ticks plot.ConstantTicks
	for _, s := range p.Series {
		for _, x := range s.X {
			if !slices.ContainsFunc(ticks, func(t plot.Tick) bool { return t.Value == x }) {
				ticks = append(ticks, plot.Tick{Value: x, Label: fmt.Sprintf("%g", x)})
			}
		}
	}
	return ticks
}

// ShareRange gives the panels of a row the range that all their series need.
func ShareRange(row []Panel) {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, p := range row {
		for _, s := range p.Series {
			for _, list := range [][]float64{s.Y, s.Lo, s.Hi} {
				for _, y := range drawable(list) {
					if !math.IsNaN(y) {
						lo, hi = min(lo, y), max(hi, y)
					}
				}
			}
		}
	}
	lo, hi = told(lo, hi)
	for i := range row {
		row[i].Range = []float64{lo, hi}
	}
}

// told widens a range whose ends are the same in the twelve digits of a mark on an axis.
func told(lo, hi float64) (float64, float64) {
	size := max(math.Abs(lo), math.Abs(hi))
	if math.IsInf(size, 0) || hi-lo > 1e-12*size {
		return lo, hi
	}
	pad := max(1, 1e-6*size)
	return lo - pad, hi + pad
}
