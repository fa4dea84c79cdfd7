package hosted

import (
	"container/list"
	"crypto/rand"
	"errors"
	"sync"

	"github.com/pfnamp/pfnamp"
)

// contextCache keeps what clients have fitted, by ids that nobody can guess. Where it is too large,
// what has not been used for longest goes.
type contextCache struct {
	limit int64 // bytes

	mu    sync.Mutex
	bytes int64
	order *list.List // of *kept, the last used one first
	byID  map[string]*list.Element
}

// kept is a context that clients have fitted.
type kept struct {
	id     string
	fitted *pfnamp.Fitted
	bytes  int64
	users  int  // requests that use it
	gone   bool // from the cache: the last user closes it
}

// newCache keeps so many bytes.
func newCache(limit int64) *contextCache {
	return &contextCache{limit: limit, order: list.New(), byID: map[string]*list.Element{}}
}

// add keeps a context, which the caller uses until it calls release. One that is larger than the
// cache is not kept, and has no id.
func (c *contextCache) add(f *pfnamp.Fitted) (*kept, error) {
	size := &sizeWriter{}
	if err := f.Save(size, ""); err != nil {
		return nil, err
	}
	k := &kept{fitted: f, bytes: size.n, users: 1, gone: true}
	if size.n > c.limit {
		return k, nil
	}
	k.id, k.gone = rand.Text(), false
	c.mu.Lock()
	defer c.mu.Unlock()
	c.byID[k.id] = c.order.PushFront(k)
	c.bytes += k.bytes
	var errs []error
	for c.bytes > c.limit {
		errs = append(errs, c.drop(c.order.Back()))
	}
	return k, errors.Join(errs...)
}

// take finds a context, which the caller uses until it calls release; nil where there is none.
func (c *contextCache) take(id string) *kept {
	c.mu.Lock()
	defer c.mu.Unlock()
	at := c.byID[id]
	if at == nil {
		return nil
	}
	c.order.MoveToFront(at)
	k := at.Value.(*kept)
	k.users++
	return k
}

// release ends a use.
func (c *contextCache) release(k *kept) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if k.users--; k.users == 0 && k.gone {
		return k.fitted.Close()
	}
	return nil
}

// drop forgets a context.
func (c *contextCache) drop(at *list.Element) error {
	k := c.order.Remove(at).(*kept)
	delete(c.byID, k.id)
	c.bytes -= k.bytes
	if k.gone = true; k.users == 0 {
		return k.fitted.Close()
	}
	return nil
}

// close forgets all.
func (c *contextCache) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for c.order.Len() > 0 {
		c.drop(c.order.Back()) // of what is closed once there is no error
	}
}

// sizeWriter counts bytes.
type sizeWriter struct{ n int64 }

// Write implements io.Writer.
func (w *sizeWriter) Write(p []byte) (int, error) {
	w.n += int64(len(p))
	return len(p), nil
}
