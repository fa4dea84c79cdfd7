package pfnamp

import (
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/pfnamp/pfnamp/tabular"
)

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

// SetLabels splits what [SetText] has joined.
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

// setArray is the column of sets.
func setArray(labels *tabular.Labels, sets [][]int) arrow.Array {
	texts := array.NewStringBuilder(memory.DefaultAllocator)
	defer texts.Release()
	for _, set := range sets {
		of := make([]string, len(set))
		for i, class := range set {
			of[i] = labels.Texts[class]
		}
		texts.Append(SetText(of))
	}
	return texts.NewArray()
}

// sizeArray is the column of their sizes.
func sizeArray(sets [][]int) arrow.Array {
	sizes := array.NewInt64Builder(memory.DefaultAllocator)
	defer sizes.Release()
	for _, set := range sets {
		sizes.Append(int64(len(set)))
	}
	return sizes.NewArray()
}
