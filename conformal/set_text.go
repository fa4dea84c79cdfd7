package conformal

import "strings"

// setEscapes marks what is part of a label and not between two of them.
var setEscapes = strings.NewReplacer(`\`, `\\`, `|`, `\|`)

// SetText joins the labels of a set by |. In a label, \ becomes \\ and | becomes \|, so that the
// text can be split again whatever the labels are.
func SetText(labels []string) string {
	escaped := make([]string, len(labels))
	for i, label := range labels {
		escaped[i] = setEscapes.Replace(label)
	}
	return strings.Join(escaped, "|")
}

// SetLabels splits a text that [SetText] has joined.
func SetLabels(text string) []string {
	labels, label := []string{}, new(strings.Builder)
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\\' && i+1 < len(text):
			i++
			label.WriteByte(text[i])
		case text[i] == '|':
			labels = append(labels, label.String())
			label.Reset()
		default:
			label.WriteByte(text[i])
		}
	}
	return append(labels, label.String())
}
