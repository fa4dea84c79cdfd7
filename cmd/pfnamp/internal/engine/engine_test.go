package engine

import "testing"

func TestSize(t *testing.T) {
	for text, want := range map[string]int64{
		"none": -1, "1048576": 1 << 20, "512M": 512 << 20, "512MB": 512 << 20, "512MiB": 512 << 20,
		"1.5g": 3 << 29, "2T": 2 << 40, "8k": 8 << 10, "100B": 100,
		"": -1, "0": -1, "-1": -1, "1x": -1, "M": -1, "1MM": -1, "NaN": -1, "Inf": -1, "9e99": -1,
		"1 G": -1, "0.1": -1, "i": -1, "1Bi": -1,
	} {
		got, err := Size("memory", text, "")
		if (err != nil) != (want < 0) || err == nil && got != want {
			t.Errorf("%q: %d, %v; want %d", text, got, err, want)
		}
	}
}
