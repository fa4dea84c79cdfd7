package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// perMinute is how many words a person reads in a minute.
const perMinute = 250

// listMessages prints the messages of the chosen kinds, of all if none is chosen, and counts.
func listMessages(out io.Writer, root string, chosen []string) error {
	var names []string
	for _, k := range kinds {
		names = append(names, k.name)
	}
	for _, c := range chosen {
		if !slices.Contains(names, c) {
			return fmt.Errorf("there are no messages %q: choose %s", c, strings.Join(names, ", "))
		}
	}
	all, err := messages(root)
	if err != nil {
		return err
	}
	for _, k := range kinds {
		if len(chosen) == 0 || slices.Contains(chosen, k.name) {
			fmt.Fprintf(out, "\n%s: %s\n", strings.ToUpper(k.name), k.meaning)
			list(out, ofKind(all, k.name))
		}
	}
	count(out, all)
	return nil
}

// ofKind are the texts of a kind, each once, at its first place.
func ofKind(all []text, kind string) []text {
	var some []text
	seen := map[string]bool{}
	for _, t := range all {
		if t.kind == kind && !seen[t.body] {
			seen[t.body] = true
			some = append(some, t)
		}
	}
	return some
}

// list prints texts under the names of their files.
func list(out io.Writer, all []text) {
	file := ""
	for _, t := range all {
		if t.file != file {
			file = t.file
			fmt.Fprintf(out, "\n%s\n", file)
		}
		body := strings.ReplaceAll(strings.TrimRight(t.body, "\n"), "\n", "\n        ")
		fmt.Fprintf(out, "  %4d  %s\n", t.line, body)
	}
}

// count prints how many texts and words every kind has, and how long they take to read.
func count(out io.Writer, all []text) {
	row := func(name string, texts, words int, meaning string) {
		minutes := (words + perMinute - 1) / perMinute
		fmt.Fprintf(out, "%-10s %6d %6d %8d  %s\n", name, texts, words, minutes, meaning)
	}
	fmt.Fprintf(out, "\n%-10s %6s %6s %8s\n", "kind", "texts", "words", "minutes")
	texts, words := 0, 0
	for _, k := range kinds {
		some, n := ofKind(all, k.name), 0
		for _, t := range some {
			n += len(strings.Fields(t.body))
		}
		row(k.name, len(some), n, k.meaning)
		texts, words = texts+len(some), words+n
	}
	row("all", texts, words, "")
}
