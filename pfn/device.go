package pfn

import (
	"errors"
	"math/bits"
)

// Blocks of query rows on a device with its own memory. A run takes the time of its thousand small
// kernels, however few rows they have, so blocks are large. Their sizes are powers of two, so that
// the library's allocator meets few shapes.
const (
	deviceRows  = 65_536 // most query rows in a run
	deviceShare = 4      // a run may take the memory of the device divided by this
	scoreCopies = 2      // arrays of [heads, query rows, context rows] in a run
)

// powerOfTwo returns the least power of two that is at least n and leastRows.
func powerOfTwo(n int) int { return 1 << bits.Len(uint(max(n, leastRows)-1)) }

// deviceBlock returns the most query rows in a run on a device, a power of two: fewer for long
// contexts, whose scores of attention are written out, and fewer after its memory has ended once.
// The terms are those of [Model.footprint].
func (c *Context) deviceBlock() int {
	if most := c.most.Load(); most > 0 {
		return int(most)
	}
	m := c.model
	d := demand{tree: c.hierarchy}
	digits, _ := d.shares()
	tokens := m.family.tokens(m, c.columns)
	row := 4 * (digits*m.family.cost().copies*tokens*m.widths.cell + rowCopies*m.widths.row +
		scoreCopies*m.widths.heads*float64(c.rows))
	most := deviceRows
	if m.deviceMemory > 0 {
		fit := float64(m.deviceMemory) / deviceShare / row
		most = min(most, powerOfTwo(int(min(fit, deviceRows))/2+1))
	}
	c.most.Store(int64(most))
	return most
}

// fitted returns what run makes, which is repeated with blocks of half the size while the memory of
// a device does not suffice.
func (c *Context) fitted(run func() ([]block, error)) ([]block, error) {
	for {
		blocks, err := run()
		native, ok := errors.AsType[*NativeError](err)
		most := c.most.Load()
		if !ok || !native.OutOfMemory() || !c.model.binds || most <= leastRows {
			return blocks, err
		}
		c.most.Store(most / 2)
	}
}
