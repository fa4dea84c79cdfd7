package pfn

import (
	"math"
	"slices"

	"github.com/pfnamp/pfnamp/pfn/internal/golden"
)

// Tolerances of Verify for members with columns of their own. Vectors are written with 9 digits
// (probabilities and outputs of networks with 7); the logits of a network of 12 or 24 layers differ
// by up to 1e-4 between processors.
const (
	ownPipelineTolerance = 1e-5 // relative to max(1, |expected|)
	ownNetworkTolerance  = 1e-3 // of logits and quantiles, relative likewise
	ownMassTolerance     = 1e-4 // of probabilities
	ownResultTolerance   = 5e-4 // of means and quantiles, in deviations of the target
)

// logitsOfRow returns the logits of one query row, by member.
func logitsOfRow(members []golden.OwnMember, row int) [][]float32 {
	logits := make([][]float32, len(members))
	for b, member := range members {
		logits[b] = narrow(member.Logits[row])
	}
	return logits
}

// composed is an ensemble whose members have columns of their own.
type composed interface {
	ensemble
	ownColumns
	// composition describes a member as golden vectors do, without its numbers.
	composition(member int) golden.OwnMember
}

// compareMembers compares the composition of an ensemble, and reports whether it is the golden one.
func compareMembers(c *CaseReport, e composed, members []golden.OwnMember) bool {
	mismatch := 0.0
	for i, want := range members {
		got := e.composition(i)
		same := got.Pipeline == want.Pipeline && got.PowerTarget == want.PowerTarget &&
			got.Seed == want.Seed && slices.Equal(got.Classes, want.Classes) &&
			slices.Equal(got.Permutation, want.Permutation)
		if !same {
			mismatch = math.Inf(1)
		}
	}
	c.Add("members", mismatch, 0)
	return mismatch == 0
}

// compareTensors compares targets and features in the form of the members.
func compareTensors(
	c *CaseReport, p ownColumns, labels func(member int) []float32, train, query Matrix,
	members []golden.OwnMember,
) {
	var y, x, z float64
	context, queries := p.Context(train), p.Queries(query)
	for i, want := range members {
		y = math.Max(y, difference(widen(labels(i)), want.YTrain))
		x = math.Max(x, golden.CellDifference(context[i], want.XTrain))
		z = math.Max(z, golden.CellDifference(queries[i], want.XTest))
	}
	c.Add("y_train", y, ownPipelineTolerance)
	c.Add("x_train", x, ownPipelineTolerance)
	c.Add("x_test", z, ownPipelineTolerance)
}
