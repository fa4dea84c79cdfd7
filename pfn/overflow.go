package pfn

import (
	"errors"
	"fmt"
	"math"
)

// tooLarge replaces an error of the model by an *InputError about the first cell that is infinite
// as a float32, if there is one. Some pipelines pass features through, and not every network can
// read them.
func (m *Model) tooLarge(err error, x Matrix, table string) error {
	if _, faulty := errors.AsType[*ModelError](err); !faulty || !m.family.keepsFeatures() {
		return err
	}
	for k, v := range x.Data {
		if math.IsInf(float64(float32(v)), 0) {
			return &InputError{Table: table, Row: k / x.Cols, Col: k % x.Cols, Msg: fmt.Sprintf(
				"%g is too large for model %s, which reads 32-bit numbers; use another unit for the "+
					"feature", v, m.Name())}
		}
	}
	return err
}
