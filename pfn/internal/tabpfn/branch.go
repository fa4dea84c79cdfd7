package tabpfn

import (
	"slices"

	"github.com/pfnamp/pfnamp/internal/matrix"
)

// branch is a feature pipeline up to the point where its members differ.
type branch struct {
	pipeline Pipeline
	columns  []int     // columns of the layout, nil for all
	products *products // or nil
	left     []int     // columns that vary after the products, nil for all
	reshaper reshaper
}

// fitBranch fits the pipeline of a member to these columns of the layout, nil for all. ok is false
// if none of them varies.
func (t *Transformer) fitBranch(m Member, laidOut matrix.Matrix, columns []int) (b branch,
	ok bool) {
	b = branch{pipeline: m.Pipeline, columns: columns}
	codes := t.layout.codes
	if columns != nil {
		laidOut, codes = laidOut.Pick(columns), at(columns, codes)
	}
	if b.products = t.plan.expand(m, laidOut); b.products != nil {
		laidOut = b.products.apply(laidOut)
		for j := range laidOut.Cols {
			if unique, _ := distinct(laidOut.Column(nil, j)); len(unique) > 1 {
				b.left = append(b.left, j)
			}
		}
		laidOut, codes = laidOut.Pick(b.left), at(b.left, codes)
	}
	if laidOut.Cols == 0 {
		return b, false
	}
	b.reshaper = t.plan.reshape(m.Pipeline, laidOut, codes)
	return b, true
}

// at returns the positions of the listed columns in columns.
func at(columns, listed []int) []int {
	var places []int
	for i, j := range columns {
		if slices.Contains(listed, j) {
			places = append(places, i)
		}
	}
	return places
}

// own reports whether a branch serves only one member.
func (b branch) own() bool { return b.columns != nil || b.products != nil }

// apply reshapes the branch's columns of a laid out table.
func (b branch) apply(laidOut matrix.Matrix) matrix.Matrix {
	if b.columns != nil {
		laidOut = laidOut.Pick(b.columns)
	}
	if b.products != nil {
		laidOut = b.products.apply(laidOut).Pick(b.left)
	}
	return b.reshaper.apply(laidOut)
}
