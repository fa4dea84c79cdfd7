package amp

import "sync"

// memo keeps the value computed for a key. The zero value is empty.
type memo[K comparable, V any] struct {
	mu    sync.Mutex
	known map[K]V
}

// of returns the value of a key. It computes the value once, and again only after a failure.
func (m *memo[K, V]) of(key K, compute func() (V, error)) (V, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if v, ok := m.known[key]; ok {
		return v, nil
	}
	v, err := compute()
	if err != nil {
		return v, err
	}
	if m.known == nil {
		m.known = make(map[K]V)
	}
	m.known[key] = v
	return v, nil
}

// asked is the key of a summary.
type asked struct {
	context    Shape
	functional string
	level      float64
	interval   IntervalKind
	posterior  PosteriorKind
	errors     bool
}

func askedOf(context Shape, spec Spec) asked {
	name := Functional(Mean{}).String()
	if spec.Functional != nil {
		name = spec.Functional.String()
	}
	return asked{context, name, spec.Level, spec.Interval, spec.Posterior, spec.Errors}
}
