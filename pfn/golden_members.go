package pfn

import (
	"math"
	"slices"
)

// ownMember is one member with columns of its own, H of them, and the tensors at the boundary of
// the network: N context rows, M query rows and K logits.
type ownMember struct {
	Pipeline    string      `json:"pipeline"` // one of ensemble.norms
	PowerTarget bool        `json:"power_target,omitempty"`
	Classes     []int       `json:"classes,omitempty"` // of a classifier: sees class k as Classes[k]
	Seed        uint64      `json:"seed"`
	Permutation []int       `json:"permutation"` // [H]
	XTrain      [][]cell    `json:"x_train"`     // [N][H]
	XTest       [][]cell    `json:"x_test"`      // [M][H]
	YTrain      []float64   `json:"y_train"`     // [N]
	Logits      [][]float64 `json:"logits"`      // [M][K]
}

// haveShapes compares the lengths of members with each other.
func haveShapes(members []ownMember, n, m, k int) bool {
	return !slices.ContainsFunc(members, func(b ownMember) bool {
		h := len(b.Permutation)
		return !hasShape(b.XTrain, n, h) || !hasShape(b.XTest, m, h) || len(b.YTrain) != n ||
			!hasShape(b.Logits, m, k)
	})
}

// logitsOf are the logits [B][M][K] of members.
func logitsOf(members []ownMember) [][][]float64 {
	logits := make([][][]float64, len(members))
	for b, member := range members {
		logits[b] = member.Logits
	}
	return logits
}

// logitsOfRow are those of one query row, by member, as a network returns them.
func logitsOfRow(members []ownMember, row int) [][]float32 {
	logits := make([][]float32, len(members))
	for b, member := range members {
		logits[b] = narrow(member.Logits[row])
	}
	return logits
}

// members compares the composition of an ensemble, and reports whether it is the golden one.
func (c *CaseReport) members(e tabpfnEnsemble, golden []ownMember) bool {
	mismatch := 0.0
	for i, want := range golden {
		got := e.Members[i]
		same := string(got.Pipeline) == want.Pipeline && got.PowerTarget == want.PowerTarget &&
			got.Seed == want.Seed && slices.Equal(got.Classes, want.Classes) &&
			slices.Equal(e.Permutation(i), want.Permutation)
		if !same {
			mismatch = math.Inf(1)
		}
	}
	c.add("members", mismatch, 0)
	return mismatch == 0
}

// tensors compares targets and features as the members read them.
func (c *CaseReport) tensors(e tabpfnEnsemble, train *table, query Matrix, golden []ownMember) {
	var y, x, z float64
	context, queries := e.Context(train.X), e.Queries(query)
	for i, want := range golden {
		y = math.Max(y, difference(widen(e.labels(i, train)), want.YTrain))
		x = math.Max(x, cellDifference(context[i], want.XTrain))
		z = math.Max(z, cellDifference(queries[i], want.XTest))
	}
	c.add("y_train", y, barPipelineTolerance)
	c.add("x_train", x, barPipelineTolerance)
	c.add("x_test", z, barPipelineTolerance)
}

// cellDifference is difference for rows of cells; a missing cell must be missing.
func cellDifference(got []float32, want [][]cell) float64 {
	flat := slices.Concat(want...)
	if len(flat) != len(got) {
		return math.Inf(1)
	}
	var worst float64
	for i, w := range flat {
		v, x := float64(w), float64(got[i])
		switch {
		case math.IsNaN(v) != math.IsNaN(x):
			return math.Inf(1)
		case !math.IsNaN(v):
			worst = math.Max(worst, math.Abs(x-v)/math.Max(1, math.Abs(v)))
		}
	}
	return worst
}
