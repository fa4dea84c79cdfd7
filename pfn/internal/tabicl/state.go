package tabicl

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/pfnamp/pfnamp/pfn/internal/trend"
)

// State is a fitted Transformer as flat lists, for storage. Lists hold one value per encoded column
// unless stated otherwise.
type State struct {
	Norms        []string `json:"norms"`        // of every member
	Permutations [][]int  `json:"permutations"` // of every member
	// Classes are the orders of the classes of every member, none for a regression.
	Classes [][]int   `json:"classes,omitempty"`
	Source  []int     `json:"source"` // column of the input
	Fill    []float64 `json:"fill"`   // replaces missing values
	// Kinds are the kinds of the members' trends, nil if there are no trends; Trends, by kind, and
	// Plain belong to them.
	Kinds  []string                `json:"kinds,omitempty"`
	Trends map[string]*trend.Trend `json:"trends,omitempty"`
	Plain  *PipelineState          `json:"plain,omitempty"`
	// Reach is the reach of the trends of a regression; nil if they follow a law, and in older
	// states.
	Reach *trend.Reach `json:"reach,omitempty"`
	// None and Power are the pipelines of the members' norms. Their lists hold one value per
	// encoded column and share.
	None  *PipelineState `json:"none,omitempty"`
	Power *PipelineState `json:"power,omitempty"`
}

// PipelineState is a fitted Pipeline; the lists of the power transform are empty for None.
type PipelineState struct {
	Bends    *BendsState  `json:"bends,omitempty"` // nil if no column is bent, and in older states
	Standard MomentsState `json:"standard"`
	Divisor  []float64    `json:"divisor"`
	Lambda   []float64    `json:"lambda"`
	Lo       []float64    `json:"lo"`
	Hi       []float64    `json:"hi"`
	Powered  MomentsState `json:"powered"`
	ClipLo   []float64    `json:"clip_lo"`
	ClipHi   []float64    `json:"clip_hi"`
}

// MomentsState is a list of moments.
type MomentsState struct {
	Exp  []int     `json:"exp"`
	Mean []float64 `json:"mean"`
	SD   []float64 `json:"sd"`
}

// maxExponent bounds the binary exponents of float64 numbers either way.
const maxExponent = 1100

// State returns everything that Restore needs to recreate the transformer, to the last bit.
func (t *Transformer) State() State {
	var s State
	for _, m := range t.Members {
		s.Norms = append(s.Norms, m.Norm)
		s.Permutations = append(s.Permutations, m.Permutation)
		if m.Classes != nil {
			s.Classes = append(s.Classes, m.Classes)
		}
	}
	for _, c := range t.encoder.columns {
		s.Source = append(s.Source, c.source)
		s.Fill = append(s.Fill, c.fill)
	}
	if t.plain != nil {
		s.Plain, s.Trends, s.Reach = t.plain.state(), maps.Clone(t.trends.By), t.trends.Reach
		for _, m := range t.Members {
			s.Kinds = append(s.Kinds, m.Trend)
		}
	}
	if p := t.pipelines[None]; p != nil {
		s.None = p.state()
	}
	if p := t.pipelines[Power]; p != nil {
		s.Power = p.state()
	}
	return s
}

func (p *Pipeline) state() *PipelineState {
	s, bends := &PipelineState{}, &BendsState{}
	for _, c := range p.columns {
		if bends.add(c.bend); c.bend != (bend{}) {
			s.Bends = bends
		}
		s.Standard.add(c.standard.moments)
		s.Divisor = append(s.Divisor, c.standard.divisor)
		s.ClipLo = append(s.ClipLo, c.clip.lo)
		s.ClipHi = append(s.ClipHi, c.clip.hi)
		if c.power != nil {
			s.Lambda = append(s.Lambda, c.power.lambda)
			s.Lo = append(s.Lo, c.power.lo)
			s.Hi = append(s.Hi, c.power.hi)
			s.Powered.add(c.power.standard)
		}
	}
	return s
}

func (s *MomentsState) add(m moments) {
	s.Exp, s.Mean, s.SD = append(s.Exp, m.exp), append(s.Mean, m.mean), append(s.SD, m.sd)
}

