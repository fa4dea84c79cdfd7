package tabpfn

import (
	"cmp"
	"slices"

	"github.com/pfnamp/pfnamp/pfn/internal/pyrand"
)

// ClassShuffle is the order in which members read the classes.
type ClassShuffle string

// The orders of the classes.
const (
	ShuffleClasses ClassShuffle = "shuffle" // random orders, different ones if possible
	RotateClasses  ClassShuffle = "rotate"  // random rotations
	KeepClasses    ClassShuffle = "none"
)

// ordersPerMember is the number of random orders drawn per member.
const ordersPerMember = 3

// classOrders draws the order of the classes of every member, nil for a regression.
func (p Preset) classOrders(random *pyrand.Generator) [][]int {
	switch {
	case p.Classes == 0:
		return nil
	case p.ClassShuffle == RotateClasses:
		return rotations(p.Members, p.Classes, random)
	case p.ClassShuffle == ShuffleClasses:
		return shuffles(p.Members, p.Classes, random)
	}
	return slices.Repeat([][]int{indices(p.Classes)}, p.Members)
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
		order := indices(classes)
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(noise[a], noise[b]) })
		drawn = append(drawn, order)
	}
	slices.SortFunc(drawn, slices.Compare)
	drawn = slices.CompactFunc(drawn, slices.Equal)
	var orders [][]int
	for _, order := range drawn {
		for range members / len(drawn) {
			orders = append(orders, order)
		}
	}
	if left := members % len(drawn); left > 0 {
		for _, i := range random.Choice(len(drawn), left) {
			orders = append(orders, drawn[i])
		}
	}
	return orders
}
