// Package serve answers prediction requests over HTTP and gRPC. It supports the Open Inference
// Protocol, version 2, tables of any format in and out, metrics for Prometheus, and a page for a
// browser.
//
//	model := serve.Model{Name: "price", Version: hash, Predictor: p}
//	server, err := serve.New([]serve.Model{model}, serve.Options{})
//	err = server.Run(ctx, serve.Listeners{HTTP: listener}) // until ctx ends
//
// The types to know:
//
//   - [Model] is a predictor of package pfnamp with a name. Its question is fixed;
//   - [Server], from [New], serves one model or many. [Server.Handler] is for tests and for servers
//     of your own;
//   - [Options] has limits, tokens, and the names by which clients may call the server. [Listeners]
//     has the addresses and the certificate.
//
// A client gets exactly the result of pfnamp.Predictor.Predict for the same rows, however clients
// split their rows into requests and whatever other requests run.
//
// The requests for a model wait in one queue, and a run of the network takes up to
// [Limits.BatchRows] rows from it. A run waits for as many requests as the last run had, but at
// most [Limits.Wait]. So a single client gets its answer at once, and many clients share runs. The
// server refuses a request if the queue is full. A cancelled request leaves the queue.
//
// A client sees the errors that it can act on. The log (package log/slog) has methods, paths,
// statuses, sizes and times, never a feature.
package serve
