package pfn

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp/models"
)

func TestDamagedGolden(t *testing.T) {
	cases := map[string]struct{ golden, want string }{
		"not JSON":      {"{", "unexpected end"},
		"other format":  {`{"format":2,"cases":[]}`, "format is 2"},
		"no cases":      {`{"format":1,"cases":[]}`, "no cases"},
		"unknown field": {`{"format":1,"cases":[],"more":1}`, "unknown field more"},
		"empty case":    {`{"format":1,"cases":[{}]}`, `"cases[0].name" is missing`},
	}
	manifest := &bundle(t).Manifest
	for name, c := range cases {
		_, err := readGolden[quantileCase]([]byte(c.golden), manifest)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %q does not contain %q", name, err, c.want)
		}
	}
}

func TestGoldenShapes(t *testing.T) {
	b, err := models.Load(tinyBundle)
	if err != nil {
		t.Fatal(err)
	}
	damages := map[string]func(*quantileCase){
		"categorical":      func(c *quantileCase) { c.Categorical = append(c.Categorical, true) },
		"y_train":          func(c *quantileCase) { c.YTrain = c.YTrain[1:] },
		"stages.x_test":    func(c *quantileCase) { c.Stages.XTest[0][0] = nil },
		"stages.quantiles": func(c *quantileCase) { c.Stages.Quantiles = nil },
		"expect.knots":     func(c *quantileCase) { c.Expect.Knots[0] = nil },
		"must not be":      func(c *quantileCase) { c.Members = nil },
	}
	for want, damage := range damages {
		c := vectors[*quantileCase](t, b)[0]
		damage(c)
		if err := c.check(&b.Manifest); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v does not contain %q", err, want)
		}
	}
}

// Every list of the vectors of a classifier must be there and have its length.
func TestGoldenClassesShapes(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(tinyClassifier, "golden.json"))
	if err != nil {
		t.Fatal(err)
	}
	manifest := classifierBundle(t).Manifest
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
			if _, err := readGolden[classCase](with(edit), &manifest); err == nil {
				t.Errorf("%s %s: no error", field, name)
			}
		}
	}
	if cases, err := readGolden[classCase](data, &manifest); err != nil || len(cases) != 6 {
		t.Errorf("%d cases, error %v", len(cases), err)
	}
	if _, err := readGolden[quantileCase](data, &manifest); err == nil {
		t.Error("golden vectors of classes are accepted as those of quantiles")
	}
	manifest.Head.Levels = 9
	if _, err := readGolden[classCase](data, &manifest); err == nil {
		t.Error("10 classes of 9 were accepted")
	}
}

func TestCellNull(t *testing.T) {
	var cells []cell
	if err := json.Unmarshal([]byte(`[1.5,null]`), &cells); err != nil {
		t.Fatal(err)
	}
	if cells[0] != 1.5 || cells[1] == cells[1] {
		t.Errorf("cells %v", cells)
	}
}
