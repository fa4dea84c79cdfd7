// Package models holds model bundles: what a network is, where it came from, and the proof that
// it computes what its authors measured.
//
// A bundle is a folder:
//
//	manifest.json  name, task, head, limits, ensemble preset, licence, provenance, sha256 of files
//	context.onnx   encodes the labelled rows once
//	query.onnx     answers any number of query rows: quantiles or bars of the label, or the logits
//	               of the classes; and, as the manifest says, a posterior: of the whole surface of
//	               quantiles and the mean, or of the class probabilities
//	golden.json    inputs and expected outputs at every stage
//	LICENSE        the licence of the weights
//	SHA256SUMS     sha256 of manifest.json and LICENSE, which no other file pins
//
// Loading is strict. An *Error says what is wrong and how to put it right. It reports an unknown or
// missing manifest field, a file whose hash differs, a path that leaves the folder, another opset,
// and a graph that CheckGraph refuses. No byte of a graph reaches a native library unchecked.
//
// Default is the bundle inside the binary, Load reads one from a folder and LoadArchive one from an
// archive; Bundle.Install copies what was checked to a folder of bundles, which List lists.
package models
