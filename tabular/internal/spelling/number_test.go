package spelling

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

func TestParseNumber(t *testing.T) {
	good := map[string]float64{
		"0": 0, "-0": math.Copysign(0, -1), "+1": 1, "12.": 12, ".5": 0.5, "-.5e1": -5,
		"1e3": 1000, "1E+3": 1000, "1e-3": 0.001, " 7\t": 7, "00012": 12, "1.5": 1.5,
		"1.7976931348623157e308": math.MaxFloat64, "5e-324": 5e-324, "1e-999": 0,
		"9007199254740993": 9007199254740992, "-999999999999.999": -999999999999.999,
		"0.00000000000003": 3e-14, "123456789012345.6": 123456789012345.6,
	}
	for text, want := range good {
		got, err := ParseNumber(text)
		if err != nil || got != want || math.Signbit(got) != math.Signbit(want) {
			t.Errorf("%q: got %v, %v", text, got, err)
		}
	}
	bad := []string{
		"", " ", "+", "-", ".", "e5", "1e", "1e+", "1e1.5", "--1", "+-1", "1 2", "1,5", "1_000",
		"0x1p3", "0x10", "0b1", "inf", "Inf", "+Inf", "-infinity", "nan", "NaN", "1.2.3", "12 kg",
		"１", "1\u00a0", "1\n", "1e5x", ".e5",
	}
	for _, text := range bad {
		if _, err := ParseNumber(text); err != ErrNotNumber {
			t.Errorf("%q: got %v", text, err)
		}
	}
	for _, text := range []string{"1e999", "-1.8e308", strings.Repeat("9", 400)} {
		if _, err := ParseNumber(text); err != ErrTooLarge {
			t.Errorf("%q: got %v", text, err)
		}
	}
}

// FuzzNumber compares the grammar with a regular expression, and the values with strconv.
func FuzzNumber(f *testing.F) {
	for _, seed := range []string{"1", "-1.5e3", ".5", "5.", "1_0", "0x1", "inf", "1e999", " 1 "} {
		f.Add(seed)
	}
	grammar := regexp.MustCompile(`^[ \t]*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?[ \t]*$`)
	f.Fuzz(func(t *testing.T, text string) {
		got, err := ParseNumber(text)
		if (err != ErrNotNumber) != grammar.MatchString(text) {
			t.Fatalf("%q: got %v", text, err)
		}
		want, wantErr := strconv.ParseFloat(strings.Trim(text, " \t"), 64)
		switch {
		case err == ErrTooLarge && wantErr == nil:
			t.Fatalf("%q is not too large", text)
		case err == nil && (wantErr != nil || got != want || math.IsInf(got, 0)):
			t.Fatalf("%q: got %v, strconv %v, %v", text, got, want, wantErr)
		}
	})
}
