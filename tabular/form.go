package tabular

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/pfnamp/pfnamp/tabular/internal/ground"
	"github.com/pfnamp/pfnamp/tabular/internal/spelling"
)

// tell applies what unambiguous columns say to the other columns. It returns the target if it is a
// number.
func (l *learner) tell() (target *found, err error) {
	columns := l.found
	if at := ground.FieldIndex(l.train.Schema, l.opt.Target); l.opt.Target != "" && !l.opt.Labels {
		target = &found{Column: Column{Name: l.opt.Target}}
		if err := l.look(target, at); err != nil {
			return nil, err
		}
		columns = append(slices.Clone(columns), target)
	}
	decimals, days := make([]byte, len(columns)), make([]DayOrder, len(columns))
	for i, f := range columns {
		if f.scan.readable() && !slices.Contains(l.opt.Categorical, f.Name) {
			decimals[i] = f.scan.evidence.decimal(f.scan.present)
			if f.scan.dated() >= f.scan.present {
				days[i] = f.scan.evidence.days()
			}
		}
	}
	l.told = spelling.Form{Decimal: told(decimals), Days: told(days)}
	return target, nil
}

// form finds how a column is written. It fails if the column can be read in two ways.
func (l *learner) form(f *found) (spelling.Form, error) {
	if !f.scan.readable() || slices.Contains(l.opt.Categorical, f.Name) {
		return spelling.Form{}, nil
	}
	e := &f.scan.evidence
	decimal, fault := l.decimal(f)
	form := spelling.Form{Decimal: decimal}
	if fault == nil && decimal == 0 {
		form.Days, fault = l.days(f)
	} else if fault == nil {
		fault = cmp.Or(e.mixedUnits(f.Name), e.creditAlone(f.scan.present, f.Name))
	}
	if fault != nil {
		fault.Column = f.Name
		return spelling.Form{}, fault
	}
	if decimal != 0 {
		if len(e.units) > 0 {
			form.Unit = e.units[0]
		}
		l.noteForm(f, form)
	}
	return form, nil
}

// decimal returns the decimal sign of a column, or 0 if ParseNumber reads its numbers or it has
// none.
func (l *learner) decimal(f *found) (byte, *Error) {
	e, n := &f.scan.evidence, f.scan.present
	asked, certain := l.train.decimal, e.decimal(n)
	switch {
	case e.point < n && e.comma < n:
		return 0, e.twoSigns(n, f.Name)
	case asked != 0 && certain != 0 && asked != certain:
		cells, name := &e.onlyComma, "point"
		if asked == ',' {
			cells, name = &e.onlyPoint, "comma"
		}
		fault := cells.at("%s is not a number with a decimal %s", quote(cells.texts[0]), name)
		return 0, asText(fault, f.Name, "drop %s, so that pfnamp finds the sign of every column",
			OptionDecimal)
	case asked == ',':
		return ',', nil
	case f.scan.numbers == n && (certain == '.' || asked == '.' || l.told.Decimal != ','):
		return 0, nil
	case certain != 0:
		return certain, nil
	case asked != 0:
		return asked, nil
	case l.told.Decimal != 0:
		return l.told.Decimal, nil
	case e.doubtful.n > 0:
		return 0, e.twoNumbers(f.Name)
	}
	return '.', nil
}

// days returns the order of a column's dates, or "" if all dates are ISO 8601.
func (l *learner) days(f *found) (DayOrder, *Error) {
	e, n, asked := &f.scan.evidence, f.scan.present, l.opt.Dates.order()
	if e.dated == 0 || f.scan.dated() < n && e.dated+f.scan.dates+f.scan.times < n {
		return "", nil
	}
	certain := e.days()
	switch at := slices.Index(spelling.Orders, asked); {
	case at >= 0 && e.ordered[at] == e.dated:
		return asked, nil
	case at >= 0:
		cells := &e.unlike[at]
		fault := cells.at("%s is not a date with the %s", quote(cells.texts[0]), asked.Words())
		return "", asText(fault, f.Name, "drop %s, so that pfnamp finds the order of every column",
			OptionDates)
	case max(e.ordered[0], e.ordered[1], e.ordered[2]) < e.dated:
		fault := e.odd.at("some dates have the day first and some the month first, for example %s",
			listed(e.odd.texts))
		return "", asText(fault, f.Name, "write dates as 2006-01-02")
	case certain != "":
		return certain, nil
	case e.doubtful.n == 0:
		return DayFirst, nil
	case l.told.Days != "":
		return l.told.Days, nil
	}
	return "", e.twoDates(f.Name)
}

