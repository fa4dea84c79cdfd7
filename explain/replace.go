package explain

import (
	"github.com/pfnamp/pfnamp/internal/donors"
	"github.com/pfnamp/pfnamp/internal/panics"
	"github.com/pfnamp/pfnamp/pfn"
)

// lenders are rows that a model has read, which lend cells to others.
type lenders struct {
	table  *donors.Table
	groups []*donors.Lender // for the cells of every group of columns
	often  []bool           // columns that lack cells so often that the network reads them
}

// oftenMissing is the share of missing cells of a column from which on its missing cells are left
// to the network, as pfnamp.Donors leaves them.
const oftenMissing = 0.05

// lenders readies the rows that a model has read.
func (m *measuring) lenders(read pfn.Training) lenders {
	l := lenders{table: donors.New(read.X, read.Categorical, read.Y, m.classes),
		groups: make([]*donors.Lender, len(m.groups)), often: make([]bool, read.X.Cols)}
	for j := range l.often {
		l.often[j] = float64(l.table.Missing(j)) >= oftenMissing*float64(read.X.Rows)
	}
	for g, of := range m.groups {
		l.groups[g] = l.table.Lender(of.features)
	}
	return l
}

// standing are rows that stand for others: those from at[i] to at[i+1]-1 for row i, with their
// weights.
type standing struct {
	x       pfn.Matrix
	weights []float64
	at      []int
}

func newStanding(columns int) *standing {
	return &standing{x: pfn.Matrix{Cols: columns}, at: []int{0}}
}

// add adds rows that stand for the one that add ends with last.
func (s *standing) add(x pfn.Matrix, weights []float64) {
	s.x.Data = append(s.x.Data, x.Data...)
	s.x.Rows += x.Rows
	s.weights = append(s.weights, weights...)
}

// next ends a row.
func (s *standing) next() { s.at = append(s.at, s.x.Rows) }

// replacing replaces cells of held rows.
type replacing struct {
	lenders lenders
	rows    pfn.Matrix
	held    []int
	seed    uint64
	workers int
	base    *standing // held rows with their missing cells completed
}

// complete fills missing cells, in several ways each.
func (r *replacing) complete(draws int) {
	r.base = newStanding(r.rows.Cols)
	found := map[string]*donors.Lender{}
	for _, i := range r.held {
		row := r.rows.Row(i)
		var lacking []int
		key := make([]byte, len(row))
		for j, v := range row {
			if r.lenders.table.Lacks(j, v) && !r.lenders.often[j] {
				lacking, key[j] = append(lacking, j), 1
			}
		}
		if lacking == nil {
			r.base.add(r.rows.Span(i, i+1), []float64{1})
			r.base.next()
			continue
		}
		if found[string(key)] == nil {
			found[string(key)] = r.lenders.table.Lender(lacking)
		}
		made := found[string(key)].Complete(row, draws, stream(r.seed, i, -1))
		r.base.add(made.Rows, made.Weights)
		r.base.next()
	}
}

// replace draws other cells for the features of a group. Cells that are missing stay missing.
func (r *replacing) replace(features []int, g, draws int) (*standing, error) {
	made := make([]*standing, len(r.held))
	err := panics.EachOf(r.workers, len(r.held), func(i int) {
		made[i] = newStanding(r.rows.Cols)
		first, last := r.base.at[i], r.base.at[i+1]
		for b := first; b < last; b++ {
			row, weight := r.base.x.Row(b), r.base.weights[b]
			lender := r.lenders.groups[g]
			present := r.present(r.rows.Row(r.held[i]), features)
			switch {
			case len(present) == 0:
				made[i].add(r.base.x.Span(b, b+1), []float64{weight})
				continue
			case len(present) < len(features):
				lender = r.lenders.table.Lender(present)
			}
			most, seed := max(1, draws/(last-first)), stream(r.seed, r.held[i], g*1024+b-first)
			drawn := lender.Complete(row, most, seed)
			for k := range drawn.Weights {
				drawn.Weights[k] *= weight
			}
			made[i].add(drawn.Rows, drawn.Weights)
		}
	})
	all := newStanding(r.rows.Cols)
	for _, of := range made {
		all.add(of.x, of.weights)
		all.next()
	}
	return all, err
}

// present lists the features of a group that a row has.
func (r *replacing) present(row []float64, features []int) (present []int) {
	for _, j := range features {
		if !r.lenders.table.Lacks(j, row[j]) {
			present = append(present, j)
		}
	}
	return present
}

// stream is the seed of what is drawn for a row and a group.
func stream(seed uint64, row, group int) uint64 {
	h := seed ^ 0x496d_706f_7274_0001
	for _, v := range []uint64{uint64(row) + 1, uint64(group) + 2} {
		h = (h ^ v) * 0x9e37_79b9_7f4a_7c15
		h ^= h >> 29
	}
	return h
}
