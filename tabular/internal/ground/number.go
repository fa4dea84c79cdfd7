package ground

// IsNumber reports whether the whole of s is a number by the grammar of tabular.ParseNumber.
func IsNumber(s string) bool {
	i := 0
	if i < len(s) && (s[i] == '+' || s[i] == '-') {
		i++
	}
	whole := Digits(s[i:])
	i += whole
	fraction := 0
	if i < len(s) && s[i] == '.' {
		i++
		fraction = Digits(s[i:])
		i += fraction
	}
	if whole+fraction == 0 {
		return false
	}
	if i == len(s) {
		return true
	}
	if s[i] != 'e' && s[i] != 'E' {
		return false
	}
	i++
	if i < len(s) && (s[i] == '+' || s[i] == '-') {
		i++
	}
	exponent := Digits(s[i:])
	return exponent > 0 && i+exponent == len(s)
}

// Digits is the number of decimal Digits that s begins with.
func Digits(s string) int {
	n := 0
	for n < len(s) && '0' <= s[n] && s[n] <= '9' {
		n++
	}
	return n
}
