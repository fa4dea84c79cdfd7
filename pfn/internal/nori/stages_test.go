package nori

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/pfnamp/pfnamp/internal/matrix"
	"github.com/pfnamp/pfnamp/models"
)

// cell is a number that JSON may give as null, which is NaN.
type cell float64

func (c *cell) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		*c = cell(math.NaN())
		return nil
	}
	return json.Unmarshal(data, (*float64)(c))
}

// policy is an element of testdata/stages.json, written by scripts/export/nori/fixtures.py:
// pipelines, and what the reference makes of tables with them.
type policy struct {
	Pipelines []models.NoriPipeline `json:"pipelines"`
	Cases     []struct {
		Name    string   `json:"name"`
		X       [][]cell `json:"x"`
		Queries [][]cell `json:"queries"`
		Members []struct {
			Permutation []int    `json:"permutation"`
			Context     [][]cell `json:"context"`
			Queries     [][]cell `json:"queries"`
		} `json:"members"`
	} `json:"cases"`
}

func matrixOf(rows [][]cell) matrix.Matrix {
	m := matrix.Matrix{Rows: len(rows), Cols: len(rows[0])}
	for _, v := range slices.Concat(rows...) {
		m.Data = append(m.Data, float64(v))
	}
	return m
}

func readPolicies(t *testing.T) []policy {
	t.Helper()
	data, err := os.ReadFile("testdata/stages.json")
	if err != nil {
		t.Fatal(err)
	}
	var all []policy
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// The reference rounds to float32, and its searches for powers end where a likelihood is flat.
const tolerance = 2e-6

func TestStages(t *testing.T) {
	for k, p := range readPolicies(t) {
		for _, c := range p.Cases {
			t.Run(fmt.Sprintf("policy %d/%s", k, c.Name), func(t *testing.T) {
				x, queries := matrixOf(c.X), matrixOf(c.Queries)
				made := Fit(x, nil, Preset{Members: len(c.Members), Pipelines: p.Pipelines})
				context, asked := made.Context(x), made.Queries(queries)
				for i, m := range c.Members {
					if !slices.Equal(made.Permutation(i), m.Permutation) {
						t.Fatalf("member %d: order %v, want %v", i, made.Permutation(i), m.Permutation)
					}
					agree(t, fmt.Sprintf("member %d, context", i), context[i], m.Context)
					agree(t, fmt.Sprintf("member %d, queries", i), asked[i], m.Queries)
				}
			})
		}
	}
}

func agree(t *testing.T, what string, got []float32, rows [][]cell) {
	t.Helper()
	want, width := slices.Concat(rows...), len(rows[0])
	if len(got) != len(want) {
		t.Fatalf("%s: %d values, want %d", what, len(got), len(want))
	}
	for k, w := range want {
		g, v := float64(got[k]), float64(w)
		if math.IsNaN(g) != math.IsNaN(v) || math.Abs(g-v) > tolerance*max(1, math.Abs(v)) {
			t.Errorf("%s: row %d, column %d is %g, want %g", what, k/width, k%width, g, v)
			return
		}
	}
}
