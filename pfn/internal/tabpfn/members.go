package tabpfn

import (
	"cmp"
	"math"
	"slices"

	"github.com/pfnamp/pfnamp/internal/matrix"
	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn/internal/pyrand"
)

// Pipeline names the feature pipeline of a member.
type Pipeline string

// The feature pipelines of package 2.0.9: of regressors the first two, of classifiers Quantile and
// Unchanged.
const (
	Quantile  Pipeline = "quantile"
	Power     Pipeline = "power"
	Unchanged Pipeline = "none"
)

// Member is one ensemble member.
type Member struct {
	Pipeline    Pipeline
	PowerTarget bool   // the member learns a transform of the target
	Classes     []int  // the member reads class k as Classes[k]; nil for a regression
	Seed        uint64 // of the member's own random choices
	nori        *noriMember
}

// maxShift is the limit of the feature shifts that the reference draws but does not use with
// shuffled features.
const maxShift = 1000

// composed returns the members of package 2.0.9: all pairs of a pipeline and a target, or all
// pipelines of a classifier, each equally often, and random ones for the rest.
func (p Preset) composed() []Member {
	const maxSeed = math.MaxInt32
	count := p.Members
	combinations := []Member{
		{Pipeline: Quantile}, {Pipeline: Quantile, PowerTarget: true},
		{Pipeline: Power}, {Pipeline: Power, PowerTarget: true},
	}
	if p.Classes > 0 {
		combinations = []Member{{Pipeline: Quantile}, {Pipeline: Unchanged}}
	}
	random := pyrand.NewGenerator(p.Seed)
	random.Int(0, maxSeed) // the reference draws this seed and does not use it
	orders := p.classOrders(random)
	var members []Member
	for _, i := range evenly(len(combinations), count, random) {
		members = append(members, combinations[i])
	}
	random.Int(0, maxSeed) // another unused seed
	for i, s := range random.Choice(maxSeed, count) {
		members[i].Seed, members[i].Classes = uint64(s), orders[i]
	}
	return members
}

// evenly returns count of the numbers below n: each equally often, and random ones for the rest.
func evenly(n, count int, random *pyrand.Generator) (list []int) {
	for i := range n {
		list = append(list, slices.Repeat([]int{i}, count/n)...)
	}
	return append(list, random.Choice(n, count%n)...)
}

// ordersPerMember is the number of random orders drawn per member.
const ordersPerMember = 3

// classOrders draws the order of the classes of every member; each is nil for a regression.
func (p Preset) classOrders(random *pyrand.Generator) [][]int {
	random.Int(0, maxShift) // the reference draws these numbers and does not use them
	random.Subset(p.Members, p.Members)
	switch {
	case p.Classes == 0:
		return make([][]int, p.Members)
	case p.ClassShuffle == models.RotateClasses:
		return rotations(p.Members, p.Classes, random)
	case p.ClassShuffle == models.ShuffleClasses:
		return shuffles(p.Members, p.Classes, random)
	}
	return slices.Repeat([][]int{matrix.Upto(p.Classes)}, p.Members)
}

// rotations draws a rotation of the classes for every member, independently.
func rotations(members, classes int, random *pyrand.Generator) [][]int {
	shifts := random.Permutation(classes)
	orders := make([][]int, members)
	for i, c := range random.Choice(classes, members) {
		for k := range classes {
			orders[i] = append(orders[i], (k-shifts[c]+classes)%classes)
		}
	}
	return orders
}

// shuffles draws several times as many orders as members. The distinct ones, ascending, are each
// given to the same number of members. The remaining members get random ones.
func shuffles(members, classes int, random *pyrand.Generator) [][]int {
	noise := make([]float64, classes)
	var drawn [][]int
	for range ordersPerMember * members {
		for k := range noise {
			noise[k] = random.Float64()
		}
		order := matrix.Upto(classes)
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(noise[a], noise[b]) })
		drawn = append(drawn, order)
	}
	slices.SortFunc(drawn, slices.Compare)
	drawn = slices.CompactFunc(drawn, slices.Equal)
	var orders [][]int
	for _, i := range evenly(len(drawn), members, random) {
		orders = append(orders, drawn[i])
	}
	return orders
}
