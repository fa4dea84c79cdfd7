package main

import (
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// longest is how many words a sentence may have.
const longest = 35

// condemned are phrases that readers stop at, with what to write.
var condemned = []struct {
	phrase *regexp.Regexp
	reason string
}{
	{say(`of which`), "begin a new sentence with the noun"},
	{say(`on which all`), "say what depends on what"},
	{say(`is told`), "say who tells whom, or what the program does"},
	{say(`is said to`), "name who says what"},
	{say(`is blamed`), "name the error"},
	{say(`the one and the other`), "repeat the nouns"},
	{say(`the former|the latter`), "repeat the noun"},
	{say(`at hand`), "say what is there"},
	{say(`that of then`), "repeat the noun"},
	{say(`so that it is not read as`), "say how to read it"},
	{say(`are told`), "say who tells whom, or what the program does"},
	{say(`such an?`), "repeat the noun"},
	{say(`what is (asked|said|read|told)`), "name it, or who says it"},
	{say(`to be (accepted|read|said|predicted)`), "use a verb: must be accepted, reads"},
	{say(`hence|hereby|therein|thereof|whereof`), "so, or begin a new sentence"},
	{say(`holds? back|held back`), "say what the model does not read"},
	{regexp.MustCompile(`and there (is|are) %[ds]`), "begin a new clause: there are %d"},
	{say(`confidence (interval|limit|band|level)s?`),
		"glossary: credible interval, predictive interval, level"},
	{say(`(prediction|forecast) (interval|band)s?`), "glossary: predictive interval"},
	{say(`(bayesian|posterior) intervals?`), "glossary: credible interval"},
	{say(`coverage (probability|probabilities|rate)`), "glossary: coverage"},
	{say(`(dataset|data|distribution) shift`), "glossary: drift"},
	{say(`estimands?`), "glossary: functional"},
	{say(`golden (file|data|test)s?|test vectors?`), "glossary: golden vectors"},
	{say(`ground truth|true labels?`), "glossary: label"},
	{say(`(response|outcome|dependent) variables?`), "glossary: target"},
	{say(`cross.entropy|logarithmic loss|negative log.likelihood`), "glossary: log loss"},
	{say(`predictive resampling`), "glossary: martingale posterior"},
	{say(`predictive (density|posterior)`), "glossary: PPD"},
	{say(`(test|query) points?`), "glossary: query row"},
	{say(`(?-i:percentiles?|fractiles?)`), "glossary: quantile"},
	{say(`pseudo.truth|proxy truth`), "glossary: surrogate"},
	{say(`model (package|archive)s?`), "glossary: bundle"},
}

func say(pattern string) *regexp.Regexp { return regexp.MustCompile(`(?i)\b(` + pattern + `)\b`) }

// exempt are files that quote other people's words, are generated, or are logs of what was tried.
func exempt(path string) bool {
	for _, folder := range []string{"docs/evidence/", "scripts/tools/words/",
		"scripts/training/LOG.md"} {
		if strings.HasPrefix(path, folder) {
			return true
		}
	}
	return strings.HasSuffix(path, ".pb.go") || strings.Contains(path, "testdata/")
}

// lint lists what is wrong with the texts of the tree below root.
func lint(root string) ([]string, error) {
	texts, err := messages(root)
	if err != nil {
		return nil, err
	}
	var found []string
	err = walk(root, func(path string) error {
		if exempt(path) || !strings.HasSuffix(path, ".md") && !strings.HasSuffix(path, ".go") {
			return nil
		}
		source, err := os.ReadFile(filepath.Join(root, path))
		if err != nil {
			return err
		}
		if strings.HasSuffix(path, ".md") {
			texts = append(texts, paragraphs(path, string(source))...)
			found = append(found, deadLinks(root, path, string(source))...)
			return nil
		}
		more, err := comments(path, source)
		texts = append(texts, more...)
		return err
	})
	for _, t := range texts {
		if !exempt(t.file) {
			found = append(found, habits(t)...)
		}
	}
	return found, err
}

// A sentence ends with its mark, and where a paragraph, an item, a cell or an indented line begins.
var sentenceEnd = regexp.MustCompile(`[.:;?!][)"]?(\s|$)|\n\s*\n|` +
	`\n\s*[-*|] |\n\s{2,}|\n\t|\npfnamp `)

// habits lists the condemned phrases and the long sentences of a text.
func habits(t text) []string {
	var found []string
	report := func(at int, format string, args ...any) {
		found = append(found, fmt.Sprintf("%s:%d: %s", t.file,
			t.line+strings.Count(t.body[:at], "\n"), fmt.Sprintf(format, args...)))
	}
	for _, c := range condemned {
		for _, at := range c.phrase.FindAllStringIndex(t.body, -1) {
			report(at[0], "%q: %s", t.body[at[0]:at[1]], c.reason)
		}
	}
	start := 0
	for _, end := range append(sentenceEnd.FindAllStringIndex(t.body, -1),
		[]int{len(t.body), len(t.body)}) {
		sentence := t.body[start:max(start, end[0])]
		if words := strings.Fields(sentence); len(words) > longest {
			first := start + strings.Index(sentence, words[0])
			report(first, "a sentence of %d words, at most %d: %.60s…", len(words), longest,
				strings.Join(words, " "))
		}
		start = end[1]
	}
	return found
}

var (
	fence = regexp.MustCompile("(?ms)^\\s*```.*?^\\s*```$")
	code  = regexp.MustCompile("`[^`\n]*`")
	cell  = regexp.MustCompile(`(?m)^\s*\|.*$`)
	link  = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	blank = regexp.MustCompile(`\n\s*\n|\n\s*[-*] |\n\s*\d+\. |\n#`)
)

// plain is a page with its code blanked out: words stay on their lines.
func plain(page string) string {
	page = fence.ReplaceAllStringFunc(page, func(s string) string {
		return strings.Repeat("\n", strings.Count(s, "\n"))
	})
	return code.ReplaceAllString(page, "code")
}

// paragraphs are the paragraphs and items of a page, and the cells of its tables.
func paragraphs(path, page string) []text {
	page = plain(page)
	var all []text
	line := 1
	for _, row := range strings.Split(page, "\n") {
		if cell.MatchString(row) {
			for _, c := range strings.Split(row, "|") {
				all = append(all, text{file: path, line: line, body: strings.TrimSpace(c)})
			}
		}
		line++
	}
	start := 0
	body := cell.ReplaceAllString(page, "")
	for _, at := range append(blank.FindAllStringIndex(body, -1), []int{len(body), len(body)}) {
		all = append(all, text{file: path, line: 1 + strings.Count(body[:start], "\n"),
			body: body[start:at[0]]})
		start = at[0] + 1
		if start > len(body) {
			break
		}
	}
	return all
}

// deadLinks lists the relative links of a page that lead to no file.
func deadLinks(root, path, page string) []string {
	var found []string
	for _, m := range link.FindAllStringSubmatch(plain(page), -1) {
		target, _, _ := strings.Cut(m[1], "#")
		if target == "" || strings.Contains(target, "://") {
			continue
		}
		there := filepath.Join(root, filepath.Dir(path), filepath.FromSlash(target))
		if _, err := os.Stat(there); err != nil {
			found = append(found, fmt.Sprintf("%s: the link %s leads nowhere", path, m[1]))
		}
	}
	return found
}

// quotation is a title or a text that a comment quotes.
var quotation = regexp.MustCompile(`"[^"]*"`)

// comments are the comments of a Go file, without quotations. Words stay on their lines.
func comments(path string, source []byte) ([]text, error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, source, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	var all []text
	for _, group := range file.Comments {
		body := quotation.ReplaceAllStringFunc(group.Text(), func(s string) string {
			return "it" + strings.Repeat("\n", strings.Count(s, "\n"))
		})
		all = append(all, text{file: path, line: files.Position(group.Pos()).Line, body: body})
	}
	return all, nil
}
