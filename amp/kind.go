package amp

import "fmt"

// IntervalKind says which credible interval summarises the posterior draws.
type IntervalKind int

const (
	// EqualTailed leaves the same number of draws out on both sides; it is the default.
	EqualTailed IntervalKind = iota
	// HighestDensity is the shortest interval that holds the asked share of the draws.
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
	return 0, fmt.Errorf("interval %q: not one of equal-tailed, hpd", text)
}

// PosteriorKind says which random distribution of a chain the functional is applied to.
type PosteriorKind int

const (
	// Paper is the empirical distribution of the chain's N forward samples, as in Algorithm 1 of
	// Nagler and Rügamer (2025); it is the default.
	Paper PosteriorKind = iota
	// Limit is P_N = G_N ∘ P_0, the chain's last predictive distribution: free of the noise of N
	// finite draws.
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
	return 0, fmt.Errorf("posterior %q: not one of paper, limit", text)
}
