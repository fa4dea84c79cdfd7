package tabpfn

import (
	"crypto/sha256"
	"encoding/binary"
	"math"
	"math/big"

	"github.com/pfnamp/pfnamp/internal/matrix"
)

// rowHash is the fingerprint of package 8.4.0: SHA-256 of the row's float64 values, rounded to 12
// decimals, and of a salt of 8 bytes; its last 64 bits divided by 2^64 - 1. The salt is the number
// of cells of the context. If the hash of a context row has occurred before, 1, 2, ... is added to
// the salt until it is new. A query row has the hash of the first equal context row.
type rowHash struct{ cells uint64 }

func (h rowHash) context(x matrix.Matrix) matrix.Matrix {
	seen, next := map[float64]bool{}, map[float64]uint64{}
	return withHash(x, func(row []float64) float64 {
		data := roundedBytes(row)
		base := h.of(data, 0)
		more := next[base]
		hash := h.of(data, more)
		for seen[hash] && !allMissing(row) {
			more++
			hash = h.of(data, more)
		}
		seen[hash], next[base] = true, more+1
		return hash
	})
}

func (h rowHash) query(x matrix.Matrix) matrix.Matrix {
	return withHash(x, func(row []float64) float64 { return h.of(roundedBytes(row), 0) })
}

// of hashes a row with the salt plus more.
func (h rowHash) of(row []byte, more uint64) float64 {
	data := binary.LittleEndian.AppendUint64(row[:len(row):len(row)], h.cells+more)
	sum := sha256.Sum256(data)
	low := binary.BigEndian.Uint64(sum[len(sum)-8:])
	share := new(big.Rat).SetFrac(new(big.Int).SetUint64(low), new(big.Int).SetUint64(1<<64-1))
	hash, _ := share.Float64()
	return hash
}

// roundedBytes returns the little-endian float64 values of a row, rounded to 12 decimals.
func roundedBytes(row []float64) []byte {
	const unit = 1e12
	data := make([]byte, 0, 8*len(row)+8)
	for _, v := range row {
		word := uint64(quietNaN)
		if !math.IsNaN(v) {
			word = math.Float64bits(math.RoundToEven(v*unit) / unit)
		}
		data = binary.LittleEndian.AppendUint64(data, word)
	}
	return data
}

func allMissing(row []float64) bool {
	for _, v := range row {
		if !math.IsNaN(v) {
			return false
		}
	}
	return true
}
