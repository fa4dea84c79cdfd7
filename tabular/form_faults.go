package tabular

import "fmt"

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

// twoDates returns the error for a column of dates whose order cannot be inferred.
func (e *evidence) twoDates(column string) *Error {
	text := e.doubtful.texts[0]
	x, _, _ := dayFirst.parse(text)
	y, _, _ := monthFirst.parse(text)
	fault := e.doubtful.at("%s is %s with the day first but %s with the month first, and no other "+
		"cell settles it", quote(text), formatDayOf(x), formatDayOf(y))
	return fault.asText(column, "write dates as 2006-01-02")
}
