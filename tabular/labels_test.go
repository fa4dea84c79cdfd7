package tabular

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

func labelOptions() SchemaOptions { return SchemaOptions{Target: "y", Labels: true} }

// withLabels is a table of one feature with these labels.
func withLabels(labels ...string) string {
	var text strings.Builder
	text.WriteString("x,y\n")
	for i, label := range labels {
		fmt.Fprintf(&text, "%d,%s\n", i, label)
	}
	return text.String()
}

func TestLabels(t *testing.T) {
	cases := []struct {
		labels  []string
		kind    Kind
		texts   []string
		classes []float64
	}{
		{[]string{"b", "a", "B", "Ä", "a"}, Categorical, []string{"B", "a", "b", "Ä"},
			[]float64{2, 1, 0, 3, 1}},
		{[]string{"10", "9", "-3", "9.0", "+9", "-0", "0"}, Numeric, []string{"-3", "0", "9", "10"},
			[]float64{3, 2, 0, 2, 2, 1, 1}},
		{[]string{"True", "TRUE", "true"}, Boolean, []string{"true"}, []float64{0, 0, 0}},
		{[]string{"true", "FALSE"}, Boolean, []string{"false", "true"}, []float64{1, 0}},
		{[]string{"10", "9", "x"}, Categorical, []string{"10", "9", "x"}, []float64{0, 1, 2}},
		{[]string{"2020-01-02", "2019-01-01"}, Categorical, []string{"2019-01-01", "2020-01-02"},
			[]float64{1, 0}},
		{[]string{`"1,5"`, `"2,5"`}, Categorical, []string{"1,5", "2,5"}, []float64{0, 1}},
	}
	for _, c := range cases {
		table := readText(t, withLabels(c.labels...), ReadOptions{BatchRows: 2, Delimiter: ','})
		s, _, y := trained(t, table, labelOptions())
		if s.Labels.Kind != c.kind || !slices.Equal(s.Labels.Texts, c.texts) ||
			!slices.Equal(y, c.classes) {
			t.Errorf("%q: %v %q, classes %v", c.labels, s.Labels.Kind, s.Labels.Texts, y)
		}
		again := throughJSON(t, s)
		if again.Labels.Kind != c.kind || !slices.Equal(again.Labels.Texts, c.texts) {
			t.Errorf("%q: stored as %+v", c.labels, again.Labels)
		}
		if s.Labels.Subset([]int{1 % len(c.texts), 0, 0}).Texts[0] != c.texts[0] {
			t.Errorf("%q: a subset in another order", c.labels)
		}
	}
}

// A label that is a sign of a missing value is noted with the remedies; words, and - beside +, are
// not.
func TestMissingLabels(t *testing.T) {
	for label, want := range map[string]string{
		"?":    `column "y" has the label "?": if that means that the label is missing, add ReadOptions.NA ?;`,
		"n/a":  `add ReadOptions.NA n/a; otherwise keep it with SchemaOptions.Categorical y`,
		"none": "", "-": "",
	} {
		text := withLabels("+", "b", label)
		if label != "-" {
			text = withLabels("a", "b", label)
		}
		s := learnText(t, text, labelOptions())
		if noted := strings.Join(s.Notes, "; "); !strings.Contains(noted, want) ||
			(noted == "") != (want == "") {
			t.Errorf("%s: notes %q, want %q", label, noted, want)
		}
	}
}

func TestLabelsRefuse(t *testing.T) {
	for want, labels := range map[string][]string{
		`t.csv:3: column "y": 0.37 cannot be a class: a label is a text, true or false, or a whole`: {
			"1", "0.37"},
		`t.csv:2: column "y": 1e300 cannot be a class`: {"1e300", "2"},
		`t.csv:3: column "y": 9007199254740993 cannot be a class`: {
			"9007199254740991", "9007199254740993"},
		`t.csv:2: column "y": -9007199254740992 cannot be a class`:     {"-9007199254740992", "2"},
		`column "y": the target is missing in 2 of 4 rows: lines 2, 4`: {"", "a", "NA", "b"},
		`column "y": the target is missing in 2 of 2 rows`:             {"", "NA"},
	} {
		table := readText(t, withLabels(labels...), ReadOptions{Delimiter: ','})
		for _, b := range append(table.Batches, &Batch{}) {
			b.File = "t.csv"
		}
		table.File = "t.csv"
		_, err := Learn(table, labelOptions())
		var e *Error
		if !errors.As(err, &e) || !strings.Contains(err.Error(), want) || e.Hint == "" {
			t.Errorf("%q: error %v, want %q", labels, err, want)
		}
	}
	opt := labelOptions()
	opt.Numeric = []string{"y"}
	_, err := Learn(readText(t, withLabels("1", "two"), ReadOptions{Delimiter: ','}), opt)
	if err == nil || !strings.Contains(err.Error(), `"two" is not a number`) {
		t.Errorf("numeric labels: %v", err)
	}
	s := learnText(t, withLabels("a", "b"), labelOptions())
	_, err = s.Target(batchOf(t, withLabels("a", "c")))
	if err == nil || !strings.Contains(err.Error(), `has the label "c"`) {
		t.Errorf("another label: %v", err)
	}
	if _, err = s.Target(batchOf(t, withLabels("a", ""))); err == nil {
		t.Error("a missing label was accepted")
	}
}

func TestMissingLabelNamesItsText(t *testing.T) {
	table := readText(t, withLabels("high", "None", "low"), ReadOptions{Delimiter: ','})
	_, err := Learn(table, labelOptions())
	var e *Error
	if !errors.As(err, &e) || !strings.Contains(e.Hint, `"None" is read as missing`) {
		t.Errorf("hint of %v does not name the text", err)
	}
	opt := ReadOptions{Delimiter: ',', NA: []string{""}}
	s, err := Learn(readText(t, withLabels("high", "None", "low"), opt), labelOptions())
	if err != nil || len(s.Labels.Texts) != 3 {
		t.Errorf("labels where None is a value: %v, error %v", s, err)
	}
}

func TestOddLabels(t *testing.T) {
	for _, c := range []struct {
		train, test [2]string
		want        string // unseen, spelled, as, and the classes
	}{
		{[2]string{"high", "low"}, [2]string{"low", "High "}, " High  high [1 0]"},
		{[2]string{"high", "low"}, [2]string{"mid", "HIGH"}, "mid HIGH high [-1 0]"},
		{[2]string{"high", "low"}, [2]string{"low", "high"}, "   [1 0]"},
		{[2]string{"high", "low"}, [2]string{"high", "\u200blow"}, " \u200blow low [0 1]"},
		{[2]string{"Y", "N"}, [2]string{"no", "yes"}, " no N [0 1]"},
		{[2]string{"0", "1"}, [2]string{"True", "False"}, " True 1 [1 0]"},
		{[2]string{"true", "false"}, [2]string{"1", "0"}, " 1 true [1 0]"},
		{[2]string{"0", "1"}, [2]string{"1.0", "2"}, "2   [1 -1]"},
		{[2]string{"High", "high"}, [2]string{"HIGH", "high"}, "HIGH   [-1 1]"},
	} {
		s := learnText(t, withLabels(c.train[:]...), labelOptions())
		b := readText(t, withLabels(c.test[:]...), ReadOptions{Delimiter: ','}).Batches[0]
		odd := s.OddLabels(b, s.Observed(b))
		if got := fmt.Sprintf("%s %v", strings.Join(odd[:], " "), s.Observed(b)); got != c.want {
			t.Errorf("%q after %q: %q, want %q", c.test, c.train, got, c.want)
		}
	}
}
