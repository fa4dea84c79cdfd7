package pfn

import (
	"math"
	"slices"

	"github.com/pfnamp/pfnamp/pfn/internal/golden"
)

// logitsOfRow returns the logits of one query row, by member.
func logitsOfRow(members []golden.OwnMember, row int) [][]float32 {
	logits := make([][]float32, len(members))
	for b, member := range members {
		logits[b] = narrow(member.Logits[row])
	}
	return logits
}

// compareMembers compares the composition of an ensemble, and reports whether it is the golden one.
func compareMembers(c *CaseReport, e tabpfnEnsemble, members []golden.OwnMember) bool {
	mismatch := 0.0
	for i, want := range members {
		got := e.Members[i]
		same := string(got.Pipeline) == want.Pipeline && got.PowerTarget == want.PowerTarget &&
			got.Seed == want.Seed && slices.Equal(got.Classes, want.Classes) &&
			slices.Equal(e.Permutation(i), want.Permutation)
		if !same {
			mismatch = math.Inf(1)
		}
	}
	c.Add("members", mismatch, 0)
	return mismatch == 0
}

// compareTensors compares targets and features in the form of the members.
func compareTensors(
	c *CaseReport, e tabpfnEnsemble, train *table, query Matrix, members []golden.OwnMember,
) {
	var y, x, z float64
	context, queries := e.Context(train.X), e.Queries(query)
	for i, want := range members {
		y = math.Max(y, difference(widen(e.labels(i, train)), want.YTrain))
		x = math.Max(x, golden.CellDifference(context[i], want.XTrain))
		z = math.Max(z, golden.CellDifference(queries[i], want.XTest))
	}
	c.Add("y_train", y, barPipelineTolerance)
	c.Add("x_train", x, barPipelineTolerance)
	c.Add("x_test", z, barPipelineTolerance)
}
