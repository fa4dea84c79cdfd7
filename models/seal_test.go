package models

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/pfnamp/pfnamp/internal/must"
)

// What SHA256SUMS says is compared; without that file a bundle loads, but is not sealed.
func TestSealed(t *testing.T) {
	files := mapOf(t, tiny)
	sums := string(files[sumsFile].Data)
	for name, text := range map[string]string{
		"empty": "", "one line": sums[:strings.Index(sums, "\n")+1], "other file": sums + sums[:66] +
			"golden.json\n",
		"other sum": strings.Replace(sums, sums[:1], "g", 1), "no sums": "hello\n",
	} {
		files[sumsFile] = &fstest.MapFile{Data: []byte(text)}
		if _, err := LoadFS(files, "copy"); err == nil {
			t.Errorf("%s: the bundle loads", name)
		}
	}
	files[sumsFile] = &fstest.MapFile{Data: []byte(sums)}
	for _, name := range []string{manifestFile, "LICENSE"} {
		was := files[name]
		files[name] = &fstest.MapFile{Data: append(slices.Clone(was.Data), '\n')}
		_, err := LoadFS(files, "copy")
		must.Fail(t, name, err, name+": its sha256")
		files[name] = was
	}
	delete(files, sumsFile)
	if b, err := LoadFS(files, "copy"); err != nil || b.Sealed() {
		t.Errorf("without sums: %v", err)
	}
}
