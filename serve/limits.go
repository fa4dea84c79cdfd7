package serve

import (
	"cmp"
	"time"

	"github.com/pfnamp/pfnamp/batching"
)

// Limits bound what clients can take. Zero stands for the default.
type Limits struct {
	Body     int64 // bytes of a body as it is sent; 64 MiB
	Expanded int64 // bytes of a body that was compressed, and 32 times what is sent; 64 MiB
	Held     int64 // bytes of all bodies and of what is made of them at the same time; 512 MiB
	Rows     int   // rows of a request, but for tables that are streamed; 100,000
	Requests int   // requests at the same time; 1,024

	BatchRows int           // rows of a run of the network; 256
	Wait      time.Duration // of a run for the next request, if more are expected; 2 ms
	QueueRows int           // rows that wait for a model; 8,192

	Header time.Duration // to send the header of a request; 10 s
	// to send the rest, between the parts of a stream, to read a part of an answer; 60 s
	Transit time.Duration
	Idle    time.Duration // between the requests of a connection; 2 min
	Silent  int           // connections without a request; 4,096
}

// withDefaults fills in what is zero.
func (l Limits) withDefaults() Limits {
	l.Body = cmp.Or(l.Body, 64<<20)
	l.Expanded = cmp.Or(l.Expanded, 64<<20)
	l.Held = cmp.Or(l.Held, 512<<20)
	l.Rows = cmp.Or(l.Rows, 100_000)
	l.Requests = cmp.Or(l.Requests, 1024)
	l.BatchRows = cmp.Or(l.BatchRows, 256)
	l.Wait = cmp.Or(l.Wait, 2*time.Millisecond)
	l.QueueRows = cmp.Or(l.QueueRows, 8192)
	l.Header = cmp.Or(l.Header, 10*time.Second)
	l.Transit = cmp.Or(l.Transit, time.Minute)
	l.Idle = cmp.Or(l.Idle, 2*time.Minute)
	l.Silent = cmp.Or(l.Silent, 4096)
	return l
}

// batcher are the limits of a model's queue.
func (l Limits) batcher(
	observe func(rows, queries int, took time.Duration),
) batching.Options {
	return batching.Options{Rows: l.BatchRows, Wait: l.Wait, Queue: l.QueueRows, Observe: observe}
}
