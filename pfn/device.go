package pfn

import (
	"context"
	"errors"
	"math/bits"
	"sync"

	"github.com/pfnamp/pfnamp/pfn/internal/ort"
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
	digits, _, _ := d.shares()
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

// bound keeps the encoded context on a device with its own memory. The context is copied there with
// the first rows, not with every run: it takes 384 MB for eight members of 1,000 rows. A CPU never
// copies it, and there a run without a binding can be stopped.
type bound struct {
	mu      sync.Mutex
	members []*ort.Binding // made when they are first needed
	closed  bool
}

func (c *Context) binding(ctx context.Context, member int) (*ort.Binding, error) {
	c.bound.mu.Lock()
	defer c.bound.mu.Unlock()
	if c.bound.closed {
		return nil, ErrClosed
	}
	if c.bound.members == nil {
		c.bound.members = make([]*ort.Binding, c.Members())
	}
	if b := c.bound.members[member]; b != nil {
		return b, nil
	}
	session, err := c.model.loadQuery(ctx, c.precision)
	if err != nil {
		return nil, err
	}
	b, err := session.Bind(named(c.model.caches, c.encoded[member]))
	if err != nil {
		return nil, err
	}
	c.bound.members[member] = b
	c.model.bound.Store(c, nil)
	return b, nil
}

// queryBound runs the query graph for one member with its bound context. It returns the outputs of
// some heads at their positions.
func (c *Context) queryBound(
	ctx context.Context, member int, x ort.Tensor, asked []*voice,
) ([]ort.Tensor, error) {
	b, err := c.binding(ctx, member)
	if err != nil {
		return nil, err
	}
	shapes := map[string][]int64{}
	for _, v := range asked {
		o := v.head.output()
		shapes[o.name] = shape(append([]int{1, int(x.Shape[1])}, o.shape...)...)
	}
	made, err := b.Run(ctx, map[string]ort.Tensor{"X_test": x}, shapes)
	if err != nil {
		return nil, err
	}
	out := make([]ort.Tensor, roles)
	for _, v := range asked {
		out[v.role] = made[v.output.name]
	}
	return out, nil
}

// unbind frees what the context holds on the device.
func (c *Context) unbind() error {
	c.bound.mu.Lock()
	defer c.bound.mu.Unlock()
	c.model.bound.Delete(c)
	var errs []error
	for _, b := range c.bound.members {
		if b != nil {
			errs = append(errs, b.Close())
		}
	}
	c.bound.members, c.bound.closed = nil, true
	return errors.Join(errs...)
}
