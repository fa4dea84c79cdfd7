package amp

import (
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp/internal/must"
)

func TestParseFunctional(t *testing.T) {
	for _, c := range []struct {
		text, name string
		want       Functional
	}{
		{"mean", "mean", Mean{}},
		{"median", "q0.5", Quantile{0.5}},
		{"q0.9", "q0.9", Quantile{0.9}},
		{"q.90", "q0.9", Quantile{0.9}},
		{" q 0.025 ", "q0.025", Quantile{0.025}},
		{"q1e-3", "q0.001", Quantile{0.001}},
		{"p>150", "p>150", Above(150)},
		{"p > 1.50", "p>1.5", Above(1.5)},
		{"p>-0", "p>0", Above(0)},
		{"p<=150", "p<=150", AtMost(150)},
		{"p<=-1e30", "p<=-1e+30", AtMost(-1e30)},
		{"p(1,2]", "p(1,2]", Probability{1, 2}},
		{"p( -3 , -1.5 ]", "p(-3,-1.5]", Probability{-3, -1.5}},
		{"es.90", "es0.9", Shortfall{0.9}},
	} {
		got, err := ParseFunctional(c.text)
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		if got != c.want || got.String() != c.name {
			t.Errorf("%q: %#v named %q, want %#v named %q", c.text, got, got, c.want, c.name)
		}
	}
}

func TestParseFunctionalErrors(t *testing.T) {
	for text, want := range map[string]string{
		"": "empty", "  ": "empty", "mode": "not one of", "Mean": "not one of", "means": "not one of",
		"q": "a level", "q0": "a level", "q1": "a level",
		"q-0.1": "a level",
		"qNaN":  "a level", "q0x1p-2": "a level", "q0.5.5": "a level",
		"q90": "not q90", "p=a": "always there", "es": "a level", "es1": "a level", "esx": "a level",
		"e": "not one of", "p": "needs > or <=", "p150": "needs > or <=", "p>": "needs > or <=",
		"p>nan": "needs > or <=", "p>inf": "needs > or <=", "p>=3": "use >", "p<3": "use <=",
		"p<=1_0": "needs > or <=", "p(1,2)": "interval", "p(1]": "interval", "p(1,2": "interval",
		"p(2,1]": "below", "p(1,1]": "below", "p(-inf,1]": "interval", "p[1,2]": "needs > or <=",
	} {
		f, err := ParseFunctional(text)
		if err == nil {
			t.Errorf("%q is read as %v", text, f)
			continue
		}
		if !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), " mean, median, q0.9") {
			t.Errorf("%q: error %q lacks %q or what is allowed", text, err, want)
		}
	}
}

func TestParseFunctionals(t *testing.T) {
	list, err := ParseFunctionals("mean, q0.9,p(1,2],p>3")
	if err != nil || len(list) != 4 || list[2] != (Probability{1, 2}) {
		t.Errorf("list %v, error %v", list, err)
	}
	for text, want := range map[string]string{
		"": "empty", "mean,": "empty", ",mean": "empty", "mean,mean": "listed twice",
		"median,q0.5": "q0.5\" is listed twice", "p(1,2": "interval", "q0.5;q0.6": "a level",
	} {
		_, err := ParseFunctionals(text)
		must.Fail(t, text, err, want)
	}
}

// FuzzParseFunctional: whatever is read has a name that reads back as itself, and is valid.
func FuzzParseFunctional(f *testing.F) {
	for _, s := range []string{
		"mean", "median", "q0.9", "p>150", "p<=-1.5e3", "p(1,2]", "p(1", "q1e400",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := ParseFunctional(text)
		if err != nil {
			must.Hold(t, text, err.Error(), " mean, median, q0.9")
			return
		}
		if err := got.check(); err != nil {
			t.Fatalf("%q is read as %#v: %v", text, got, err)
		}
		again, err := ParseFunctional(got.String())
		if err != nil || again != got {
			t.Fatalf("%q is read as %#v, its name %q as %#v, %v", text, got, got, again, err)
		}
	})
}
