package golden

import (
	"encoding/json"
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
func vectors(t *testing.T, b *models.Bundle) []Case {
	t.Helper()
	cases, err := Read(b.Golden(), &b.Manifest)
	if err != nil {
		t.Fatal(err)
	}
	return cases
}

func TestDamagedGolden(t *testing.T) {
	cases := map[string]struct{ golden, want string }{
		"not JSON":     {"{", "invalid from byte 1"},
		"other format": {`{"format":2,"cases":[]}`, "format is 2"},
		"no cases":     {`{"format":1,"cases":[]}`, "no cases"},
		"other kind":   {`{"format":1,"cases":[{"name":1}]}`, `"cases.name" is a number, not a text`},
		"empty case":   {`{"format":1,"cases":[{}]}`, "must not be empty"},
	}
	manifest := &loaded(t, "tiny").Manifest
	for name, c := range cases {
		_, err := Read([]byte(c.golden), manifest)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %q does not contain %q", name, err, c.want)
		}
	}
}

// Every list must have its length. A posterior is there if the manifest announces one.
func TestGoldenShapes(t *testing.T) {
	damages := map[string]map[string]func(*Case){
		"tiny": {
			"categorical":             func(c *Case) { c.Categorical = append(c.Categorical, true) },
			"y_train":                 func(c *Case) { c.YTrain = c.YTrain[1:] },
			"x_test":                  func(c *Case) { c.XTest[0] = nil },
			"the output of the netwo": func(c *Case) { c.Stages.Quantiles = nil },
			"expect.sd":               func(c *Case) { c.Expect.SD = 0 },
			"expect.knots":            func(c *Case) { c.Expect.Knots[0] = nil },
			"expect.beta_left":        func(c *Case) { c.Expect.BetaLeft = nil },
			"expect.mean":             func(c *Case) { c.Expect.Mean = nil },
			"expect.cdf_at":           func(c *Case) { c.Expect.CDFAt = nil },
			"must not be":             func(c *Case) { c.Members = nil },
			"not announce":            func(c *Case) { c.Expect.Surface = [][][]float64{} },
		},
		"tiny-surface": {
			"stages.surface has":       func(c *Case) { c.Stages.Surface[0][0][3] = nil },
			"expect.surface has":       func(c *Case) { c.Expect.Surface[0] = nil },
			"expect.surface is missin": func(c *Case) { c.Expect.Surface = nil },
		},
		"tabpfn-tiny": {
			"the output of the netwo": func(c *Case) { c.Members[1].Logits[0] = nil },
			"expect.probabilities":    func(c *Case) { c.Expect.Probabilities = nil },
			"expect.quantiles":        func(c *Case) { c.Expect.Quantiles[0] = nil },
		},
		"nori-tiny": {
			"expect.quantiles": func(c *Case) { c.Expect.Quantiles[0] = nil },
		},
		"tabicl-classes": {
			"members.classes":         func(c *Case) { c.Members[1].Classes = nil },
			"the output of the netwo": func(c *Case) { c.Stages.Logits[1] = nil },
			"expect.probabilities":    func(c *Case) { c.Expect.Probabilities = nil },
		},
		"tiny-classes": {
			"stages.class_posterior has":  func(c *Case) { c.Stages.Posterior[0][0][1] = nil },
			"expect.class_posterior has":  func(c *Case) { c.Expect.Posterior[0] = nil },
			"expect.class_posterior is m": func(c *Case) { c.Expect.Posterior = nil },
		},
	}
	for name, list := range damages {
		b := loaded(t, name)
		for want, damage := range list {
			c := vectors(t, b)[0]
			damage(&c)
			if err := c.check(&b.Manifest); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: error %v does not contain %q", name, err, want)
			}
		}
	}
	for _, name := range []string{"tiny-surface", "tiny-classes"} {
		b := loaded(t, name)
		c, without := vectors(t, b)[0], b.Manifest
		without.Surface, without.ClassPosterior = nil, nil
		if err := c.check(&without); err == nil || !strings.Contains(err.Error(), "not announce") {
			t.Errorf("%s: vectors that the manifest does not announce: error %v", name, err)
		}
	}
}

// A classifier has no more classes than its network.
func TestGoldenClasses(t *testing.T) {
	b := loaded(t, "tabicl-classes")
	if cases := vectors(t, b); len(cases) != 6 {
		t.Errorf("%d cases", len(cases))
	}
	if _, err := Read(b.Golden(), &loaded(t, "tiny").Manifest); err == nil {
		t.Error("golden vectors of classes are accepted as those of quantiles")
	}
	b.Manifest.Head.Levels = 9
	if _, err := Read(b.Golden(), &b.Manifest); err == nil {
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