// Restore recreates a transformer for tables with this number of columns. It fails if State cannot
// have returned s. A returned transformer never panics.
func Restore(s State, columns int) (*Transformer, error) {
	h := len(s.Source)
	if h == 0 || len(s.Fill) != h || len(s.Norms) == 0 || len(s.Norms) != len(s.Permutations) {
		return nil, errors.New("the lists of members or columns are empty or differ in length")
	}
	t := &Transformer{encoder: &Encoder{}, pipelines: map[string]*Pipeline{}}
	for j, source := range s.Source {
		if source < 0 || source >= columns {
			return nil, fmt.Errorf("it reads column %d of a table with %d columns", source, columns)
		}
		t.encoder.columns = append(t.encoder.columns, encoded{source, s.Fill[j]})
	}
	if err := s.restoreTrends(t); err != nil {
		return nil, err
	}
	shares := trend.ShareColumns(s.classes()) // columns that a trend adds to the features of a member
	wide := h + shares*len(s.Trends)
	for _, saved := range []struct {
		norm  string
		state *PipelineState
	}{{None, s.None}, {Power, s.Power}} {
		if saved.state == nil {
			continue
		}
		pipeline, err := saved.state.restore(wide, saved.norm)
		if err != nil {
			return nil, fmt.Errorf("pipeline %q: %w", saved.norm, err)
		}
		t.pipelines[saved.norm] = pipeline
	}
	for b, norm := range s.Norms {
		if t.pipelines[norm] == nil {
			return nil, fmt.Errorf("member %d has the norm %q, which has no pipeline", b, norm)
		}
		m, width := Member{Norm: norm, Permutation: s.Permutations[b], Trend: trend.None}, h
		if t.plain != nil && s.Kinds[b] != trend.None {
			m.Trend, width = s.Kinds[b], h+shares
			if t.trends.By[m.Trend] == nil {
				return nil, trend.ErrIncomplete
			}
		}
		if sorted := slices.Sorted(slices.Values(m.Permutation)); !slices.Equal(sorted, identity(width)) {
			return nil, fmt.Errorf("member %d does not permute %d features", b, width)
		}
		t.Members = append(t.Members, m)
	}
	if err := s.restoreClasses(t.Members); err != nil {
		return nil, err
	}
	return t, nil
}

// classes returns the number of classes, 0 for a regression.
func (s *State) classes() int {
	if len(s.Classes) == 0 {
		return 0
	}
	return len(s.Classes[0])
}

// restoreTrends sets the trends of a transformer.
func (s *State) restoreTrends(t *Transformer) error {
	if s.Plain == nil && len(s.Trends) == 0 && len(s.Kinds) == 0 {
		return nil
	}
	if s.Plain == nil || len(s.Kinds) != len(s.Norms) {
		return trend.ErrIncomplete
	}
	var err error
	if t.plain, err = s.Plain.restore(len(s.Source), None); err != nil {
		return fmt.Errorf("plain pipeline: %w", err)
	}
	t.trends, err = trend.Restore(trend.Set{By: s.Trends, Reach: s.Reach}, len(s.Source), s.classes())
	return err
}

// restoreClasses sets the members' orders of the classes, which must have equal lengths.
func (s *State) restoreClasses(members []Member) error {
	if len(s.Classes) == 0 {
		return nil
	}
	if len(s.Classes) != len(members) {
		return fmt.Errorf("it has the orders of classes of %d members, not of %d",
			len(s.Classes), len(members))
	}
	all := identity(len(s.Classes[0]))
	for b, order := range s.Classes {
		if !slices.Equal(slices.Sorted(slices.Values(order)), all) {
			return fmt.Errorf("member %d does not permute %d classes", b, len(all))
		}
		members[b].Classes = order
	}
	return nil
}

func (s *PipelineState) restore(h int, norm string) (*Pipeline, error) {
	powered := 0
	if norm == Power {
		powered = h
	}
	lengths := len(s.Divisor) == h && len(s.ClipLo) == h && len(s.ClipHi) == h &&
		len(s.Lambda) == powered && len(s.Lo) == powered && len(s.Hi) == powered
	if !lengths || !s.Standard.valid(h) || !s.Powered.valid(powered) {
		return nil, fmt.Errorf("a list does not have the length %d, or an exponent is out of range", h)
	}
	bends, ok := s.Bends.restore(h)
	if !ok {
		return nil, fmt.Errorf("the bends are not those of %d columns", h)
	}
	p := &Pipeline{columns: make([]columnPipeline, h)}
	for j := range p.columns {
		p.columns[j] = columnPipeline{
			bend:     bends[j],
			standard: standardizer{s.Standard.at(j), s.Divisor[j]},
			clip:     softClip{s.ClipLo[j], s.ClipHi[j]},
		}
		if norm == Power {
			p.columns[j].power = &powerTransform{lambda: s.Lambda[j], lo: s.Lo[j], hi: s.Hi[j],
				standard: s.Powered.at(j)}
		}
	}
	return p, nil
}

// valid checks the lengths, and that the exponents are possible for float64.
func (s *MomentsState) valid(n int) bool {
	outside := func(exp int) bool { return exp < -maxExponent || exp > maxExponent }
	return len(s.Exp) == n && len(s.Mean) == n && len(s.SD) == n &&
		!slices.ContainsFunc(s.Exp, outside)
}

func (s *MomentsState) at(j int) moments { return moments{s.Exp[j], s.Mean[j], s.SD[j]} }
