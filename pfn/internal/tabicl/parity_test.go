package tabicl_test

import (
	"encoding/json"
	"testing"

	"github.com/pfnamp/pfnamp/internal/orttest"
	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn"
)

// gate is the largest difference from the tabicl package of the network's output and of its
// results, in standard deviations of the target. The members are the same. TestPipelinesAgree of
// package pfn compares what the network reads.
const gate = 5e-6

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
		for _, p := range c.Parts {
			if !(p.MaxDiff <= gate+rounding) {
				t.Errorf("%s: %s differs by %.2g > %.2g", c.Name, p.Name, p.MaxDiff, gate+rounding)
			}
		}
	}
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
