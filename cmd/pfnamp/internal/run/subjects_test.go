package run

import "testing"

// Persons with four rows each look like subjects, as texts and as consecutive numbers. Ages, towns
// of different sizes, and numbers of single rows do not.
func TestSubjectsAreRecognised(t *testing.T) {
	var persons, ages, towns, singles []float64
	for i := range 100 {
		persons, singles = append(persons, float64(i/4)), append(singles, float64(i))
		ages, towns = append(ages, float64(20+i%50*i%50)), append(towns, float64(i*i/400))
	}
	for name, c := range map[string]struct {
		values     []float64
		categories bool
		want       bool
	}{
		"persons": {persons, true, true}, "numbers": {persons, false, true},
		"ages": {ages, false, false}, "towns": {towns, true, false}, "single": {singles, true, false},
	} {
		if got := likeSubjects(c.values, c.categories); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
