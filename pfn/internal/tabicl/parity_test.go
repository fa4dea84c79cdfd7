package tabicl_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp/internal/orttest"
	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn"
)

// gates are the largest differences from the tabicl package, by the beginning of the name of a
// stage: 0 in the composition of the members, 1e-6 in the float32 tensors that the network reads,
// and 5e-6 standard deviations of the target in the results of its output.
var gates = []struct {
	stage string
	most  float64
}{
	{"members", 0},
	{"x_", 1e-6},
	{"y_", 1e-6},
	{"mu", 1e-6},
	{"sd", 1e-6},
	{"network", 5e-6},
	{"result", 5e-6},
	{"post-processing", 1e-6},
}

// The golden vectors are what the tabicl package 2.2.0 computes with random weights. Made with
//
//	python -m scripts.export.tabicl.make_checkpoint --size tiny --half --out tiny.ckpt
//	python -m scripts.export_onnx --family tabicl --checkpoint tiny.ckpt \
//	    --out pfn/internal/tabicl/testdata/random --name tabicl-random --version 1 \
//	    --description 'Network of the TabICLv2 architecture with random weights, for tests.' \
//	    --licence LICENSE --spdx Apache-2.0 --notice '' \
//	    --weights 'random numbers of scripts/export/tabicl/make_checkpoint.py --size tiny --half'
func TestAgreesWithThePackage(t *testing.T) {
	bundle, err := models.Load("testdata/random")
	if err != nil {
		t.Fatal(err)
	}
	var golden struct {
		Cases []struct {
			YTrain []float64 `json:"y_train"`
			Expect struct {
				SD float64 `json:"sd"`
			} `json:"expect"`
		} `json:"cases"`
	}
	if err := json.Unmarshal(bundle.Golden(), &golden); err != nil {
		t.Fatal(err)
	}
	report, err := pfn.Verify(t.Context(), bundle, pfn.Options{Library: orttest.Library(t)})
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Cases) != len(golden.Cases) || len(report.Cases) < 6 {
		t.Fatalf("%d cases of %d were replayed", len(report.Cases), len(golden.Cases))
	}
	for i, c := range report.Cases {
		rounding := float32Rounding(golden.Cases[i].YTrain, golden.Cases[i].Expect.SD)
		for _, s := range c.Stages {
			gate := gateOf(t, s.Name)
			if !strings.HasPrefix(s.Name, "members") && !strings.HasPrefix(s.Name, "x_") {
				gate += rounding
			}
			if !(s.MaxDiff <= gate) {
				t.Errorf("%s: %s differs by %.2g > %.2g", c.Name, s.Name, s.MaxDiff, gate)
			}
		}
	}
}

// gateOf returns the gate of a stage.
func gateOf(t *testing.T, stage string) float64 {
	t.Helper()
	for _, g := range gates {
		if strings.HasPrefix(stage, g.stage) {
			return g.most
		}
	}
	t.Fatalf("stage %q has no gate", stage)
	return 0
}

// float32Rounding is how far the package moves standardised targets when it rounds them to float32
// before it centres them: twice the largest change.
func float32Rounding(y []float64, sd float64) float64 {
	var most float64
	for _, v := range y {
		most = max(most, float64(float32(v))-v, v-float64(float32(v)))
	}
	return 2 * most / sd
}
