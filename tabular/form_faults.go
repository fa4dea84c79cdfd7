package tabular

import (
	"fmt"
	"slices"
)

// at makes an *Error about a cell.
func (w *wrongCells) at(format string, args ...any) *Error {
	return &Error{File: w.first.File, Line: w.first.Line, Row: w.first.Row,
		Msg: fmt.Sprintf(format, args...)}
}

// asText sets a hint that ends with taking the column as text.
func (e *Error) asText(column, advice string, args ...any) *Error {
	return e.advise(advice+", or take the column as text with %s %s",
		append(args, OptionCategorical, columnValue(column))...)
}

// twoNumbers returns the error for a column whose cells are different numbers with point and with
// comma.
func (e *evidence) twoNumbers(column string) *Error {
	text := e.doubtful.texts[0]
	x, _ := written{decimal: '.', unit: unitOf(text)}.number(text)
	y, _ := written{decimal: ',', unit: unitOf(text)}.number(text)
	fault := e.doubtful.at("%s is %s with a decimal point but %s with a decimal comma, and no other "+
		"cell settles it", quote(text), formatNumber(x, 64), formatNumber(y, 64))
	return fault.asText(column, "set the decimal sign with %s", OptionDecimal)
}

// unitOf returns the unit of an amount.
func unitOf(text string) string {
	_, unit := cutUnit(text)
	return unit
}

// twoSigns returns the error for a column of numbers if some have a decimal point only and some a
// decimal comma only; otherwise it is nil. present is the number of cells.
func (e *evidence) twoSigns(present int, column string) *Error {
	if e.point+e.onlyComma.n < present || e.onlyPoint.n == 0 {
		return nil
	}
	fault := e.onlyComma.at("some numbers have a decimal comma, %s, and some a decimal point, %s",
		quote(e.onlyComma.texts[0]), e.onlyPoint.place())
	return fault.asText(column, "write all of them with a point")
}

// contrary returns the error for a column that does not have the requested decimal sign.
func (e *evidence) contrary(asked byte, column string) *Error {
	cells, name := &e.onlyComma, "point"
	if asked == ',' {
		cells, name = &e.onlyPoint, "comma"
	}
	fault := cells.at("%s is not a number with a decimal %s", quote(cells.texts[0]), name)
	return fault.asText(column, "drop %s, so that pfnamp finds the sign of every column",
		OptionDecimal)
}

// mixedUnits returns the error for numbers with different units, or only some percentages;
// otherwise it is nil.
func (e *evidence) mixedUnits(column string) *Error {
	var fault *Error
	switch {
	case len(e.units) > 1:
		fault = e.odd.at("the amounts have different units: %s", listed(e.units))
	case len(e.units) == 1 && e.units[0] == percent && e.bare > 0:
		fault = e.odd.at("%d cells have a percent sign and %d have none; the first with one is %s",
			e.odd.n, e.bare, quote(e.odd.texts[0]))
	default:
		return nil
	}
	return fault.asText(column, "write all cells in one unit")
}

// twoOrders returns the error for a column of dates in both orders.
func (e *evidence) twoOrders(column string) *Error {
	fault := e.odd.at("some dates have the day first and some the month first, for example %s",
		listed(e.odd.texts))
	return fault.asText(column, "write dates as 2006-01-02")
}

// unlikeOrder returns the error for a column of dates that do not have the requested order.
func (e *evidence) unlikeOrder(at int, column string) *Error {
	fault := e.unlike[at].at("%s is not a date with the %s", quote(e.unlike[at].texts[0]),
		orders[at].words())
	return fault.asText(column, "drop %s, so that pfnamp finds the order of every column",
		OptionDates)
}

// creditAlone returns the error for numbers if some have CR, or DR, and others neither of
// them; otherwise it is nil. present is the number of cells.
func (e *evidence) creditAlone(present int, column string) *Error {
	var sides [2]*wrongCells
	for i, s := range spellings {
		if at := slices.Index([]string{creditName, debitName}, s.name); at >= 0 {
			sides[at] = &e.spelled[i]
		}
	}
	one, other := sides[0], sides[1]
	if one.n == 0 {
		one, other = other, one
	}
	if one.n == 0 || other.n > 0 || one.n == present {
		return nil
	}
	fault := one.at("%s may be a credit, a debit or millions, and other cells have no such mark",
		quote(one.texts[0]))
	return fault.asText(column, "write all cells with their signs")
}

// twoDates returns the error for a column of dates whose order cannot be inferred.
func (e *evidence) twoDates(column string) *Error {
	text := e.doubtful.texts[0]
	x, _, _ := DayFirst.parse(text)
	y, _, _ := MonthFirst.parse(text)
	fault := e.doubtful.at("%s is %s with the day first but %s with the month first, and no other "+
		"cell settles it", quote(text), formatDayOf(x), formatDayOf(y))
	return fault.asText(column, "set the order with %s %s or %s %s", OptionDates, DayFirst,
		OptionDates, MonthFirst)
}
