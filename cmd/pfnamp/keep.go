package main

import "slices"

// keepsAll tells whether --keep asks for every column of TEST.
func (o *contextOptions) keepsAll() bool { return slices.Equal(o.fit.Keep, []string{"all"}) }

// matchColumns checks that TEST has the columns that are used or kept, and returns notes on others.
func (j *predictJob) matchColumns() ([]string, error) {
	if j.opt.keepsAll() {
		j.opt.fit.Keep = j.queries.Names()
		schema := *j.schema
		schema.Kept = j.opt.fit.Keep
		j.schema = &schema
	}
	return j.schema.Match(j.opt.test, j.askedNames())
}
