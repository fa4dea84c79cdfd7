package pfn

import (
	"bytes"
	"errors"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"github.com/pfnamp/pfnamp/distr"
	"github.com/pfnamp/pfnamp/internal/orttest"
	"github.com/pfnamp/pfnamp/models"
)

// Folders of TabPFN classifiers of random weights; see scripts/export/tabpfn/README.md.
var tinyOwnClassifiers = []string{"tabpfn-classes", "tabpfn25-classes", "tabpfn3-classes",
	"tabpfn35-classes"}

// eachOwnClassifier runs a test on every one of them.
func eachOwnClassifier(t *testing.T, run func(t *testing.T, folder string)) {
	for _, name := range tinyOwnClassifiers {
		t.Run(name, func(t *testing.T) { run(t, filepath.Join("..", "testdata", name)) })
	}
}

// Gates beside the package: members and classes exactly, what the network reads to the digits of
// the vectors, logits and probabilities to the rounding of float32.
func TestOwnClassesAgreeWithThePackage(t *testing.T) {
	gates := map[string]float64{
		"members": 0, "network": 1e-5, "result: probabilities": 2e-6,
	}
	eachOwnClassifier(t, func(t *testing.T, folder string) {
		b, err := models.Load(folder)
		if err != nil {
			t.Fatal(err)
		}
		report, err := Verify(t.Context(), b, Options{Library: orttest.Library(t)})
		if err != nil {
			t.Fatal(err)
		}
		if len(report.Cases) != 5 || !report.OK() {
			t.Fatalf("%d cases, OK %v", len(report.Cases), report.OK())
		}
		for _, c := range report.Cases {
			if len(c.Parts) != len(gates) {
				t.Errorf("%s: %d parts of %d", c.Name, len(c.Parts), len(gates))
			}
			for _, s := range c.Parts {
				if gate, ok := gates[s.Name]; !ok || !(s.MaxDiff <= gate) {
					t.Errorf("%s: %s differs by %.2g > %.2g", c.Name, s.Name, s.MaxDiff, gate)
				}
			}
		}
	})
}

// Verify sees a mistake in every part.
func TestVerifyOwnClassesFindsMistakes(t *testing.T) {
	m := openFolder(t, filepath.Join("..", "testdata", tinyOwnClassifiers[0]), Options{Refit: true,
		NoFingerprint: true})
	checkMistakes(t, m, 0, map[string]func(*goldenCase){
		"members":               func(g *goldenCase) { slices.Reverse(g.Members[0].Classes) },
		"network":               func(g *goldenCase) { g.Members[1].Logits[0][0] += 0.1 },
		"result: probabilities": func(g *goldenCase) { g.Expect.Probabilities[0][0] += 1e-3 },
	})
}

// Probabilities have the sum 1, a row's do not depend on the other rows, and a saved context gives
// the same bits.
func TestOwnClassesAndState(t *testing.T) {
	eachOwnClassifier(t, func(t *testing.T, folder string) {
		m := openFolder(t, folder, Options{Members: 4, Refit: true})
		train, query := classTable(1, 60, 5, 4), synthetic(2, 90, 5).X
		train.Categorical = make([]bool, 5)
		query.Data[3] = math.NaN()
		c := fit(t, m, train)
		rows := predictClasses(t, c, query)
		for i, p := range rows {
			if sum := p[0] + p[1] + p[2] + p[3]; len(p) != 4 || math.Abs(sum-1) > 1e-12 {
				t.Errorf("row %d: %v", i, p)
			}
		}
		one := Matrix{Rows: 1, Cols: 5, Data: query.Data[77*5 : 78*5]}
		if p := predictClasses(t, c, one)[0]; !slices.Equal(p, rows[77]) {
			t.Errorf("row 77: %v alone, %v together", p, rows[77])
		}
		data := saved(t, c, "note")
		again, err := restore(m, data)
		if err != nil {
			t.Fatal(err)
		}
		if again.Classes() != 4 || again.Members() != 4 {
			t.Errorf("restored: %d classes, %d members", again.Classes(), again.Members())
		}
		for i, p := range predictClasses(t, again, query) {
			if !slices.Equal(p, rows[i]) {
				t.Fatalf("row %d differs after a restore", i)
			}
		}
		broken := bytes.Clone(data)
		broken[len(broken)-60] ^= 1
		var state *StateError
		if _, err := restore(m, broken); !errors.As(err, &state) {
			t.Errorf("one bit changed: error %v", err)
		}
	})
}

// The ways to make probabilities of logits that a manifest may ask for.
func TestClassAverages(t *testing.T) {
	members := fakeOrders{orders: [][]int{{0, 1, 2}, {2, 0, 1}}}
	logits := [][]float32{{1, 0, -1, 9}, {2, 0.5, 0, 9}} // the last class is not in the table
	soft := func(z ...float64) distr.Classes {
		return classHead{temperature: 0.5}.softmax(z)
	}
	first, second := soft(1, 0, -1), soft(0, 2, 0.5)
	mean := distr.Classes{}
	for k := range first {
		mean = append(mean, (first[k]+second[k])/2)
	}
	half := distr.Classes{mean[0] / 0.5, mean[1] / 0.25, mean[2] / 0.25}
	sum := half[0] + half[1] + half[2]
	for name, c := range map[string]struct {
		probabilities, balanced bool
		want                    distr.Classes
	}{
		"logits":        {false, false, soft(0.5, 1, -0.25)},
		"probabilities": {true, false, mean},
		"balanced":      {true, true, distr.Classes{half[0] / sum, half[1] / sum, half[2] / sum}},
	} {
		h := classHead{4, 0.5, c.probabilities, c.balanced}
		got := h.combiner(members, target{classes: 3})(logits, weighing{}).(distr.Classes)
		if difference(got, c.want) > 1e-12 {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// fakeOrders is an ensemble that knows only the orders of the classes and their shares.
type fakeOrders struct {
	none
	orders [][]int
}

func (f fakeOrders) order(member int) []int { return f.orders[member] }
func (fakeOrders) shares() []float64        { return []float64{0.5, 0.25, 0.25} }
