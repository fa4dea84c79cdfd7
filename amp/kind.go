package amp

import "fmt"

// IntervalKind is the kind of credible interval that summarises posterior draws.
type IntervalKind int

const (
	// EqualTailed leaves the same number of draws out on both sides. It is the default.
	EqualTailed IntervalKind = iota
	// HighestDensity is the shortest interval that holds the requested share of the draws.
	HighestDensity
)

// String returns the name that ParseIntervalKind reads.
func (k IntervalKind) String() string {
	switch k {
	case EqualTailed:
		return "equal-tailed"
	case HighestDensity:
		return "hpd"
	}
	return fmt.Sprintf("IntervalKind(%d)", int(k))
}

// ParseIntervalKind reads "equal-tailed" or "hpd".
func ParseIntervalKind(text string) (IntervalKind, error) {
	for _, k := range []IntervalKind{EqualTailed, HighestDensity} {
		if text == k.String() {
			return k, nil
		}
	}
	return 0, fmt.Errorf("unknown kind of interval %q: write equal-tailed or hpd", text)
}

// PosteriorKind is the random distribution of a chain to which the functional is applied.
type PosteriorKind int

const (
	// Paper is the empirical distribution of the chain's N forward samples, as in Algorithm 1 of
	// Nagler and Rügamer (2025); it is the default.
	Paper PosteriorKind = iota
	// Limit is P_N = G_N ∘ P_0, the chain's last predictive distribution. It has no noise from a
	// finite number of draws.
	Limit
)

// String returns the name that ParsePosteriorKind reads.
func (k PosteriorKind) String() string {
	switch k {
	case Paper:
		return PaperName
	case Limit:
		return LimitName
	}
	return fmt.Sprintf("PosteriorKind(%d)", int(k))
}

// ParsePosteriorKind reads "paper" or "limit".
func ParsePosteriorKind(text string) (PosteriorKind, error) {
	for _, k := range []PosteriorKind{Paper, Limit} {
		if text == k.String() {
			return k, nil
		}
	}
	return 0, fmt.Errorf("unknown posterior %q: write paper or limit", text)
}
