package arrowguard

import (
	"fmt"

	"github.com/apache/arrow-go/v18/arrow/memory"
)

// Limits on what the decoding of one message may allocate: maxRatio times the bytes of its body
// and of the dictionaries, but at least minDecompressed.
const (
	minDecompressed = 128 << 20
	maxRatio        = 64
)

// budget is an allocator of what the decoding of one message may take. Beyond it, it panics
// with an error, which the Arrow library turns into the error of the call.
type budget struct{ left int64 }

// Allocate returns n bytes.
func (b *budget) Allocate(n int) []byte {
	b.spend(int64(n))
	return memory.DefaultAllocator.Allocate(n)
}

// Reallocate returns n bytes that begin with the old ones.
func (b *budget) Reallocate(n int, old []byte) []byte {
	b.spend(int64(n))
	return memory.DefaultAllocator.Reallocate(n, old)
}

// Free does nothing: the next message has a budget of its own.
func (*budget) Free([]byte) {}

// spend takes n bytes from the budget.
func (b *budget) spend(n int64) {
	if n < 0 || n > b.left {
		panic(fmt.Errorf("decompresses to more than %d times its size", maxRatio))
	}
	b.left -= n
}
