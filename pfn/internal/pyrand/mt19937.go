package pyrand

import "math/bits"

const (
	stateSize = 624
	stateLag  = 397
)

// Rand is CPython's random.Random. It is not safe for concurrent use.
//
// The generator is MT19937: Matsumoto and Nishimura, "Mersenne Twister: a 623-dimensionally
// equidistributed uniform pseudorandom number generator", ACM TOMACS 8 (1998) 3-30.
type Rand struct {
	state [stateSize]uint32
	next  int
}

// New returns the generator that random.Random(seed) makes in Python: the words of the seed are the
// key of init_by_array.
func New(seed uint64) *Rand {
	key := []uint32{uint32(seed)}
	if high := uint32(seed >> 32); high != 0 {
		key = append(key, high)
	}
	r := &Rand{next: stateSize}
	r.state[0] = 19650218
	for i := 1; i < stateSize; i++ {
		prev := r.state[i-1]
		r.state[i] = 1812433253*(prev^prev>>30) + uint32(i)
	}
	i := 1
	for n := range stateSize {
		prev, j := r.state[i-1], n%len(key)
		r.state[i] = (r.state[i] ^ (prev^prev>>30)*1664525) + key[j] + uint32(j)
		i = r.advance(i)
	}
	for range stateSize - 1 {
		prev := r.state[i-1]
		r.state[i] = (r.state[i] ^ (prev^prev>>30)*1566083941) - uint32(i)
		i = r.advance(i)
	}
	r.state[0] = 1 << 31
	return r
}

// advance returns the state index after i in 1..623, carrying the last word over to the first.
func (r *Rand) advance(i int) int {
	if i++; i < stateSize {
		return i
	}
	r.state[0] = r.state[stateSize-1]
	return 1
}

// twist produces the next 624 words of state.
func (r *Rand) twist() {
	for i := range stateSize {
		y := r.state[i]&(1<<31) | r.state[(i+1)%stateSize]&(1<<31-1)
		word := r.state[(i+stateLag)%stateSize] ^ y>>1
		if y&1 == 1 {
			word ^= 0x9908b0df
		}
		r.state[i] = word
	}
	r.next = 0
}

// Uint32 returns the next 32 bits of the generator.
func (r *Rand) Uint32() uint32 {
	if r.next >= stateSize {
		r.twist()
	}
	y := r.state[r.next]
	r.next++
	y ^= y >> 11
	y ^= y << 7 & 0x9d2c5680
	y ^= y << 15 & 0xefc60000
	return y ^ y>>18
}

// Below returns random.randrange(n), uniform on 0..n-1. It draws as many bits as n has, lowest word
// first and the top bits of the last word, until they are less than n. It panics if n is not
// positive.
func (r *Rand) Below(n int) int {
	if n <= 0 {
		panic("pyrand: Below needs a positive bound")
	}
	k := bits.Len64(uint64(n))
	for {
		v := uint64(r.Uint32() >> max(0, 32-k))
		if k > 32 {
			v |= uint64(r.Uint32()>>(64-k)) << 32
		}
		if v < uint64(n) {
			return int(v)
		}
	}
}
