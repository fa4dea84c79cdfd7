package main

import (
	"slices"
	"strings"

	"github.com/pfnamp/pfnamp/tabular"
)

// formatNames lists the names of formats that have a property, as --from and --to take them.
func formatNames(has func(tabular.Format) bool) (names []string) {
	for _, format := range tabular.Formats() {
		if has(format) {
			names = append(names, format.String())
		}
	}
	return names
}

// outputNames lists the extensions of outputs of predict: tables, figures and pages.
func outputNames() []string {
	return slices.Concat(tabular.Extensions(tabular.Format.Written), []string{".png", ".svg", ".html"})
}

// either lists texts, the last two with a word between, such as "or".
func either(list []string, word string) string {
	last := len(list) - 1
	return strings.Join(list[:last], ", ") + " " + word + " " + list[last]
}
