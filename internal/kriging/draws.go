package kriging

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/pfnamp/pfnamp/internal/matrix"
)

// Drawing settings takes thousands of times as long as finding their mode. In larger tables the
// settings vary little, and [Draws] takes the mode.
const (
	mostDrawn   = 100 // rows
	mostLengths = 20
)

// The chain of settings starts at their mode. It discards its first sweeps, and every second one
// after them.
const (
	firstSweeps = 2
	thinning    = 2
)

// Draws returns processes that have read the same rows under settings drawn from their posterior
// distribution. Their mixture includes the uncertainty about lengths and noise (Snoek, Larochelle
// and Adams 2012). For a large table it returns the one process of [Fit]. It panics where Fit does.
func Draws(s *Space, x matrix.Matrix, y []float64, count int, seed uint64) []*Process {
	mode, t := read(s, x, y)
	if x.Rows > mostDrawn || s.lengths > mostLengths {
		mode.under(t)
		return []*Process{mode}
	}
	chain := &chain{evidence: newEvidence(s, mode.places, mode.targets), at: t,
		random: rand.New(rand.NewPCG(seed, uint64(x.Rows)))}
	chain.start()
	var all []*Process
	for sweep := range firstSweeps + count*thinning {
		chain.sweep()
		if sweep >= firstSweeps && (sweep-firstSweeps)%thinning == 0 {
			p := *mode
			p.under(chain.at)
			all = append(all, &p)
		}
	}
	return all
}

// chain draws settings by slice sampling, one after another (Neal 2003).
type chain struct {
	evidence *evidence
	at       settings
	value    float64
	random   *rand.Rand
}

func (c *chain) start() {
	c.evidence.weigh(c.at)
	c.value = c.evidence.value
}

// sliceWidth is the first width of the interval that a setting is drawn from. The interval shrinks
// until a draw is likely enough.
const sliceWidth = 2.0

// sweep draws every setting once, given the others.
func (c *chain) sweep() {
	c.at = slices.Clone(c.at)
	for j, old := range c.at {
		level := c.value + c.random.ExpFloat64()
		lo := old - sliceWidth*c.random.Float64()
		hi := lo + sliceWidth
		for {
			c.at[j] = lo + (hi-lo)*c.random.Float64()
			c.evidence.weigh(c.at)
			if c.evidence.value <= level {
				c.value = c.evidence.value
				break
			}
			if math.Abs(hi-lo) < 1e-9 { // rounding hides what is likely
				c.at[j] = old
				break
			}
			if c.at[j] < old {
				lo = c.at[j]
			} else {
				hi = c.at[j]
			}
		}
	}
}
