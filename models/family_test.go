package models

import "testing"

// Every row of the table of families is complete.
func TestFamiliesAreWhole(t *testing.T) {
	for _, name := range Families() {
		f := families[name]
		if len(f.heads) == 0 || f.check == nil || f.caches == nil {
			t.Errorf("%s: a field is missing: %+v", name, f)
		}
		_, classifies := f.heads[ClassificationTask]
		rules := len(f.classes.shuffles) > 0 && len(f.classes.averages) > 0
		if classifies != rules {
			t.Errorf("%s: heads %v, rules of classes %+v", name, f.heads, f.classes)
		}
	}
}
