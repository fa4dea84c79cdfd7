// Package oippb is the Open Inference Protocol over gRPC: code that `make generate` writes from
// oip.proto.
package oippb
