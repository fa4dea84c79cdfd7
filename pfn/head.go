package pfn

import (
	"fmt"
	"slices"

	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn/internal/ort"
)

// role is what a head is for. Results are found by it.
type role int

const (
	ofLabel role = iota // the label's distribution, which every bundle has
	ofOwn               // the network's own posterior
	roles               // how many there are
)

// head is one output of the query graph: what members say of a row, and how that becomes one
// distribution of the row.
type head interface {
	output() output
	// combiner makes the distributions of a context that the network has read.
	combiner(e ensemble, t target) combiner
	// alone is the distribution of every row of a table that needs no network: a point mass if the
	// target is constant, otherwise what the target says without features.
	alone(t *table) part
	// restore reads what alone has returned from the JSON of a saved state.
	restore(data []byte, t target) (part, error)
}

// kind is a kind of head.
type kind struct {
	role role
	// announced is the head of a bundle that has one by its manifest, otherwise nil.
	announced func(*models.Manifest) head
}

// kinds lists all of them. A bundle has one of the label, and may have one of its own posterior. A
// new kind is a line here and a file of its own.
var kinds = []kind{
	{ofLabel, quantilesOf},
	{ofLabel, barsOf},
	{ofLabel, classesOf},
	{ofOwn, surfaceOf},
	{ofOwn, classPosteriorOf},
}

// output is the name of an output, and the shape of what it holds for one member and row.
type output struct {
	name  string
	shape []int
}

// size is the number of values for one member and row.
func (o output) size() int {
	n := 1
	for _, d := range o.shape {
		n *= d
	}
	return n
}

// combiner makes a part of the result of one row from what an output holds for it, by member. The
// members of bars and classes are weighed equally.
type combiner func(members [][]float32, w weighing) part

// always is the combiner of a context without members.
func always(p part) combiner {
	return func([][]float32, weighing) part { return p }
}

// placed is a head, its role, and the place of its output among those of the graph.
type placed struct {
	head
	role  role
	index int
}

// voice is a head in a context.
type voice struct {
	*placed
	output  output // for one member and row of this context
	combine combiner
}

// giveVoice makes the voices of a context.
func (c *Context) giveVoice(combiners func(h *placed) combiner) {
	for role, h := range c.model.heads {
		if h == nil {
			continue
		}
		o := h.head.output()
		if c.hierarchy != nil {
			o.shape = append([]int{c.target.classes}, o.shape[1:]...)
		}
		c.voices[role] = &voice{h, o, combiners(h)}
	}
}

// asked are the voices that a question asks, the label's first.
func (c *Context) asked(own bool) []*voice {
	asked := []*voice{c.voices[ofLabel]}
	if own && c.voices[ofOwn] != nil {
		asked = append(asked, c.voices[ofOwn])
	}
	return asked
}

// headsOf finds the outputs that a bundle announces among those of its query graph.
func headsOf(b *models.Bundle, outputs []ort.Port) (heads [roles]*placed, err error) {
	for _, k := range kinds {
		h := k.announced(&b.Manifest)
		if h == nil {
			continue
		}
		name := h.output().name
		at := slices.IndexFunc(outputs, func(p ort.Port) bool { return p.Name == name })
		if at < 0 {
			return heads, &BundleError{Bundle: b.Source,
				Msg: fmt.Sprintf("the query graph has no output %q", name)}
		}
		heads[k.role] = &placed{h, k.role, at}
	}
	return heads, nil
}

// read takes one head's values out of the results of a run for a block of query rows, of which the
// first is that of the table with the index first. Rows after the block's are padding.
func (m *Model) read(h *placed, out []ort.Tensor, b block, padded int) ([]float32, error) {
	o, t := h.output(), out[h.index]
	want := shape(append([]int{1, padded}, o.shape...)...)
	if !slices.Equal(t.Shape, want) || len(t.Data) < padded*o.size() {
		return nil, &ModelError{m.Name(), fmt.Sprintf(
			"output %q has shape %v from query row %d on, need %v", o.name, t.Shape, b.first, want)}
	}
	for i := range b.rows {
		if !finite(t.Data[i*o.size() : (i+1)*o.size()]) {
			return nil, &ModelError{m.Name(), fmt.Sprintf(
				"output %q holds NaN or Inf for query row %d", o.name, b.first+i)}
		}
	}
	return t.Data, nil
}
