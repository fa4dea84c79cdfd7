package pfn

import (
	"context"
	"errors"
	"sync"

	"github.com/pfnamp/pfnamp/pfn/internal/ort"
)

// bound keeps the encoded context on a device with its own memory. The context is copied there with
// the first rows, not with every run: it takes 384 MB for eight members of 1,000 rows. A CPU never
// copies it, and there a run without a binding can be stopped.
type bound struct {
	mu      sync.Mutex
	members []*ort.Binding // made when they are first needed
	closed  bool
}

// binding returns the binding of a member.
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
	fixed := map[string]ort.Tensor{}
	for i, port := range c.model.caches {
		fixed[port.Name] = c.encoded[member][i]
	}
	session, err := c.model.loadQuery(ctx, c.precision)
	if err != nil {
		return nil, err
	}
	b, err := session.Bind(fixed)
	if err != nil {
		return nil, err
	}
	c.bound.members[member] = b
	c.model.bindings.Store(b, nil)
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
	named, err := b.Run(ctx, map[string]ort.Tensor{"X_test": x}, shapes)
	if err != nil {
		return nil, err
	}
	out := make([]ort.Tensor, len(c.model.query.outputs))
	for _, v := range asked {
		out[v.index] = named[v.output.name]
	}
	return out, nil
}

// unbind frees what the context holds on the device.
func (c *Context) unbind() error {
	c.bound.mu.Lock()
	defer c.bound.mu.Unlock()
	c.bound.closed = true
	var errs []error
	for _, b := range c.bound.members {
		if b != nil {
			errs = append(errs, c.model.unbind(b))
		}
	}
	return errors.Join(errs...)
}

// unbind frees a binding, unless it has been freed.
func (m *Model) unbind(b *ort.Binding) error {
	m.bindings.Delete(b)
	if err := b.Close(); err != nil && !errors.Is(err, ort.ErrClosed) {
		return err
	}
	return nil
}

// unbindAll frees the bindings of contexts that are still open.
func (m *Model) unbindAll() []error {
	var errs []error
	m.bindings.Range(func(b, _ any) bool {
		errs = append(errs, m.unbind(b.(*ort.Binding)))
		return true
	})
	return errs
}
