package report

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"

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

// isoDay is a date, which may have a time.
var isoDay = regexp.MustCompile(`^\d{4}-\d\d-\d\d`)

// periodTicks marks the beginnings of years, months or days, whichever are most but at most twelve.
// There are none if the names are not dates, or all of the same period.
func periodTicks(names []string) (ticks plot.ConstantTicks) {
	const year, month, day = len("2006"), len("2006-01"), len("2006-01-02")
	for _, period := range []int{year, month, day} {
		var finer plot.ConstantTicks
		for i, name := range names {
			label := isoDay.FindString(name)
			switch {
			case label == "":
				return nil
			case i > 0 && label[:period] == names[i-1][:period]:
				continue
			case i == 0 && period == year && label[year:month] != "-01" && len(names) > 1 &&
				label[:year] == names[1][:year]:
				label = label[:month] // where a year does not begin
			default:
				label = label[:period]
			}
			finer = append(finer, plot.Tick{Value: float64(i), Label: label})
		}
		if len(finer) > 12 {
			break
		}
		if len(finer) > len(ticks) {
			ticks = finer
		}
	}
	if len(ticks) < 2 {
		return nil
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
		ticks = append(ticks, plot.Tick{Value: float64(i), Label: names[i]})
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
