package tabular

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp/internal/must"
)

// throughJSON is a schema after a round trip through JSON.
func throughJSON(t *testing.T, s *Schema) *Schema {
	t.Helper()
	data, err := json.Marshal(s)
	must.Succeed(t, err)
	var again Schema
	must.Succeed(t, json.Unmarshal(data, &again))
	return &again
}

// A stored schema encodes query tables as the learned one does, and refuses what it refuses.
func TestSchemaJSON(t *testing.T) {
	for _, text := range []string{trainText,
		"a,code,y\n-,01,1\n2,007,2\n3,1e3,3\n",
	} {
		opt := SchemaOptions{Target: "y"}
		if strings.HasPrefix(text, "a,") {
			opt.Categorical = []string{"code"}
		}
		train := readText(t, text, ReadOptions{NA: []string{"-", "NA", ""}, Delimiter: ','})
		s, want, _ := trained(t, train, opt)
		again := throughJSON(t, s)
		got, _, err := again.Training(train)
		if err != nil || !sameValues(got.Data, want.Data) || !maps.Equal(got.Unseen, want.Unseen) {
			t.Errorf("features %v, %v, want %v", got.Data, err, want.Data)
		}
		first, err := json.Marshal(s)
		must.Succeed(t, err)
		second, err := json.Marshal(again)
		must.Succeed(t, err)
		if !slices.Equal(again.Categorical(), s.Categorical()) || string(first) != string(second) {
			t.Errorf("stored as %s, then as %s", first, second)
		}
		if _, err := again.Match("q.csv", []string{"nothing"}); err == nil {
			t.Error("a query table without the columns is accepted")
		}
	}
}

func TestSchemaJSONRefuses(t *testing.T) {
	s := learnText(t, strings.NewReplacer(",y", ",y,class", ",10", ",10,u", ",20", ",20,v", ",30",
		",30,u").Replace(trainText), SchemaOptions{Target: "class", Labels: true,
		Keep: []string{"id"}, Ignore: []string{"id"}})
	data, err := json.Marshal(s)
	must.Succeed(t, err)
	for _, edit := range [][2]string{
		{`"names":["num"`, `"names":["num","num"`},
		{`"names":["num"`, `"names":["cat"`},
		{`"names":["num"`, `"names":[""`},
		{`"names":["num"`, `"names":["class"`},
		{`"numeric"`, `"complex"`},
		{`["a","b"]`, `["b","a"]`},
		{`["a","b"]`, `["a","a"]`},
		{`[null,`, `[["a"],`},
		{`"kept"`, `"keep"`},
		{`"rows":3`, `"rows":3.5`},
		{`"kind":"categorical"`, `"kind":"date"`},
		{`"texts":["u","v"]`, `"texts":["u","u"]`},
		{`"texts":["u","v"]`, `"texts":[]`},
		{`"texts":`, `"more":1,"texts":`},
	} {
		if !strings.Contains(string(data), edit[0]) {
			t.Fatalf("%s does not contain %s", data, edit[0])
		}
		var read Schema
		changed := strings.Replace(string(data), edit[0], edit[1], 1)
		if err := json.Unmarshal([]byte(changed), &read); err == nil {
			t.Errorf("%s in place of %s is accepted", edit[1], edit[0])
		}
	}
	s.Columns[1].Categories[0] = "\xff"
	if _, err := json.Marshal(s); err == nil {
		t.Error("a category that is not UTF-8 is stored")
	}
}

func FuzzSchemaJSON(f *testing.F) {
	f.Add([]byte(`{"names":["a"],"kinds":["numeric"],"missing":[0],"numbers":[false],` +
		`"categories":[null],"target":"y","na":["NA"]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var s Schema
		if json.Unmarshal(data, &s) == nil && len(s.Categorical()) != len(s.FeatureNames()) {
			t.Error("the schema is not whole")
		}
	})
}
