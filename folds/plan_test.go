package folds

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
)

// Every row is predicted once, by a model that has read no row of its group.
func TestGrouped(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	groups := make([]int, 500)
	for i := range groups {
		groups[i] = random.IntN(40) * random.IntN(3) // of very different sizes
	}
	parts, err := Plan{Count: 5, Seed: 2, Groups: groups}.Folds()
	if err != nil {
		t.Fatal(err)
	}
	predicted := make([]int, len(groups))
	for _, f := range parts {
		if len(f.Read)+len(f.Held) != len(groups) {
			t.Errorf("%d rows read and %d predicted", len(f.Read), len(f.Held))
		}
		for _, row := range f.Held {
			predicted[row]++
			if slices.ContainsFunc(f.Read, func(r int) bool { return groups[r] == groups[row] }) {
				t.Fatalf("group %d is on both sides", groups[row])
			}
		}
	}
	if slices.Min(predicted) != 1 || slices.Max(predicted) != 1 {
		t.Error("some rows are not predicted once")
	}
	again, _ := Grouped(2, groups, 5)
	other, _ := Grouped(3, groups, 5)
	first, _ := Grouped(2, groups, 5)
	if !slices.Equal(first, again) || slices.Equal(first, other) {
		t.Error("the seed does not deal the groups")
	}
}

// The past predicts the future, and rows of one time stay together, however the table is sorted.
func TestRolling(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	times := make([]float64, 300)
	for i := range times {
		times[i] = float64(random.IntN(60))
	}
	parts, err := Plan{Count: 5, Times: times}.Folds()
	if err != nil || len(parts) != 5 {
		t.Fatal(len(parts), err)
	}
	predicted, last := 0, -1.0
	for k, f := range parts {
		if n := len(f.Held); n < 40 || n > 60 || !slices.IsSorted(f.Read) || !slices.IsSorted(f.Held) {
			t.Errorf("fold %d predicts %d rows", k, n)
		}
		latest, earliest := slices.Max(pick(times, f.Read)), slices.Min(pick(times, f.Held))
		if latest >= earliest || earliest <= last {
			t.Errorf("fold %d reads up to %v and predicts from %v on", k, latest, earliest)
		}
		predicted, last = predicted+len(f.Held), earliest
	}
	if n := predicted + len(parts[0].Read); n != 300 {
		t.Errorf("%d rows", n)
	}
}

func pick(values []float64, rows []int) (some []float64) {
	for _, row := range rows {
		some = append(some, values[row])
	}
	return some
}

// Half of the rows may be of one time; what cannot be divided is an error, and Fitting avoids it.
func TestFewGroupsAndTimes(t *testing.T) {
	times := make([]float64, 40)
	for i := 20; i < 40; i++ {
		times[i] = float64(i / 4)
	}
	if parts, err := (Plan{Count: 5, Times: times}).Folds(); err != nil || len(parts) < 2 ||
		len(parts[0].Read) != 20 {
		t.Error(parts, err)
	}
	var group *GroupsError
	var late *TimesError
	if _, err := (Plan{Count: 2, Groups: make([]int, 9)}).Folds(); !errors.As(err, &group) ||
		group.Groups != 1 {
		t.Error(err)
	}
	if _, err := (Plan{Count: 3, Groups: []int{0, 1, 0, 1}}).Folds(); !errors.As(err, &group) {
		t.Error(err)
	}
	if p := (Plan{Count: 3, Groups: []int{0, 1, 0, 1}}).Fitting(); p.Count != 2 {
		t.Error(p)
	}
	if _, err := (Plan{Count: 1, Times: []float64{4, 4}}).Fitting().Folds(); !errors.As(err, &late) {
		t.Error(err)
	}
	if parts, err := (Plan{Count: 5, Times: []float64{1, 1, 2}}).Fitting().Folds(); err != nil ||
		len(parts) != 1 {
		t.Error(parts, err)
	}
}

// Folds depend on which rows belong together, and not on the numbers of strata and groups.
func TestNumbersOfGroupsDoNotMatter(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 3))
	groups, others, number := make([]int, 90), make([]int, 90), random.Perm(40)
	for i := range groups {
		groups[i] = random.IntN(20)
		others[i] = number[groups[i]]
	}
	first, err := Grouped(2, groups, 5)
	second, _ := Grouped(2, others, 5)
	if err != nil || !slices.Equal(first, second) ||
		!slices.Equal(Stratified(2, groups, 5), Stratified(2, others, 5)) {
		t.Error("other numbers, other folds", err)
	}
}
