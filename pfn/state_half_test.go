package pfn

import (
	"bytes"
	"math"
	"testing"

	"github.com/pfnamp/pfnamp/distr"
	"github.com/pfnamp/pfnamp/internal/must"
)

// Numbers that float16 does not hold are neither written nor read.
func TestHalves(t *testing.T) {
	err := writeFloats(&bytes.Buffer{}, []float32{1, 1e6}, true)
	must.Fail(t, "a number that is too large", err, "holds 1e+06")
	infinite := []byte{0, 0x7c}
	if _, err := readFloats(bytes.NewReader(infinite), 1, true); err != errNotFinite {
		t.Errorf("infinity is read: %v", err)
	}
	if _, err := readFloats(bytes.NewReader(infinite), 2, true); err == nil {
		t.Error("a missing number is read")
	}
}

// A state of half precision has about half the bytes, and predicts nearly the same, the same every
// time.
func TestSaveHalf(t *testing.T) {
	m := embedded(t, "default")
	c, query := fit(t, m, synthetic(1, 200, 4)), synthetic(4, 30, 4).X
	var file bytes.Buffer
	must.Succeed(t, c.SaveHalf(&file, nil))
	if all := len(saved(t, c, "")); file.Len() > all*6/10 {
		t.Errorf("%d bytes instead of %d", file.Len(), all)
	}
	want, made := predict(t, c, query), [2][]*distr.Quantiles{}
	for i := range made {
		made[i] = predict(t, restored(t, m, file.Bytes()), query)
	}
	checkRows(t, "again", made[0], made[1])
	for i, d := range made[0] {
		width := want[i].Quantile(0.95) - want[i].Quantile(0.05)
		for _, u := range []float64{0.05, 0.5, 0.95} {
			if off := math.Abs(d.Quantile(u) - want[i].Quantile(u)); off > 0.02*width {
				t.Errorf("row %d: quantile %g is off by %g of a width of %g", i, u, off, width)
			}
		}
	}
	damaged := bytes.Clone(file.Bytes())
	damaged[len(damaged)/2] ^= 1
	if _, err := restore(m, damaged); err == nil {
		t.Error("a changed byte is not seen")
	}
}
