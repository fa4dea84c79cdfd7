package evaluate

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Number is a figure that JSON may lack: NaN and the infinities are written as null, and null is
// read as NaN.
type Number float64

// MarshalJSON implements json.Marshaler.
func (n Number) MarshalJSON() ([]byte, error) {
	if v := float64(n); math.IsNaN(v) || math.IsInf(v, 0) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(n))
}

// UnmarshalJSON implements json.Unmarshaler.
func (n *Number) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		*n = Number(math.NaN())
		return nil
	}
	return json.Unmarshal(text, (*float64)(n))
}

// Measure is one measured figure of a cell.
type Measure struct {
	Method     string `json:"method"`     // what was measured; "ppd" for the predictive distribution
	Functional string `json:"functional"` // "" where none is concerned
	Metric     string `json:"metric"`     // coverage, width, crps, ...
	Value      Number `json:"value"`
	SE         Number `json:"se"`         // standard error of Value; NaN if unknown
	N          int    `json:"replicates"` // independent values behind Value
}

// Outcome is what a cell found.
type Outcome struct {
	Measures []Measure `json:"measures"`
	Curves   []Curve   `json:"curves,omitempty"`
}

// Param is a coordinate of a cell: an int, a float64 or a string.
type Param struct {
	Name  string
	Value any
}

// Result is a measure with the coordinates of its cell.
type Result struct {
	Params []Param
	Measure
}

// Param returns the named coordinate as text, "" if there is none.
func (r Result) Param(name string) string {
	for _, p := range r.Params {
		if p.Name == name {
			return fmt.Sprint(p.Value)
		}
	}
	return ""
}

// MarshalJSON writes one object with the coordinates first.
func (r Result) MarshalJSON() ([]byte, error) {
	var text strings.Builder
	text.WriteByte('{')
	for _, p := range r.Params {
		name, err := json.Marshal(p.Name)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(p.Value)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&text, "%s:%s,", name, value)
	}
	measure, err := json.Marshal(r.Measure)
	if err != nil {
		return nil, err
	}
	text.Write(measure[1:])
	return []byte(text.String()), nil
}

// Results joins the measures of cells with their coordinates, in the order of the cells.
func Results(cells []Cell, outcomes []Outcome) []Result {
	var all []Result
	for i, c := range cells {
		for _, m := range outcomes[i].Measures {
			all = append(all, Result{c.Params, m})
		}
	}
	return all
}

// Average averages results over a coordinate, such as repeated splits: the mean of the values
// with the standard error of that mean. Results that agree in all else form a group; groups keep
// their order of appearance.
func Average(results []Result, over string) (averaged []Result) {
	for _, group := range collected(results, over) {
		r, values := group[0], Moments{}
		for _, one := range group {
			values.Add(float64(one.Value))
		}
		r.Value, r.SE, r.N = Number(values.Mean()), Number(values.SE()), values.N()
		averaged = append(averaged, r)
	}
	return averaged
}

// collected groups results that agree in all but one coordinate, which it drops.
func collected(results []Result, over string) (groups [][]Result) {
	at := map[string]int{}
	for _, r := range results {
		r.Params = slices.DeleteFunc(slices.Clone(r.Params),
			func(p Param) bool { return p.Name == over })
		key := fmt.Sprint(r.Params, "\x00", r.Method, "\x00", r.Functional, "\x00", r.Metric)
		i, known := at[key]
		if !known {
			i, at[key] = len(groups), len(groups)
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], r)
	}
	return groups
}

// Find returns the first result of a method, functional and metric, with SE and N; ok tells
// whether there is one.
func Find(results []Result, method, functional, metric string) (r Result, ok bool) {
	for _, r := range results {
		if r.Method == method && r.Functional == functional && r.Metric == metric {
			return r, true
		}
	}
	return Result{}, false
}
