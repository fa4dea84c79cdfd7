// Package parquet reads and writes Parquet files. It assembles columns page by page, because the
// library's bridge to Arrow makes up values (docs/evidence/parquet.md), and protects the Parquet
// library for Go (arrow-go) from files of unknown origin.
//
// An attacker may have written every byte of the file, to crash the process, to hang it or to make
// it take far more memory than the file. Or bytes were damaged on the way, and wrong values would
// pass for right ones. The file is not signed: an attacker who keeps to the format can put any
// values into it.
//
// What arrow-go 18.8 trusts, and what this package does:
//
//   - The generated reader of the footer allocates what a list declares, and recurses as deep as
//     structs are nested. readFooter first walks the bytes of the footer, and checks that the
//     schema is one tree of limited size and depth.
//   - The library trusts the row counts of the footer. Here they are checked against each other and
//     against the size of the file.
//   - Page headers declare sizes and numbers of values. checkedFile.column walks the headers of a
//     chunk before one page is decoded, limits them, and sums up the bytes open at a time.
//   - The library does not compare checksums of pages. This package does, if a file has them.
//   - Decoders of the delta encodings allocate what blocks and pages declare. checkDelta walks
//     the blocks of a chunk before it is decoded.
//   - zstd and snappy trust the size in the packed data. Here they stop at the size of the page.
//     Values that share prefixes can expand to any size: fewer are decoded at a time.
//
// The [Reader] limits values that decode to more than a batch may hold, such as a dictionary's long
// string a million times. It recovers panics of the library: all of it runs on the caller's
// goroutine.
package parquet
