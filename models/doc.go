// Package models holds model bundles. A bundle describes a network and its origin, and proves that
// it computes what its authors measured.
//
//	bundle, err := models.Default()                // the bundle inside the binary
//	bundle, err = models.Load("folder")            // or one in a folder
//	fmt.Println(bundle.Manifest.Name, bundle.Manifest.Task)
//
// The types to know:
//
//   - [Bundle] is a checked bundle. [Find] finds one by name, and [Bundle.Install] copies it to a
//     folder of bundles, which [List] lists;
//   - [Manifest] is its description: task, limits, licence, provenance;
//   - [Error] reports what is wrong with a bundle, and how to repair it.
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
//	SHA256SUMS     sha256 of manifest.json and LICENSE, which no other file has
//
// Loading is strict. It refuses an unknown or missing manifest field, a file with another hash, a
// path that leaves the folder, another opset, and a graph that the gate refuses (inspectGraph). No
// byte of a graph reaches a native library unchecked.
package models
