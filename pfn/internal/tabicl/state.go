package tabicl

import "github.com/pfnamp/pfnamp/pfn/internal/trend"

// State is a fitted Transformer as flat lists, for storage. Lists hold one value per encoded column
// unless stated otherwise.
type State struct {
	Norms        []string `json:"norms"`        // of every member
	Permutations [][]int  `json:"permutations"` // of every member
	// Classes are the orders of the classes of every member, none for a regression.
	Classes [][]int   `json:"classes,omitempty"`
	Shares  []float64 `json:"shares,omitempty"`
	Source  []int     `json:"source"` // column of the input
	Fill    []float64 `json:"fill"`   // replaces missing values
	// Kinds are the kinds of the members' trends, nil if there are no trends; Trends, by kind, and
	// Plain belong to them.
	Kinds  []string                `json:"kinds,omitempty"`
	Trends map[string]*trend.Trend `json:"trends,omitempty"`
	Plain  *PipelineState          `json:"plain,omitempty"`
	// Reach is the reach of the trends of a regression; nil if they follow a law.
	Reach *trend.Reach `json:"reach,omitempty"`
	// None and Power are the pipelines of the members' norms. Their lists hold one value per
	// encoded column and share.
	None  *PipelineState `json:"none,omitempty"`
	Power *PipelineState `json:"power,omitempty"`
}

// PipelineState is a fitted Pipeline; the lists of the power transform are empty for None.
type PipelineState struct {
	Bends    *BendsState  `json:"bends,omitempty"` // nil if no column is bent
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

// State returns everything that Restore needs to recreate the transformer, to the last bit.
func (t *Transformer) State() State {
	s := State{Shares: t.Shares}
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
		s.Plain, s.Trends, s.Reach = t.plain.state(), t.trends.By, t.trends.Reach
		for _, m := range t.Members {
			s.Kinds = append(s.Kinds, m.Trend)
		}
	}
	s.None, s.Power = t.pipelines[None].state(), t.pipelines[Power].state()
	return s
}

func (p *Pipeline) state() *PipelineState {
	if p == nil {
		return nil
	}
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

// Restore recreates the transformer that had the state s.
func Restore(s State) *Transformer {
	t := &Transformer{Shares: s.Shares, encoder: &Encoder{}, pipelines: map[string]*Pipeline{}}
	for j, source := range s.Source {
		t.encoder.columns = append(t.encoder.columns, encoded{source, s.Fill[j]})
	}
	if s.Plain != nil {
		t.plain, t.trends = s.Plain.restore(), trend.Restore(trend.Set{By: s.Trends, Reach: s.Reach})
	}
	if s.None != nil {
		t.pipelines[None] = s.None.restore()
	}
	if s.Power != nil {
		t.pipelines[Power] = s.Power.restore()
	}
	for b, norm := range s.Norms {
		m := Member{Norm: norm, Permutation: s.Permutations[b], Trend: trend.None}
		if s.Kinds != nil {
			m.Trend = s.Kinds[b]
		}
		if s.Classes != nil {
			m.Classes = s.Classes[b]
		}
		t.Members = append(t.Members, m)
	}
	return t
}

func (s *PipelineState) restore() *Pipeline {
	p := &Pipeline{columns: make([]columnPipeline, len(s.Divisor))}
	for j := range p.columns {
		c := columnPipeline{standard: standardizer{s.Standard.at(j), s.Divisor[j]},
			clip: softClip{s.ClipLo[j], s.ClipHi[j]}}
		if b := s.Bends; b != nil {
			c.bend = bend{b.Lo[j], b.Hi[j], b.Spread[j]}
		}
		if len(s.Lambda) > 0 {
			c.power = &powerTransform{lambda: s.Lambda[j], lo: s.Lo[j], hi: s.Hi[j],
				standard: s.Powered.at(j)}
		}
		p.columns[j] = c
	}
	return p
}

func (s *MomentsState) at(j int) moments { return moments{s.Exp[j], s.Mean[j], s.SD[j]} }
