package serve

import (
	"context"
	"errors"
	"net"
	"net/http"
	"os"

	"github.com/pfnamp/pfnamp/batching"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/serve/internal/oip"
	"github.com/pfnamp/pfnamp/serve/internal/refusal"
	"github.com/pfnamp/pfnamp/tabular"
)

// fault is an error for a client, with its HTTP status.
type fault = refusal.Error

// faultf makes a *fault.
func faultf(status int, format string, args ...any) *fault {
	return refusal.Newf(status, format, args...)
}

// classSlow is the class of errors about bodies that come too slowly.
const classSlow = "slow"

// told is the error that a client gets: what it can act on, and nothing about the inside of the
// server.
func told(err error) *fault {
	for _, tell := range []func(error) *fault{toldByServer, toldOfTable, toldByNetwork} {
		if f := tell(err); f != nil {
			return f
		}
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return faultf(refusal.Gone, "request cancelled")
	}
	return faultf(http.StatusInternalServerError,
		"internal error: see the server's log for the cause")
}

// toldByServer is about the request as a whole.
func toldByServer(err error) *fault {
	known, isFault := errors.AsType[*fault](err)
	request, isRequest := errors.AsType[*oip.Error](err)
	large, isLarge := errors.AsType[*http.MaxBytesError](err)
	switch {
	case isFault:
		return known
	case errors.Is(err, batching.ErrQueueFull):
		return faultf(http.StatusTooManyRequests,
			"the queue of this model is full: retry in a second").Classed("queue")
	case errors.Is(err, net.ErrClosed), errors.Is(err, batching.ErrClosed):
		return faultf(http.StatusServiceUnavailable, "the server is shutting down: retry later")
	case errors.Is(err, os.ErrDeadlineExceeded):
		return faultf(http.StatusBadRequest,
			"timeout while reading the body: send it faster, or in smaller requests").Classed(classSlow)
	case isRequest:
		return faultf(http.StatusBadRequest, "%s", request.Msg).Classed("tensor")
	case isLarge:
		return faultf(http.StatusRequestEntityTooLarge,
			"the body has more than %d bytes: send fewer rows at once", large.Limit)
	}
	return nil
}

// toldOfTable is about the rows of a request.
func toldOfTable(err error) *fault {
	table, isTable := errors.AsType[*tabular.Error](err)
	switch {
	case !isTable:
		return nil
	case table.Limit:
		return faultf(http.StatusRequestEntityTooLarge, "%s", table).Classed("table")
	case table.Column != "" && table.Row > 0:
		return faultf(http.StatusBadRequest, "%s", table).Classed("cell")
	case table.Column != "":
		return faultf(http.StatusBadRequest, "%s", table).Classed("column")
	}
	return faultf(http.StatusBadRequest, "%s", table).Classed("table")
}

// toldByNetwork is about what the network does not take.
func toldByNetwork(err error) *fault {
	if limit, ok := errors.AsType[*pfn.LimitError](err); ok {
		if limit.Got < limit.Min {
			return faultf(http.StatusBadRequest, "%s", limit).Classed("limit")
		}
		return faultf(http.StatusRequestEntityTooLarge, "%s", limit).Classed("limit")
	}
	if memory, ok := errors.AsType[*pfn.MemoryError](err); ok {
		return faultf(http.StatusRequestEntityTooLarge, "%s", memory).Classed("memory")
	}
	if input, ok := errors.AsType[*pfn.InputError](err); ok {
		return faultf(http.StatusBadRequest, "%s", input).Classed("cell")
	}
	return nil
}
