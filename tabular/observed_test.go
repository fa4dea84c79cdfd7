package tabular

import (
	"fmt"
	"testing"
)

// The targets of a query table are read as those of the training table; what is no target is NaN,
// which is not an error.
func TestObserved(t *testing.T) {
	number := SchemaOptions{Target: "y"}
	class := SchemaOptions{Target: "y", Labels: true}
	for _, c := range []struct {
		opt         SchemaOptions
		train, test string
		want        string
	}{
		{number, "x,y\n1,2\n2,3\n", "x,y\n1,7\n2,NA\n3,\n4,dear\n5,-1e2\n", "[7 NaN NaN NaN -100]"},
		{number, "x,y\n1,2\n2,3\n", "x\n1\n2\n", "[NaN NaN]"},
		{class, "x,y\n1,no\n2,yes\n", "x,y\n1,yes\n2,maybe\n3,NA\n4,no\n", "[1 -1 NaN 0]"},
		{class, "x,y\n1,10\n2,2\n", "x,y\n1,2.0\n2,a\n3,3\n4,10\n", "[0 -1 -1 1]"},
		{class, "x,y\n1,true\n2,false\n", "x,y\n1,TRUE\n2,false\n", "[1 0]"},
	} {
		s := learnText(t, c.train, c.opt)
		test := readText(t, c.test, ReadOptions{Delimiter: ','})
		if got := fmt.Sprint(s.Observed(test.Batches[0])); got != c.want {
			t.Errorf("%q after %q: %s, want %s", c.test, c.train, got, c.want)
		}
	}
}
