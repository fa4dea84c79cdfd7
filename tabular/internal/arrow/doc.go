// Package arrow reads and writes Arrow files and streams. It protects the Arrow library for Go
// (arrow-go) from files and streams of unknown origin.
//
// An attacker may have written every byte of the input, to crash the process, to hang it or to make
// it take far more memory than the input. Or bytes were damaged on the way, and wrong values would
// pass for right ones. The input is not signed: an attacker who keeps to the format can put any
// values into it.
//
// What arrow-go 18.8 trusts, and what this package does:
//
//   - The library follows offsets and lengths in the FlatBuffers metadata and allocates for them.
//     A verifier first walks schemas, batches and dictionaries, and limits columns, levels of
//     nesting, texts, rows and the bytes of a body to those that arrive.
//   - Buffers declare their decompressed size. The library allocates from a budget of 64 times the
//     message or 128 MiB; exceeding it is an error.
//   - The library uses indices of dictionaries, offsets of strings, views and UTF-8 unchecked.
//     checkArray validates every array before its values are read.
//   - The footer of a file repeats where its messages are. The file is read as the stream that it
//     holds, which must have as many batches as the footer lists.
//
// The Reader recovers panics of the library: all of it runs on the caller's goroutine.
package arrow
