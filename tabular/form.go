package tabular

import "slices"

// tell applies what unambiguous columns say to the other columns. It returns the target if it is a
// number.
func (l *learner) tell() (target *found, err error) {
	columns := l.found
	if at := fieldIndex(l.train.Schema, l.opt.Target); l.opt.Target != "" && !l.opt.Labels {
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
			days[i] = f.scan.dayOrder()
		}
	}
	l.told = written{decimal: told(decimals), days: told(days)}
	return target, nil
}

// form finds how a column is written. It fails if the column can be read in two ways.
func (l *learner) form(f *found) (written, error) {
	if !f.scan.readable() || slices.Contains(l.opt.Categorical, f.Name) {
		return written{}, nil
	}
	e := &f.scan.evidence
	decimal, fault := l.decimal(f)
	if fault == nil && decimal != 0 {
		fault = e.mixedUnits(f.Name)
	}
	if fault == nil && decimal != 0 {
		fault = e.creditAlone(f.scan.present, f.Name)
	}
	days := DayOrder("")
	if fault == nil && decimal == 0 {
		days, fault = l.days(f)
	}
	if fault != nil {
		fault.Column = f.Name
		return written{}, fault
	}
	form := written{decimal: decimal, days: days}
	if decimal != 0 {
		if len(e.units) > 0 {
			form.unit = e.units[0]
		}
		l.noteForm(f, form)
	}
	return form, nil
}

// decimal returns the decimal sign of a column, or 0 if ParseNumber reads its numbers or it has
// none.
func (l *learner) decimal(f *found) (byte, *Error) {
	e, n := &f.scan.evidence, f.scan.present
	plain := f.scan.numbers == n
	asked, certain := l.train.decimal, e.decimal(n)
	switch {
	case e.point < n && e.comma < n:
		return 0, e.twoSigns(n, f.Name)
	case asked != 0 && certain != 0 && asked != certain:
		return 0, e.contrary(asked, f.Name)
	case asked == ',':
		return ',', nil
	case plain && (certain == '.' || asked == '.' || l.told.decimal != ','):
		return 0, nil
	case certain != 0:
		return certain, nil
	case asked != 0:
		return asked, nil
	case l.told.decimal != 0:
		return l.told.decimal, nil
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
	switch at := slices.Index(orders, asked); {
	case at >= 0 && e.ordered[at] == e.dated:
		return asked, nil
	case at >= 0:
		return "", e.unlikeOrder(at, f.Name)
	case max(e.ordered[0], e.ordered[1], e.ordered[2]) < e.dated:
		return "", e.twoOrders(f.Name)
	case certain != "":
		return certain, nil
	case e.doubtful.n == 0:
		return DayFirst, nil
	case l.told.days != "":
		return l.told.days, nil
	}
	return "", e.twoDates(f.Name)
}
