package warning

import (
	"slices"
	"testing"
)

// Codes of classes are noticed, few rows and many values are not.
func TestFewValues(t *testing.T) {
	codes := slices.Repeat([]float64{1, 0}, 10)
	for _, test := range []struct {
		name string
		y    []float64
		want []string
	}{
		{"two codes", codes, []string{"0", "1"}},
		{"three codes", slices.Repeat([]float64{3, 1, 2}, 10), []string{"1", "2", "3"}},
		{"few rows", slices.Repeat([]float64{1, 2}, 9), nil},
		{"few rows of truths", codes[:4], []string{"0", "1"}},
		{"too few rows of truths", codes[:3], nil},
		{"constant", slices.Repeat([]float64{7}, 50), nil},
		{"six values", slices.Repeat([]float64{1, 2, 3, 4, 5, 6}, 50), nil},
		{"rare values", append(slices.Clone(codes), 2), nil},
	} {
		got, ok := FewValuesOf(test.y)
		if ok != (test.want != nil) || ok && !slices.Equal(got.Values, test.want) {
			t.Errorf("%s: %v, %v", test.name, got, ok)
		}
	}
	want := "the target has only the 2 values 0, 1 and is predicted as a number, so probabilities " +
		"such as p>0.5 are coarse: if the values are codes of classes, use a classifier"
	if got, _ := FewValuesOf(codes); got.Text != want {
		t.Errorf("%s", got)
	}
}
