package models

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
)

// sumsFile has the hashes of the manifest and the licence, which no other file of a bundle has. It
// has the format of the command sha256sum, so that `sha256sum -c SHA256SUMS` checks it too.
const sumsFile = "SHA256SUMS"

// Sealed reports whether the bundle has SHA256SUMS, which then agrees with its manifest and
// licence. Without that file nothing detects a change of the manifest, for example of the scale of
// its surface.
func (b *Bundle) Sealed() bool { return b.sealed }

// checkSums compares files with SHA256SUMS and reports whether there is this file.
func (l loader) checkSums(content map[string][]byte) (sealed bool, err error) {
	if _, err := fs.Stat(l.fsys, sumsFile); errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	data, err := l.read(sumsFile, maxManifest)
	if err != nil {
		return false, err
	}
	sums := map[string]string{}
	for line := range strings.Lines(string(data)) {
		sum, name, found := strings.Cut(strings.TrimRight(line, "\n"), "  ")
		if _, needed := content[name]; !found || !needed {
			return false, &Error{Bundle: l.source, File: sumsFile,
				Msg: fmt.Sprintf("the line %q is not the hash of the manifest or the licence",
					line), Hint: sealHint}
		}
		sums[name] = sum
	}
	for name, data := range content {
		if got := digest(data); got != sums[name] {
			return false, &Error{Bundle: l.source, File: name, Hint: sealHint,
				Msg: fmt.Sprintf("its sha256 is %s, but %s says %q", got, sumsFile, sums[name])}
		}
	}
	return true, nil
}

const sealHint = "the file changed after the export of the bundle: copy the whole bundle again"
