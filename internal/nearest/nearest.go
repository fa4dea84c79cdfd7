// Package nearest suggests names for a mistyped name.
package nearest

import (
	"slices"
	"strings"
)

// Names returns up to three names within a small edit distance of name, the nearest first. A
// difference in case counts half as much as another letter, and so does a missing end behind three
// letters or more.
func Names(name string, names []string) (result []string) {
	limit := 2 * max(2, len(name)/3)
	folded, distance := strings.ToLower(name), map[string]int{}
	for _, other := range names {
		far := 2 * editDistance(folded, strings.ToLower(strings.TrimSpace(other)))
		if other != name && (far == 0 || len(name) > 2 && strings.HasPrefix(other, name)) {
			far = 1
		}
		if far <= limit && far < 2*len(name) {
			result, distance[other] = append(result, other), far
		}
	}
	slices.SortStableFunc(result, func(a, b string) int { return distance[a] - distance[b] })
	return result[:min(3, len(result))]
}

// editDistance returns the Levenshtein distance of two texts: the smallest number of characters to
// insert, delete or replace that turns one into the other (Wagner and Fischer 1974,
// doi:10.1145/321796.321811). It compares the first 64 characters.
func editDistance(a, b string) int {
	const most = 64
	s, t := []rune(a), []rune(b)
	s, t = s[:min(most, len(s))], t[:min(most, len(t))]
	row := make([]int, len(t)+1)
	for j := range row {
		row[j] = j
	}
	for i, c := range s {
		diagonal := row[0]
		row[0] = i + 1
		for j, d := range t {
			up := row[j+1]
			if row[j+1] = 1 + min(up, row[j], diagonal); c == d {
				row[j+1] = diagonal
			}
			diagonal = up
		}
	}
	return row[len(t)]
}
