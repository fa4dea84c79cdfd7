// Package serve answers questions about the rows that clients send, over HTTP and gRPC: the Open
// Inference Protocol, version 2, tables of any format in and out, metrics, and a page for a
// browser.
//
//	model := serve.Model{Name: "price", Version: hash, Predictor: p}
//	server, err := serve.New([]serve.Model{model}, serve.Options{})
//	err = server.Run(ctx, serve.Listeners{HTTP: listener}) // until ctx ends
//
// A [Model] is a predictor of package pfnamp under a name: its question is fixed. What a client
// gets has the bits that pfnamp.Predictor.Predict gives for the same rows, however requests are cut
// and whatever waits beside them.
//
// Requests for a model wait in one queue, and what waits is run together: up to [Limits.BatchRows]
// rows. A run waits, at most [Limits.Wait], for as many requests as the last one had, so that a
// single client is answered at once and many clients share runs. A full queue refuses, and a
// request that is cancelled leaves it.
//
// Errors that a client can act on are told to it. The log, of package log/slog, has methods, paths,
// statuses, sizes and times, never a feature.
package serve
