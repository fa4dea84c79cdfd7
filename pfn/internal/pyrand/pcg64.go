package pyrand

import "math/bits"

// Constants of NumPy's SeedSequence.
const (
	poolSize   = 4
	initA      = 0x43b0d7e5
	multA      = 0x931e8875
	initB      = 0x8b51f9dd
	multB      = 0x58f38ded
	mixLeft    = 0xca01f9dd
	mixRight   = 0x4973f715
	hashXShift = 16
)

// Multiplier of PCG64's 128-bit linear congruential step.
const (
	pcgMultHigh = 0x2360ed051fc65da4
	pcgMultLow  = 0x4385df649fccf645
)

// seedWords returns the n 64-bit words that numpy.random.SeedSequence(seed).generate_state gives.
//
// The seed's 32-bit words fill a pool of four by a multiply-and-shift hash, every word of the pool
// is mixed into every other, and the state is hashed out of the pool in turn.
//
// Source: O'Neill, "Developing a seed_seq Alternative" (2015), as NumPy implements it.
func seedWords(seed uint64, n int) []uint64 {
	hash := uint32(initA)
	hashed := func(v uint32) uint32 {
		v ^= hash
		hash *= multA
		v *= hash
		return v ^ v>>hashXShift
	}
	entropy := [poolSize]uint32{uint32(seed), uint32(seed >> 32)}
	var pool [poolSize]uint32
	for i, word := range entropy {
		pool[i] = hashed(word)
	}
	for from := range pool {
		for to := range pool {
			if from != to {
				mixed := mixLeft*pool[to] - mixRight*hashed(pool[from])
				pool[to] = mixed ^ mixed>>hashXShift
			}
		}
	}
	hash = initB
	out := make([]uint64, n)
	for i := range 2 * n {
		v := pool[i%poolSize] ^ hash
		hash *= multB
		v *= hash
		out[i/2] |= uint64(v^v>>hashXShift) << (32 * (i % 2))
	}
	return out
}

// uint128 is an unsigned integer modulo 2^128.
type uint128 struct{ high, low uint64 }

func (a uint128) add(b uint128) uint128 {
	low, carry := bits.Add64(a.low, b.low, 0)
	high, _ := bits.Add64(a.high, b.high, carry)
	return uint128{high, low}
}

func (a uint128) mul(b uint128) uint128 {
	high, low := bits.Mul64(a.low, b.low)
	return uint128{high + a.high*b.low + a.low*b.high, low}
}

// Generator is NumPy's numpy.random.default_rng: PCG64 seeded by a SeedSequence. It is not safe
// for concurrent use.
//
// The generator is PCG XSL-RR 128/64: O'Neill, "PCG: A Family of Simple Fast Space-Efficient
// Statistically Good Algorithms for Random Number Generation" (2014).
type Generator struct {
	state, inc uint128
	half       uint32 // upper half of an output whose lower half has been used
	buffered   bool
}

// NewGenerator returns the generator that numpy.random.default_rng(seed) makes in Python.
func NewGenerator(seed uint64) *Generator {
	w := seedWords(seed, 4)
	g := &Generator{inc: uint128{w[2]<<1 | w[3]>>63, w[3]<<1 | 1}}
	g.step()
	g.state = g.state.add(uint128{w[0], w[1]})
	g.step()
	return g
}

// step advances the state.
func (g *Generator) step() {
	g.state = g.state.mul(uint128{pcgMultHigh, pcgMultLow}).add(g.inc)
}

// Uint64 returns the next 64 bits.
func (g *Generator) Uint64() uint64 {
	g.step()
	return bits.RotateLeft64(g.state.high^g.state.low, -int(g.state.high>>58))
}

// Uint32 returns the next 32 bits: the lower half of an output first, then its upper half. Draws
// of 64 bits in between leave the upper half waiting.
func (g *Generator) Uint32() uint32 {
	if g.buffered {
		g.buffered = false
		return g.half
	}
	v := g.Uint64()
	g.half, g.buffered = uint32(v>>32), true
	return uint32(v)
}
