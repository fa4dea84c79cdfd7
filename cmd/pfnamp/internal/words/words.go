// Package words has what all sentences of the program are made of.
package words

import (
	"fmt"
	"strings"
)

// Count writes a number with its noun.
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Either lists texts, the last two with a word between, such as "or".
func Either(list []string, word string) string {
	last := len(list) - 1
	if last == 0 {
		return list[0]
	}
	return strings.Join(list[:last], ", ") + " " + word + " " + list[last]
}
