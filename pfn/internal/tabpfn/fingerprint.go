package tabpfn

import (
	"crypto/sha256"
	"encoding/binary"
	"math"
	"math/big"
	"slices"

	"github.com/pfnamp/pfnamp/internal/matrix"
	"github.com/pfnamp/pfnamp/pfn/internal/pyrand"
)

// fingerprint appends a hash of each row, which distinguishes equal rows.
type fingerprint interface {
	context(x matrix.Matrix) matrix.Matrix
	query(x matrix.Matrix) matrix.Matrix
}

// saltedHash is the fingerprint of package 2.0.9.
//
// The hash is SHA-256 of the row's float64 values plus a salt, modulo 10^12 and divided by it. If
// the hash of a context row has occurred before, 1, 2, ... is added to the values until it is new.
// A row that does not change, because all its cells are missing or huge, keeps the hash. The
// reference adds the salt of a query row twice, so that the row has another hash there; this
// package does the same.
type saltedHash struct{ salt float64 }

func newSaltedHash(seed uint64) saltedHash {
	return saltedHash{float64(pyrand.NewGenerator(seed).Int(0, 1<<16))}
}

func (f saltedHash) context(x matrix.Matrix) matrix.Matrix {
	seen := make(map[float64]bool, x.Rows)
	return withHash(x, func(row []float64) float64 {
		hash := hashOf(row, f.salt, 0)
		for extra := 1.0; seen[hash] && f.grows(row); extra++ {
			hash = hashOf(row, f.salt, extra)
		}
		seen[hash] = true
		return hash
	})
}

// grows reports whether adding 1 changes a row.
func (f saltedHash) grows(row []float64) bool {
	return slices.ContainsFunc(row, func(v float64) bool { return v+f.salt+1 > v+f.salt })
}

func (f saltedHash) query(x matrix.Matrix) matrix.Matrix {
	return withHash(x, func(row []float64) float64 { return hashOf(row, f.salt, f.salt) })
}

// withHash appends a column with the hash of every row.
func withHash(x matrix.Matrix, hash func(row []float64) float64) matrix.Matrix {
	column := matrix.New(x.Rows, 1)
	for i := range x.Rows {
		column.Data[i] = hash(x.Row(i))
	}
	return matrix.Beside(x, column)
}

// quietNaN is NumPy's NaN; Go's differs in the last bit.
const quietNaN = 0x7ff8000000000000

// hashOf hashes (row + first) + second.
func hashOf(row []float64, first, second float64) float64 {
	const modulus = 1_000_000_000_000
	data := bytesOf(row, func(v float64) float64 { return v + first + second })
	var remainder uint64
	for _, b := range sha256.Sum256(data) {
		remainder = (remainder<<8 | uint64(b)) % modulus
	}
	return float64(remainder) / modulus
}

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
		present := slices.ContainsFunc(row, func(v float64) bool { return v == v })
		for seen[hash] && present {
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

// roundedBytes returns the bytes of a row, rounded to 12 decimals.
func roundedBytes(row []float64) []byte {
	const unit = 1e12
	return bytesOf(row, func(v float64) float64 { return math.RoundToEven(v*unit) / unit })
}

// bytesOf returns the little-endian float64 values of a changed row; missing stays missing.
func bytesOf(row []float64, change columnTransform) []byte {
	data := make([]byte, 0, 8*len(row)+8)
	for _, v := range row {
		word := uint64(quietNaN)
		if !math.IsNaN(v) {
			word = math.Float64bits(change(v))
		}
		data = binary.LittleEndian.AppendUint64(data, word)
	}
	return data
}