func (w *wrongCells) at(format string, args ...any) *Error {
	return &Error{File: w.first.File, Line: w.first.Line, Row: w.first.Row,
		Msg: fmt.Sprintf(format, args...)}
}

// asText sets a hint that ends with taking the column as text.
func asText(e *Error, column, advice string, args ...any) *Error {
	return e.Advise(advice+"; or take the column as text with %s %s",
		append(args, OptionCategorical, columnValue(column))...)
}

// twoNumbers returns the error for a column whose cells are different numbers with point and with
// comma.
func (e *evidence) twoNumbers(column string) *Error {
	text := e.doubtful.texts[0]
	_, unit := spelling.CutUnit(text)
	x, _ := spelling.Form{Decimal: '.', Unit: unit}.Number(text)
	y, _ := spelling.Form{Decimal: ',', Unit: unit}.Number(text)
	fault := e.doubtful.at("%s is %s with a decimal point but %s with a decimal comma, and no other "+
		"cell settles it", quote(text), spelling.FormatNumber(x, 64), spelling.FormatNumber(y, 64))
	return asText(fault, column, "set the decimal sign with %s", OptionDecimal)
}

// twoSigns returns the error for a column of numbers if some have a decimal point only and some a
// decimal comma only; otherwise it is nil. present is the number of cells.
func (e *evidence) twoSigns(present int, column string) *Error {
	if e.point+e.onlyComma.n < present || e.onlyPoint.n == 0 {
		return nil
	}
	fault := e.onlyComma.at("some numbers have a decimal comma, %s, and some a decimal point, %s",
		quote(e.onlyComma.texts[0]), e.onlyPoint.place())
	return asText(fault, column, "write all of them with a point")
}

// mixedUnits returns the error for numbers with different units, or only some percentages;
// otherwise it is nil.
func (e *evidence) mixedUnits(column string) *Error {
	var fault *Error
	switch {
	case len(e.units) > 1:
		fault = e.odd.at("the amounts have different units: %s", listed(e.units))
	case len(e.units) == 1 && e.units[0] == spelling.Percent && e.bare > 0:
		fault = e.odd.at("%d cells have a percent sign and %d have none; the first with one is %s",
			e.odd.n, e.bare, quote(e.odd.texts[0]))
	default:
		return nil
	}
	return asText(fault, column, "write all cells in one unit")
}

// creditAlone returns the error for numbers if some have CR, or DR, and others neither of
// them; otherwise it is nil. present is the number of cells.
func (e *evidence) creditAlone(present int, column string) *Error {
	var sides [2]*wrongCells
	for i, s := range spelling.Spellings {
		if at := slices.Index([]string{spelling.CreditName, spelling.DebitName}, s.Name); at >= 0 {
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
	return asText(fault, column, "write all cells with their signs")
}

// twoDates returns the error for a column of dates whose order cannot be inferred.
func (e *evidence) twoDates(column string) *Error {
	text := e.doubtful.texts[0]
	x, _, _ := DayFirst.Parse(text)
	y, _, _ := MonthFirst.Parse(text)
	fault := e.doubtful.at("%s is %s with the day first but %s with the month first, and no other "+
		"cell settles it", quote(text), spelling.FormatDayOf(x), spelling.FormatDayOf(y))
	return asText(fault, column, "set the order with %s %s or %s %s", OptionDates, DayFirst,
		OptionDates, MonthFirst)
}
