package main

import "slices"

// keepsAll tells whether --keep asks for every column of TEST.
func (o *contextOptions) keepsAll() bool { return slices.Equal(o.fit.Keep, []string{"all"}) }
