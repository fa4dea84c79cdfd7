package tabular

import (
	"fmt"
	"strings"
)

// Encoding is the character encoding of a text file; "" means UTF-8, or the encoding of the byte
// order mark.
type Encoding string

// The encodings.
const (
	UTF8        Encoding = "utf-8"
	UTF16       Encoding = "utf-16" // little endian unless a byte order mark says otherwise
	Windows1252 Encoding = "windows-1252"
	Latin1      Encoding = "latin1"
)

// ParseEncoding returns the encoding with this name or common alias, in any case.
func ParseEncoding(name string) (Encoding, error) {
	switch strings.ToLower(name) {
	case "":
		return "", nil
	case "utf-8", "utf8":
		return UTF8, nil
	case "utf-16", "utf16", "utf-16le":
		return UTF16, nil
	case "windows-1252", "cp1252", "ansi":
		return Windows1252, nil
	case "latin1", "latin-1", "iso-8859-1":
		return Latin1, nil
	}
	return "", &Error{
		Msg:  fmt.Sprintf("unknown encoding %q", name),
		Hint: "write one of utf-8, utf-16, windows-1252 or latin1",
	}
}
