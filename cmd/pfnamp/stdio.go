package main

import (
	"fmt"
	"io"
	"os"

	"golang.org/x/term"
)

// stdio holds the standard streams of one run of the program.
type stdio struct {
	in  io.Reader
	out io.Writer
	err io.Writer
}

// notef writes one line to standard error.
func (s stdio) notef(format string, args ...any) {
	fmt.Fprintf(s.err, "pfnamp: "+format+"\n", args...)
}

// terminal reports whether a stream is a terminal.
func terminal(stream any) bool {
	file, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}
