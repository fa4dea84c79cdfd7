package report

import (
	"strings"

	"github.com/pfnamp/pfnamp/internal/plain"
)

// marks are the characters by which a text could become something else in Markdown: a cell, code, a
// link or a picture, an HTML element.
var marks = strings.NewReplacer("|", `\|`, "`", "\\`", "[", `\[`, "<", "&lt;")

// markdown is a text of one line as Markdown shows it.
func markdown(text string) string { return marks.Replace(plain.Text(text)) }

// Markdown renders the table in the syntax of GitHub.
func (t Table) Markdown() string {
	var out strings.Builder
	line := func(cells []string) {
		out.WriteString("|")
		for _, c := range cells {
			out.WriteString(" " + markdown(c) + " |")
		}
		out.WriteString("\n")
	}
	line(t.Header)
	rule := make([]string, len(t.Header))
	for i := range rule {
		if rule[i] = "---"; t.Right(i) {
			rule[i] = "---:"
		}
	}
	line(rule)
	for _, row := range t.Rows {
		line(row)
	}
	return out.String()
}
