package explain

import (
	"math"
	"slices"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/pfn"
)

// supportRows is about the number of rows of which a support is a share.
const supportRows = 240

// support is the share of a sample of the rows that are near a row of the context when they get
// cells.
func (p *Population) support(cells []cell) float64 {
	n, near, rows := p.neighbours(), 0, p.batch(0, max(1, p.Size()/supportRows))
	changed := make([]float64, p.rows.X.Cols)
	for _, i := range rows {
		copy(changed, p.rows.X.Row(i))
		for _, c := range cells {
			changed[c.at] = c.v
		}
		if n.distance(changed, -1) <= n.reach {
			near++
		}
	}
	return float64(near) / float64(len(rows))
}

// neighbours measures how far rows lie from those of a context: numbers in standard deviations,
// categories by 1 where they differ, missing cells in the middle.
type neighbours struct {
	x           pfn.Matrix
	scales      []pfnamp.Scale
	categorical []bool
	reach       float64 // how far 95 % of the rows of the context lie from the nearest other one
}

// usualShare is the share of the rows of a context whose nearest neighbour is called near.
const usualShare = 0.95

// neighbours are those of the population, made once.
func (p *Population) neighbours() *neighbours {
	if p.near != nil {
		return p.near
	}
	f := p.predictor.Fitted()
	p.near = &neighbours{x: p.rows.X, scales: f.Scales(), categorical: f.Schema().Categorical()}
	var nearest []float64
	for i := range p.rows.X.Rows {
		nearest = append(nearest, p.near.distance(p.rows.X.Row(i), i))
	}
	slices.Sort(nearest)
	p.near.reach = nearest[int(usualShare*float64(len(nearest)-1))]
	return p.near
}

// distance is that of the nearest row of the context other than one, squared.
func (n *neighbours) distance(row []float64, other int) float64 {
	best := math.Inf(1)
	for i := range n.x.Rows {
		if i == other {
			continue
		}
		sum := 0.0
		for j, v := range n.x.Row(i) {
			if sum += n.apart(j, row[j], v); sum >= best {
				break
			}
		}
		best = min(best, sum)
	}
	return best
}

// apart is the squared distance of two cells of a feature.
func (n *neighbours) apart(feature int, a, b float64) float64 {
	if feature < len(n.categorical) && n.categorical[feature] {
		if a == b {
			return 0
		}
		return 1
	}
	scale := n.scales[feature]
	if scale.Spread == 0 {
		return 0
	}
	d := (orMiddle(a, scale) - orMiddle(b, scale)) / scale.Spread
	return d * d
}

// orMiddle is a number, or the mean where it is missing.
func orMiddle(v float64, s pfnamp.Scale) float64 {
	if math.IsNaN(v) {
		return s.Center
	}
	return v
}
