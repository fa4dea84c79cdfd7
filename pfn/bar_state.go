package pfn

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn/internal/ort"
	"github.com/pfnamp/pfnamp/pfn/internal/tabpfn"
)

// barState is the part of a saved state's header that only a TabPFN context has. After the header
// and the note the state holds the training table, float64, row by row, and its target: Restore
// fits the pipelines to them again, which gives the same bits. The tensors of every member follow.
type barState struct {
	Members     int             `json:"members"`
	Fingerprint bool            `json:"fingerprint"`
	Categorical []bool          `json:"categorical"`
	Caches      [][]cacheHeader `json:"caches"` // by member and input of the query graph
}

// barHeader describes a TabPFN context.
func (c *Context) barHeader() *barState {
	s := &barState{Members: len(c.bars.members), Categorical: c.bars.training.Categorical,
		Fingerprint: c.bars.fingerprint}
	for _, member := range c.bars.members {
		var caches []cacheHeader
		for _, port := range c.model.caches {
			caches = append(caches, cacheHeader{port.Name, member[port.Name].Shape})
		}
		s.Caches = append(s.Caches, caches)
	}
	return s
}

// saveBars writes the training table and the tensors.
func (c *Context) saveBars(w io.Writer) error {
	for _, values := range [][]float64{c.bars.training.X.Data, c.bars.training.Y} {
		if err := writeDoubles(w, values); err != nil {
			return err
		}
	}
	for _, member := range c.bars.members {
		for _, port := range c.model.caches {
			tensor := member[port.Name]
			if err := writeFloats(w, tensor.Data[:size(tensor.Shape)]); err != nil {
				return err
			}
		}
	}
	return nil
}

// restoreBars reads what saveBars has written.
func (s *State) restoreBars(m *Model, c *Context) error {
	b := s.header.Bars
	if m.bundle.Manifest.Family != models.TabPFNFamily || b.Members < 1 ||
		b.Members > maxMembers || len(b.Caches) != b.Members {
		return fmt.Errorf("%d members with %d lists of tensors", b.Members, len(b.Caches))
	}
	if b.Categorical != nil && len(b.Categorical) != c.features {
		return fmt.Errorf("%d categorical flags for %d features", len(b.Categorical), c.features)
	}
	t := Training{X: Matrix{Rows: c.rows, Cols: c.features}, Categorical: b.Categorical}
	var err error
	if t.X.Data, err = readDoubles(s.in, c.rows*c.features); err != nil {
		return err
	}
	if t.Y, err = readDoubles(s.in, c.rows); err != nil {
		return err
	}
	if err := t.check(); err != nil {
		return err
	}
	preset := m.barPreset(b.Members)
	preset.Fingerprint = b.Fingerprint
	transformer := tabpfn.Fit(t.X, t.Y, barSchema(t), preset)
	if transformer == nil || transformer.Blind() || transformer.Target.Constant {
		return fmt.Errorf("its training table does not vary")
	}
	c.bars = m.newBarContext(transformer, t, b.Fingerprint)
	for _, caches := range b.Caches {
		member, err := s.barMember(m, caches)
		if err != nil {
			return err
		}
		c.bars.members = append(c.bars.members, member)
	}
	return nil
}

// barMember reads the tensors of one member.
func (s *State) barMember(m *Model, caches []cacheHeader) (map[string]ort.Tensor, error) {
	if len(caches) != len(m.caches) {
		return nil, fmt.Errorf("%d tensors for a member", len(caches))
	}
	member := map[string]ort.Tensor{}
	for i, cache := range caches {
		if err := fits(cache, m.caches[i]); err != nil {
			return nil, err
		}
		values, err := readFloats(s.in, size(cache.Shape))
		if err != nil {
			return nil, err
		}
		member[cache.Name] = ort.Tensor{Shape: cache.Shape, Data: values}
	}
	return member, nil
}

func writeDoubles(w io.Writer, values []float64) error {
	buffer := make([]byte, 0, 8*blockFloats)
	for block := range slices.Chunk(values, blockFloats) {
		buffer = buffer[:0]
		for _, v := range block {
			buffer = binary.LittleEndian.AppendUint64(buffer, math.Float64bits(v))
		}
		if _, err := w.Write(buffer); err != nil {
			return err
		}
	}
	return nil
}

// readDoubles reads n values. Memory grows with what is there, whatever n says.
func readDoubles(r io.Reader, n int) ([]float64, error) {
	var values []float64
	buffer := make([]byte, 8*min(n, blockFloats))
	for len(values) < n {
		part := buffer[:8*min(n-len(values), blockFloats)]
		if _, err := io.ReadFull(r, part); err != nil {
			return nil, err
		}
		for ; len(part) > 0; part = part[8:] {
			values = append(values, math.Float64frombits(binary.LittleEndian.Uint64(part)))
		}
	}
	return values, nil
}
