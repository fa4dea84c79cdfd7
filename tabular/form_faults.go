package tabular

import "fmt"

// at is an *Error at a cell.
func (w *wrongCells) at(format string, args ...any) *Error {
	return &Error{File: w.first.File, Line: w.first.Line, Row: w.first.Row,
		Msg: fmt.Sprintf(format, args...)}
}

// asText advises to take a column as text, among other things.
func (e *Error) asText(column, advice string, args ...any) *Error {
	return e.advise(advice+", or take the column as text with %s %s",
		append(args, OptionCategorical, columnValue(column))...)
}

// twoNumbers is the error of a column whose cells are different numbers by point and by comma.
func (e *evidence) twoNumbers(column string) *Error {
	text := e.doubtful.texts[0]
	x, _ := written{decimal: '.', unit: unitOf(text)}.number(text)
	y, _ := written{decimal: ',', unit: unitOf(text)}.number(text)
	fault := e.doubtful.at("%s is %s with a decimal point and %s with a decimal comma, and no other "+
		"cell tells which", quote(text), formatNumber(x, 64), formatNumber(y, 64))
	return fault.asText(column, "say which one the table has with %s", OptionDecimal)
}

// unitOf is the unit of an amount.
func unitOf(text string) string {
	_, unit := cutUnit(text)
	return unit
}

// twoSigns is the error of a column of so many cells that are all numbers, some of them with a
// decimal point only and some with a comma only; nil for another one.
func (e *evidence) twoSigns(present int, column string) *Error {
	if e.point+e.onlyComma.n < present || e.onlyPoint.n == 0 {
		return nil
	}
	fault := e.onlyComma.at("numbers are written with decimal commas, %s, and with decimal points, %s",
		quote(e.onlyComma.texts[0]), e.onlyPoint.place())
	return fault.asText(column, "write all of them with a point")
}

// contrary is the error of a column that has not the decimal sign that was asked for.
func (e *evidence) contrary(asked byte, column string) *Error {
	cells, name := &e.onlyComma, "point"
	if asked == ',' {
		cells, name = &e.onlyPoint, "comma"
	}
	fault := cells.at("%s is not a number with a decimal %s", quote(cells.texts[0]), name)
	return fault.asText(column, "leave %s out, so that every column tells for itself", OptionDecimal)
}

// mixedUnits is the error of numbers with different units, or some as percentages; nil for others.
func (e *evidence) mixedUnits(column string) *Error {
	var fault *Error
	switch {
	case len(e.units) > 1:
		fault = e.odd.at("amounts have different units: %s", listed(e.units))
	case len(e.units) == 1 && e.units[0] == percent && e.bare > 0:
		fault = e.odd.at("%d cells have a percent sign and %d have none, the first with one is %s",
			e.odd.n, e.bare, quote(e.odd.texts[0]))
	default:
		return nil
	}
	return fault.asText(column, "write all of them the same way")
}

// twoOrders is the error of a column of dates in both orders.
func (e *evidence) twoOrders(column string) *Error {
	fault := e.odd.at("some dates have the day first and some the month, such as %s",
		listed(e.odd.texts))
	return fault.asText(column, "write them as 2006-01-02")
}

// twoDates is the error of a column of dates in an order that nothing tells.
func (e *evidence) twoDates(column string) *Error {
	text := e.doubtful.texts[0]
	x, _, _ := dayFirst.parse(text)
	y, _, _ := monthFirst.parse(text)
	fault := e.doubtful.at("%s is %s with the day first and %s with the month first, and no other "+
		"cell tells which", quote(text), formatDayOf(x), formatDayOf(y))
	return fault.asText(column, "write dates as 2006-01-02")
}
