package serve

import (
	"cmp"
	"time"

	"github.com/pfnamp/pfnamp/batching"
)

// Limits limit the resources that clients can use. A field that is 0 has its default, which the
// comments give.
type Limits struct {
	Body     int64 // bytes of a body as sent; 64 MiB
	Expanded int64 // bytes of a body after decompression, at most 32 times its size; 64 MiB
	Held     int64 // bytes of memory for all requests together; 512 MiB
	Rows     int   // rows of a request, except streamed tables; 100,000
	Requests int   // concurrent requests; 1,024

	BatchRows int           // rows of one run of the network; 256
	Wait      time.Duration // how long a run waits for more requests, if it expects some; 2 ms
	QueueRows int           // rows in the queue of a model; 8,192

	Header time.Duration // timeout for the header of a request; 10 s
	// Transit is the timeout for each part of a body or of an answer; 60 s.
	Transit time.Duration
	Idle    time.Duration // timeout between the requests of a connection; 2 min
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
