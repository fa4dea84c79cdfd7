package serve

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"

	"github.com/pfnamp/pfnamp/batching"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/serve/internal/oip"
	"github.com/pfnamp/pfnamp/tabular"
)

// fault is an error that a client can act on, with its HTTP status.
type fault struct {
	Status int
	Msg    string
	Class  string // of errors, for logs: a word without anything that a client has sent
}

// Error returns the message.
func (e *fault) Error() string { return e.Msg }

// faultf makes a *fault whose class is that of its status.
func faultf(status int, format string, args ...any) *fault {
	return &fault{Status: status, Msg: fmt.Sprintf(format, args...), Class: classes[status]}
}

// classed returns the error with another class.
func (e *fault) classed(class string) *fault {
	other := *e
	other.Class = class
	return &other
}

// statusGone is the status of a request whose client does not wait any more: it is only logged.
const statusGone = 499

// classes are the classes of errors by status.
var classes = map[int]string{
	http.StatusBadRequest:            "request",
	http.StatusUnauthorized:          "token",
	http.StatusForbidden:             "site",
	http.StatusNotFound:              "path",
	http.StatusMethodNotAllowed:      "method",
	http.StatusNotAcceptable:         "accept",
	http.StatusRequestEntityTooLarge: "size",
	http.StatusUnsupportedMediaType:  "media",
	http.StatusMisdirectedRequest:    "host",
	http.StatusTooManyRequests:       "busy",
	http.StatusInternalServerError:   "internal",
	http.StatusServiceUnavailable:    "stopping",
	statusGone:                       "cancelled",
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
		return faultf(statusGone, "request cancelled")
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
			"the queue of this model is full: retry in a second").classed("queue")
	case errors.Is(err, net.ErrClosed), errors.Is(err, batching.ErrClosed):
		return faultf(http.StatusServiceUnavailable, "the server is shutting down: retry later")
	case errors.Is(err, os.ErrDeadlineExceeded):
		return faultf(http.StatusBadRequest,
			"timeout while reading the body: send it faster, or in smaller requests").classed(classSlow)
	case isRequest:
		return faultf(http.StatusBadRequest, "%s", request.Msg).classed("tensor")
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
		return faultf(http.StatusRequestEntityTooLarge, "%s", table).classed("table")
	case table.Column != "" && table.Row > 0:
		return faultf(http.StatusBadRequest, "%s", table).classed("cell")
	case table.Column != "":
		return faultf(http.StatusBadRequest, "%s", table).classed("column")
	}
	return faultf(http.StatusBadRequest, "%s", table).classed("table")
}

// toldByNetwork is about what the network does not take.
func toldByNetwork(err error) *fault {
	if limit, ok := errors.AsType[*pfn.LimitError](err); ok {
		if limit.Got < limit.Min {
			return faultf(http.StatusBadRequest, "%s", limit).classed("limit")
		}
		return faultf(http.StatusRequestEntityTooLarge, "%s", limit).classed("limit")
	}
	if memory, ok := errors.AsType[*pfn.MemoryError](err); ok {
		return faultf(http.StatusRequestEntityTooLarge, "%s", memory).classed("memory")
	}
	if input, ok := errors.AsType[*pfn.InputError](err); ok {
		return faultf(http.StatusBadRequest, "%s", input).classed("cell")
	}
	return nil
}
