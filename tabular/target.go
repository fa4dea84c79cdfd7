package tabular

import "slices"

// TargetKind returns the kind of the column SchemaOptions.Target of a training table, before the
// caller decides between numbers and labels. SchemaOptions.Categorical and Numeric take precedence;
// otherwise it is the kind that Learn would give a feature. A column of a text file is Numeric if
// at least half of its cells are numbers in some form; the other cells are then mistakes. Errors
// are those of Learn about its options and about unsupported types.
func TargetKind(train *Table, opt SchemaOptions) (Kind, error) {
	opt.Labels, opt.RequireTarget = true, true
	l := learner{train: train, opt: opt, s: &Schema{File: train.File, na: train.na}}
	if l.s.na == nil {
		l.s.na = newNA(nil)
	}
	if err := l.check(); err != nil {
		return Empty, err
	}
	switch {
	case slices.Contains(opt.Categorical, opt.Target):
		return Categorical, nil
	case slices.Contains(opt.Numeric, opt.Target):
		return Numeric, nil
	}
	scan := columnScan{}
	for _, b := range train.Batches {
		view, err := l.s.view(b, fieldIndex(b.Record.Schema(), opt.Target))
		if err != nil {
			return Empty, err
		}
		scan.add(b, view)
	}
	scan.evidence.settle()
	kind := scan.kind()
	if kind == Categorical && scan.readable() && 2*scan.numeric() >= scan.present {
		kind = Numeric
	}
	return kind, nil
}
