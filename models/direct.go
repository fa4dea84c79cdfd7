package models

import "fmt"

// Direct says what the second output of the network is: quantiles of the posterior of a functional
// of the noise-free conditional distribution, learned on synthetic tables where that is known.
type Direct struct {
	Target string `json:"target"` // "median"
	Levels int    `json:"levels"` // number of quantiles, at the levels i/(Levels+1)
}

// checkDirect checks what a manifest says of the posterior of the median.
func (m *Manifest) checkDirect() error {
	switch d := m.Direct; {
	case d == nil:
		return nil
	case m.Head.Kind != QuantileHead:
		return fmt.Errorf("direct is given for head.kind %q", m.Head.Kind)
	case d.Target != "median":
		return fmt.Errorf("direct.target %q is not known (known: median)", d.Target)
	case d.Levels < 8 || d.Levels > 1<<16:
		return fmt.Errorf("direct.levels %d is outside 8..65536", d.Levels)
	}
	return nil
}
