package reading

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"math"
	"slices"

	"github.com/pfnamp/pfnamp/internal/donors"
	"github.com/pfnamp/pfnamp/internal/matrix"
	"github.com/pfnamp/pfnamp/internal/rows"
	"github.com/pfnamp/pfnamp/pfn"
)

// donorCells is the largest number of cells of all donors in a state.
const donorCells = 1 << 19

// donorStream is the random stream that draws donors.
const donorStream = 0x446f_6e6f_7273_0000

// Lenders returns the rows of a context that lend cells: all, or a random subset, in their order.
func Lenders(t pfn.Training) pfn.Training {
	most := max(1, min(donors.Most, donorCells/max(t.X.Cols, 1)))
	if t.X.Rows <= most {
		return t
	}
	return t.Take(rows.Draw(matrix.Upto(t.X.Rows), most, 0, donorStream))
}

// Saved holds the lending rows of the context in a saved state.
type Saved struct {
	Rows int `json:"rows"`
	// Cells are the features of all rows and then their targets: float64 values in little-endian
	// order, in base64. NaN is missing, and so is a category below 0.
	Cells string `json:"cells"`
}

// Save returns the stored form of lending rows.
func Save(t pfn.Training) *Saved {
	data := make([]byte, 0, 8*(len(t.X.Data)+len(t.Y)))
	for _, v := range slices.Concat(t.X.Data, t.Y) {
		data = binary.LittleEndian.AppendUint64(data, math.Float64bits(v))
	}
	return &Saved{Rows: t.X.Rows, Cells: base64.StdEncoding.EncodeToString(data)}
}

// errDonors reports donors that do not fit the state.
var errDonors = errors.New("its donors belong to another table")

// Lenders returns the lending rows. classes is the number of classes, 0 for numbers.
func (s *Saved) Lenders(categorical []bool, classes int) (pfn.Training, error) {
	t := pfn.Training{Categorical: categorical}
	data, err := base64.StdEncoding.DecodeString(s.Cells)
	columns := len(categorical)
	if err != nil || s.Rows < 1 || s.Rows > donors.Most || len(data) != 8*s.Rows*(columns+1) {
		return t, errDonors
	}
	values := make([]float64, len(data)/8)
	for i := range values {
		values[i] = math.Float64frombits(binary.LittleEndian.Uint64(data[8*i:]))
		if math.IsInf(values[i], 0) {
			return t, errDonors
		}
	}
	t.X = pfn.Matrix{Rows: s.Rows, Cols: columns, Data: values[:s.Rows*columns]}
	t.Y = values[s.Rows*columns:]
	for _, y := range t.Y {
		if math.IsNaN(y) || classes > 0 && (y != math.Trunc(y) || y < 0 || y >= float64(classes)) {
			return t, errDonors
		}
	}
	return t, nil
}
