package pfn

import (
	"encoding/json"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/models"
)

// recorded is what the networks of a golden case read, as the exporter recorded it. Families whose
// members read the same columns have it in Stages, the others in Members.
type recorded struct {
	Members []tensors `json:"members"`
	Stages  struct {
		XTrain [][][]goldenCell     `json:"x_train"`
		XTest  [][][]goldenCell     `json:"x_test"`
		YTrain json.RawMessage      `json:"y_train"` // by member, if there are classes
		YTrend map[string][]float64 `json:"y_trend"`
		Scale  map[string]float64   `json:"trend_scale"`
	} `json:"stages"`
}

// tensors are what one member reads.
type tensors struct {
	Trend  string         `json:"trend"`
	XTrain [][]goldenCell `json:"x_train"`
	XTest  [][]goldenCell `json:"x_test"`
	YTrain []float64      `json:"y_train"`
	scale  float64        // of the target
}

// members lists what every member reads.
func (r *recorded) members(t *testing.T, classifier bool) []tensors {
	t.Helper()
	s := &r.Stages
	for b := range s.XTrain {
		m := &r.Members[b]
		m.XTrain, m.XTest = s.XTrain[b], s.XTest[b]
		var err error
		if classifier {
			var all [][]float64
			err = json.Unmarshal(s.YTrain, &all)
			m.YTrain = all[b]
		} else if m.YTrain, m.scale = s.YTrend[m.Trend], s.Scale[m.Trend]; m.Trend == "" {
			err, m.scale = json.Unmarshal(s.YTrain, &m.YTrain), 1
		}
		must.Succeed(t, err)
	}
	return r.Members
}

// cellDifference is difference for rows of Cells; a missing Cell must be missing.
func cellDifference(got []float32, want [][]goldenCell) float64 {
	have, need := widen(got), []float64{}
	for _, v := range slices.Concat(want...) {
		need = append(need, float64(v))
	}
	for i := range min(len(have), len(need)) {
		if math.IsNaN(have[i]) && math.IsNaN(need[i]) {
			have[i], need[i] = 0, 0
		}
	}
	return difference(have, need)
}

// What the networks of every bundle read agrees with the exporter's implementation to 1e-6, or to
// the 9 digits of the vectors of members with columns of their own.
func TestPipelinesAgree(t *testing.T) {
	var folders []string
	for _, place := range placesOfBundles {
		found, err := filepath.Glob(filepath.FromSlash(place + "/manifest.json"))
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: %d bundles, error %v", place, len(found), err)
		}
		folders = append(folders, found...)
	}
	for _, path := range folders {
		m := openFolder(t, filepath.Dir(path), Options{Refit: true, NoFingerprint: true})
		var all struct{ Cases []recorded }
		must.Succeed(t, json.Unmarshal(m.bundle.Golden(), &all))
		for i, c := range vectors(t, m.bundle) {
			checkPipelines(t, m, &c, all.Cases[i].members(t, m.Classifier()))
		}
	}
}

// checkPipelines compares what the members read of one case.
func checkPipelines(t *testing.T, m *Model, c *goldenCase, members []tensors) {
	t.Helper()
	gate, grain := 1e-6, float32Grain(c)
	if m.bundle.Manifest.Family != models.TabICLFamily {
		gate, grain = 1e-5, 0
	}
	table, err := m.admit(trainingOf(c))
	must.Succeed(t, err)
	e, lessons, err := m.family.fit(m, table, len(members))
	if err != nil || len(lessons) != len(members) {
		t.Fatalf("%d members of %d, error %v", len(lessons), len(members), err)
	}
	queries := e.queries(cellsOf(c.XTest))
	for b, want := range members {
		x := cellDifference(lessons[b].x.Data, want.XTrain)
		z := cellDifference(queries[b].Data, want.XTest)
		y := difference(widen(lessons[b].y.Data), want.YTrain)
		if want.scale > 0 {
			y *= want.scale
		}
		if !(x <= gate && z <= gate && y <= gate+grain) {
			t.Errorf("%s, %s, member %d: x_train differs by %.1e, x_test by %.1e, y_train by %.1e",
				m.Name(), c.Name, b, x, z, y)
		}
	}
}
