package main

import "github.com/pfnamp/pfnamp"

// oddRows counts what pfnamp.Predictor.Odd tells of.
type oddRows struct {
	outside map[string]int
	known   int
}

// add takes an answer in.
func (o *oddRows) add(a *pfnamp.Answer) {
	if o.outside == nil {
		o.outside = map[string]int{}
	}
	for column, n := range a.Outside {
		o.outside[column] += n
	}
	o.known += a.Known
}
