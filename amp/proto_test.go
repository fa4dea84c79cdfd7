package amp

import (
	"math"
	"testing"
)

func BenchmarkChain(b *testing.B) {
	for _, d := range []int{1, 10} {
		b.Run(string(rune('0'+d)), func(b *testing.B) {
			rates, _ := PaperSchedule{Rows: 200, Features: d}.Rates(50)
			c := newChain(newLaw(.99), 50)
			v, u := make([]float64, 50), make([]float64, 50)
			i := 0
			for b.Loop() {
				c.draw(rates, stream(1, i), v, u)
				i++
			}
		})
	}
}

func TestProtoInverse(t *testing.T) {
	for _, d := range []int{1, 10, 20} {
		rates, _ := PaperSchedule{Rows: 200, Features: d}.Rates(50)
		c := newChain(newLaw(.99), 50)
		v, u := make([]float64, 50), make([]float64, 50)
		worst, amp := 0.0, 0.0
		for b := range 200 {
			c.draw(rates, stream(1, b), v, u)
			for k := range 50 {
				x := c.inverse(k, v[k])
				lo, hi := 0.0, 1.0
				for hi-lo > 1e-15 {
					m := (lo + hi) / 2
					if c.forward(k, m) < v[k] {
						lo = m
					} else {
						hi = m
					}
					if m == lo && m == hi {
						break
					}
				}
				worst = math.Max(worst, math.Abs(x-lo))
				amp = math.Max(amp, math.Abs(c.forward(k, x)-v[k]))
			}
		}
		t.Log(d, worst, amp)
	}
}
