package pfnamp

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/tabular"
)

// accepted are the warnings that FitOptions.Strict does not refuse, with the reason.
var accepted = map[string]string{
	"PossibleLabels": "it is true of every row; FitOptions.Values says what other rows may have",
	"FewValues":      "numbers are read as numbers, as the model asks",
	"SingleRows":     "a rare label need not be a wrong one",
	"DrawnRows":      "about the size of the context, not about the table",
	"DroppedLabels":  "it follows from the rows that were drawn",
	"ConstantTarget": "about what the model learns of a table that is what it seems",
	"NoFeature":      "likewise",
	"MissingCells":   "an empty cell is what it seems",
	"OutsideRange":   "new rows may have new values; package check judges them together",
	"KnownRows":      "about what scores of these rows show",
}

// Strict refuses every warning but those with a reason.
func TestStrictRefusesWarnings(t *testing.T) {
	tiny := manifestOf(t, "testdata/tiny")
	rows := func(of func(row map[string]any, i int)) []map[string]any {
		all := flats(60)
		for i, row := range all {
			of(row, i)
		}
		return all
	}
	learn := func(all []map[string]any, opt FitOptions) error {
		table := tableOf(t, "t.csv", all)
		opt.Target, opt.Strict = "y", true
		opt.Ignore = append(opt.Ignore, "kind")
		_, err := Learn(table, tiny, opt)
		return err
	}
	plain := func(map[string]any, int) {}
	twice := slices.Concat(rows(plain), rows(plain))
	var near []map[string]any
	for again := range 2 {
		near = append(near, rows(func(row map[string]any, i int) {
			row["area"], row["y"] = 1.37*float64(i), float64(i*i%17+again)
			row["age"] = 0.1 * float64(i*37%60)
		})...)
	}
	apart := slices.Concat(rows(plain), rows(plain))
	for i, row := range apart {
		row["source"] = i / 60
	}
	alone := rows(func(row map[string]any, i int) { row["copy"] = 2*row["y"].(float64) + 1 })
	gaps := rows(func(row map[string]any, i int) { row["y"] = gap(row["y"], i) })
	refused := map[string]struct {
		err  error
		says string
	}{
		"Unlabelled":   {learn(gaps, FitOptions{}), "missing"},
		"Repeated":     {learn(twice, FitOptions{}), "repeats another one"},
		"SameFeatures": {learn(near, FitOptions{}), "share their features"},
		"Copies":       {learn(apart, FitOptions{}), `are copies of others in all columns but "source"`},
		"Alone":        {learn(alone, FitOptions{}), `"copy" determines "y" alone`},
	}
	for name, opt := range map[string]FitOptions{"near": {KeepRepeated: true},
		"apart": {KeepFeatures: []string{"source"}}, "alone": {KeepFeatures: []string{"copy"}}} {
		all := map[string][]map[string]any{"near": near, "apart": apart, "alone": alone}[name]
		if err := learn(all, opt); err != nil {
			t.Errorf("%s, accepted: %v", name, err)
		}
	}
	table := tableOf(t, "t.csv", flats(60))
	s, err := tabular.Learn(table, tabular.SchemaOptions{Target: "y", Strict: true,
		Ignore: []string{"kind"}})
	must.Succeed(t, err)
	query := tableOf(t, "query",
		rows(func(row map[string]any, i int) { row["town"] = "Atlantis" }))
	unseen := refused["UnseenCategories"]
	_, unseen.err = s.Features(query.Batches[0])
	unseen.says = `"town" has "Atlantis", which t.csv lacks`
	refused["UnseenCategories"] = unseen
	for name, r := range refused {
		if _, ok := r.err.(*tabular.Error); !ok || !strings.Contains(r.err.Error(), r.says) {
			t.Errorf("%s: %v", name, r.err)
		}
	}
	for _, name := range warningKinds(t) {
		if _, ok := refused[name]; ok == (accepted[name] != "") {
			t.Errorf("warning.%s is refused: %v; reason %q", name, ok, accepted[name])
		}
	}
}

// gap is a value, or nothing in one row of twenty.
func gap(v any, i int) any {
	if i%20 == 3 {
		return nil
	}
	return v
}

// warningKinds lists the kinds of package warning.
func warningKinds(t *testing.T) (names []string) {
	t.Helper()
	text, err := os.ReadFile("warning/warning.go")
	must.Succeed(t, err)
	for _, found := range regexp.MustCompile(`(?m)^\t(\w+) +Kind = "`).FindAllSubmatch(text, -1) {
		names = append(names, string(found[1]))
	}
	if len(names) < 10 {
		t.Fatalf("only %v", names)
	}
	return names
}
