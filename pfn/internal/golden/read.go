// Package golden reads the golden vectors of bundles: a few tables, with the expected result of
// every stage of their prediction, as computed by the exporter's implementation. It reads
// golden.json, checks that all lengths agree with each other and with the manifest, and compares
// results. Package pfn replays the cases.
package golden

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"github.com/pfnamp/pfnamp/internal/matrix"
	"github.com/pfnamp/pfnamp/internal/strictjson"
	"github.com/pfnamp/pfnamp/models"
)

// file is golden.json with cases of one kind.
type file[C any] struct {
	Format int `json:"format"`
	Cases  []C `json:"cases"`
}

// Case is one table of golden vectors.
type Case interface {
	Title() string
	// Check compares all lengths with each other and with the manifest.
	Check(m *models.Manifest) error
}

// Read decodes golden.json with cases C and checks every shape.
func Read[C any, P interface {
	*C
	Case
}](data []byte, m *models.Manifest) ([]P, error) {
	var all file[C]
	if err := strictjson.Decode(data, &all); err != nil {
		return nil, err
	}
	if all.Format != models.FormatVersion {
		return nil, fmt.Errorf("the format is %d, but this version reads format %d", all.Format,
			models.FormatVersion)
	}
	if len(all.Cases) == 0 {
		return nil, errors.New("no cases")
	}
	var cases []P
	for i := range all.Cases {
		c := P(&all.Cases[i])
		if err := c.Check(m); err != nil {
			return nil, fmt.Errorf("case %q: %w", c.Title(), err)
		}
		cases = append(cases, c)
	}
	return cases, nil
}

// Cell is a number that may be null in JSON, which reads as NaN.
type Cell float64

// UnmarshalJSON reads a number or null.
func (c *Cell) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		*c = Cell(math.NaN())
		return nil
	}
	return json.Unmarshal(data, (*float64)(c))
}

// Cells makes a feature table of golden rows.
func Cells(rows [][]Cell) matrix.Matrix {
	m := matrix.Matrix{Rows: len(rows), Cols: len(rows[0])}
	for _, row := range rows {
		for _, v := range row {
			m.Data = append(m.Data, float64(v))
		}
	}
	return m
}

// shaped reports whether a tensor has its required shape.
type shaped struct {
	name string
	ok   bool
}

// firstWrong returns the error of the first wrong shape, or nil.
func firstWrong(parts []shaped) error {
	for _, s := range parts {
		if !s.ok {
			return fmt.Errorf("%s has the wrong shape", s.name)
		}
	}
	return nil
}

func hasShape[T any](a [][]T, rows, cols int) bool {
	if len(a) != rows {
		return false
	}
	for _, row := range a {
		if len(row) != cols {
			return false
		}
	}
	return true
}

func hasShape3(a [][][]float64, dims [3]int) bool {
	if len(a) != dims[0] {
		return false
	}
	for _, matrix := range a {
		if !hasShape(matrix, dims[1], dims[2]) {
			return false
		}
	}
	return true
}
