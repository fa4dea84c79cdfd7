package golden

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp/models"
)

// testdata has the bundles of the tests.
var testdata = filepath.Join("..", "..", "..", "testdata")

// loaded is a bundle of testdata.
func loaded(t *testing.T, name string) *models.Bundle {
	t.Helper()
	b, err := models.Load(filepath.Join(testdata, name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// vectors reads the golden vectors of a bundle anew.
func vectors[C any, P interface {
	*C
	Case
}](t *testing.T, b *models.Bundle) []P {
	t.Helper()
	cases, err := Read[C, P](b.Golden(), &b.Manifest)
	if err != nil {
		t.Fatal(err)
	}
	return cases
}

func TestDamagedGolden(t *testing.T) {
	cases := map[string]struct{ golden, want string }{
		"not JSON":      {"{", "cut short"},
		"other format":  {`{"format":2,"cases":[]}`, "format is 2"},
		"no cases":      {`{"format":1,"cases":[]}`, "no cases"},
		"unknown field": {`{"format":1,"cases":[],"more":1}`, "unknown field more"},
		"empty case":    {`{"format":1,"cases":[{}]}`, `"cases[0].name" is missing`},
	}
	manifest := &loaded(t, "tiny").Manifest
	for name, c := range cases {
		_, err := Read[QuantileCase]([]byte(c.golden), manifest)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %q does not contain %q", name, err, c.want)
		}
	}
}

func TestGoldenShapes(t *testing.T) {
	b := loaded(t, "tiny")
	damages := map[string]func(*QuantileCase){
		"categorical":      func(c *QuantileCase) { c.Categorical = append(c.Categorical, true) },
		"y_train":          func(c *QuantileCase) { c.YTrain = c.YTrain[1:] },
		"stages.x_test":    func(c *QuantileCase) { c.Stages.XTest[0][0] = nil },
		"stages.quantiles": func(c *QuantileCase) { c.Stages.Quantiles = nil },
		"expect.knots":     func(c *QuantileCase) { c.Expect.Knots[0] = nil },
		"must not be":      func(c *QuantileCase) { c.Members = nil },
	}
	for want, damage := range damages {
		c := vectors[QuantileCase](t, b)[0]
		damage(c)
		if err := c.Check(&b.Manifest); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v does not contain %q", err, want)
		}
	}
}

// Every list of the vectors of a classifier must be there and have its length.
func TestGoldenClassesShapes(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(testdata, "tabicl-classes", "golden.json"))
	if err != nil {
		t.Fatal(err)
	}
	manifest := loaded(t, "tabicl-classes").Manifest
	with := func(edit func(first map[string]any)) []byte {
		var file struct {
			Format int              `json:"format"`
			Cases  []map[string]any `json:"cases"`
		}
		if err := json.Unmarshal(data, &file); err != nil {
			t.Fatal(err)
		}
		file.Cases = file.Cases[:1]
		edit(file.Cases[0])
		changed, err := json.Marshal(file)
		if err != nil {
			t.Fatal(err)
		}
		return changed
	}
	for _, field := range []string{"x_train", "y_train", "x_test", "members", "stages", "expect"} {
		for name, edit := range map[string]func(map[string]any){
			"missing": func(first map[string]any) { delete(first, field) },
			"cut": func(first map[string]any) {
				switch v := first[field].(type) {
				case []any:
					first[field] = v[1:]
				case map[string]any:
					for part, tensor := range v {
						v[part] = tensor.([]any)[1:]
					}
				}
			},
		} {
			if _, err := Read[ClassCase](with(edit), &manifest); err == nil {
				t.Errorf("%s %s: no error", field, name)
			}
		}
	}
	if cases, err := Read[ClassCase](data, &manifest); err != nil || len(cases) != 6 {
		t.Errorf("%d cases, error %v", len(cases), err)
	}
	if _, err := Read[QuantileCase](data, &manifest); err == nil {
		t.Error("golden vectors of classes are accepted as those of quantiles")
	}
	manifest.Head.Levels = 9
	if _, err := Read[ClassCase](data, &manifest); err == nil {
		t.Error("10 classes of 9 were accepted")
	}
}

func TestCellNull(t *testing.T) {
	var cells []Cell
	if err := json.Unmarshal([]byte(`[1.5,null]`), &cells); err != nil {
		t.Fatal(err)
	}
	if cells[0] != 1.5 || cells[1] == cells[1] {
		t.Errorf("cells %v", cells)
	}
}
