// Package arrowguard stands between an Arrow file or stream of unknown origin and the Arrow library
// for Go (arrow-go) that decodes it.
//
// The attacker has written every byte of the input and wants the process to crash, to hang or to
// take memory out of proportion to the input; or the bytes were damaged on the way, and wrong
// values would be taken for right ones. The input is not signed: an attacker who keeps to the
// format can put any values into it.
//
// What arrow-go 18.8 takes on trust, and what answers it here:
//
//   - Offsets and lengths in the FlatBuffers metadata are followed and allocated for: [Messages]
//     walks schemas, batches and dictionaries first, and bounds columns, levels of nesting, texts,
//     rows and the bytes of a body against those that arrive.
//   - Buffers declare their decompressed size, and zstd is decompressed in goroutines, where a
//     panic cannot be recovered: buffers are decompressed on the goroutine of the caller, to not
//     more than they declare, out of a budget of 64 times the message or 128 MiB.
//   - What else decoding allocates comes out of the same budget, whose end is an error.
//   - Indices of dictionaries, offsets of strings, views and UTF-8 are used as they are: [Arrays]
//     validates every array before its values are looked at.
//   - The footer of a file repeats where its messages are: the file is read as the stream that it
//     holds, which must have as many batches as the footer lists.
//
// Panics of the library are for the caller to recover: all of it runs on the caller's goroutine.
package arrowguard
