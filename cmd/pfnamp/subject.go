package main

import (
	"github.com/pfnamp/pfnamp"
)

// subject is what the notes about predictions are about: a question that is asked of a table.
type subject struct {
	*contextJob        // whose notes they are
	test        string // the query table
	question    pfnamp.Question
	layout      pfnamp.Layout
	labels      *testLabels // of the query table
	labelled    bool        // the query table has the target's column
}
