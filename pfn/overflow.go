package pfn

import (
	"errors"
	"fmt"
	"math"
)

// tooLarge makes a fault of the model an *InputError about the first cell of the table that is
// infinite as a float32, if there is one: a family whose pipelines keep features as they are hands
// it to the network, of which not every one can read it.
func (m *Model) tooLarge(err error, x Matrix, table string) error {
	if _, faulty := errors.AsType[*ModelError](err); !faulty || !m.family.keepsFeatures() {
		return err
	}
	for k, v := range x.Data {
		if math.IsInf(float64(float32(v)), 0) {
			return &InputError{Table: table, Row: k / x.Cols, Col: k % x.Cols, Msg: fmt.Sprintf(
				"%g is too large for model %s, which reads numbers of 32 bits; give the feature in another "+
					"unit", v, m.Name())}
		}
	}
	return err
}
