// Package parquetguard stands between a Parquet file of unknown origin and the Parquet library for
// Go (arrow-go) that decodes it.
//
// The attacker has written every byte of the file and wants the process to crash, to hang or to
// take memory out of proportion to the file; or bytes were damaged on the way, and wrong values
// would be taken for right ones. The file is not signed: an attacker who keeps to the format can
// put any values into it.
//
// What arrow-go 18.8 takes on trust, and what answers it here:
//
//   - The generated reader of the footer allocates what a list says it holds, recurses as deep as
//     structs are nested, and panics on logical types younger than it is: [Open] walks the bytes
//     of the footer first, checks that the schema is one tree of bounded size and depth, and
//     replaces unknown logical types.
//   - Row counts of the footer are believed: they are checked against each other and against the
//     size of the file.
//   - Page headers declare sizes and numbers of values: [Group.Column] walks all pages of a
//     chunk before one is decoded, bounds them, and sums up what will be open at a time.
//   - Checksums of pages are not compared: they are here, where a file has them.
//   - Values that no definition level places are left unread, so that a damaged level moves values
//     to other rows: they are counted in pages without a checksum.
//   - Decoders of the delta encodings allocate what blocks declare, values that share prefixes
//     can expand to any size, and zstd and snappy trust the size that the packed data tells: the
//     headers of delta pages are walked, and decompressors stop at the size of the page.
//
// Values that decode to more than a batch may hold, such as a dictionary's long string a million
// times, are for the caller to bound, and panics of the library for it to recover: all of it runs
// on the caller's goroutine.
package parquetguard
