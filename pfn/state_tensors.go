package pfn

import (
	"fmt"

	"github.com/pfnamp/pfnamp/pfn/internal/ort"
)

// tensors reads the tensors of one member.
func (s *State) tensors(caches []cacheHeader, ports []ort.Port) (encoded, error) {
	if len(caches) != len(ports) {
		return nil, fmt.Errorf("it has %d tensors for each member", len(caches))
	}
	for i, cache := range caches {
		if err := fits(cache, ports[i]); err != nil {
			return nil, err
		}
	}
	read := readFloats
	if s.header.Half {
		read = readHalves
	}
	var all encoded
	for _, cache := range caches {
		values, err := read(s.in, size(cache.Shape))
		if err != nil {
			return nil, err
		}
		all = append(all, ort.Tensor{Shape: cache.Shape, Data: values})
	}
	return all, nil
}

// fits compares a tensor with its input, and limits its size.
func fits(cache cacheHeader, port ort.Port) error {
	fail := fmt.Errorf("the tensor %q of shape %v does not fit the input %q of shape %v",
		cache.Name, cache.Shape, port.Name, port.Shape)
	if cache.Name != port.Name || len(cache.Shape) != len(port.Shape) {
		return fail
	}
	left := int64(maxCacheSize)
	for i, d := range cache.Shape {
		if d < 1 || d > left || port.Shape[i] >= 0 && d != port.Shape[i] {
			return fail
		}
		left /= d
	}
	return nil
}
