package serve

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"

	"google.golang.org/grpc/codes"

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

func (e *fault) Error() string { return e.Msg }

func faultf(status int, format string, args ...any) *fault {
	return &fault{Status: status, Msg: fmt.Sprintf(format, args...), Class: kinds[status].class}
}

func (e *fault) classed(class string) *fault {
	other := *e
	other.Class = class
	return &other
}

// statusGone is the status of a request whose client does not wait any more: it is only logged.
const statusGone = 499

// kinds are the classes of errors and their codes of gRPC, by status.
var kinds = map[int]struct {
	class string
	code  codes.Code
}{
	http.StatusBadRequest:            {"request", codes.InvalidArgument},
	http.StatusUnauthorized:          {"token", codes.Unauthenticated},
	http.StatusForbidden:             {"site", codes.InvalidArgument},
	http.StatusNotFound:              {"path", codes.NotFound},
	http.StatusMethodNotAllowed:      {"method", codes.InvalidArgument},
	http.StatusNotAcceptable:         {"accept", codes.InvalidArgument},
	http.StatusRequestEntityTooLarge: {"size", codes.ResourceExhausted},
	http.StatusUnsupportedMediaType:  {"media", codes.Unimplemented},
	http.StatusMisdirectedRequest:    {"host", codes.InvalidArgument},
	http.StatusTooManyRequests:       {"busy", codes.ResourceExhausted},
	http.StatusInternalServerError:   {"internal", codes.Internal},
	http.StatusServiceUnavailable:    {"stopping", codes.Unavailable},
	statusGone:                       {"cancelled", codes.Canceled},
}

// classSlow is the class of errors about bodies that come too slowly.
const classSlow = "slow"

// told is the error that a client gets: what it can act on, and nothing about the inside of the
// server.
func told(err error) *fault {
	if known, ok := errors.AsType[*fault](err); ok {
		return known
	}
	large, isLarge := errors.AsType[*http.MaxBytesError](err)
	switch {
	case errors.Is(err, batching.ErrQueueFull):
		return faultf(http.StatusTooManyRequests,
			"the queue of this model is full: retry in a second").classed("queue")
	case errors.Is(err, net.ErrClosed), errors.Is(err, batching.ErrClosed):
		return faultf(http.StatusServiceUnavailable, "the server is shutting down: retry later")
	case errors.Is(err, os.ErrDeadlineExceeded):
		return faultf(http.StatusBadRequest,
			"timeout while reading the body: send it faster, or in smaller requests").classed(classSlow)
	case isLarge:
		return faultf(http.StatusRequestEntityTooLarge,
			"the body has more than %d bytes: send fewer rows at once", large.Limit)
	}
	if f := toldOfRows(err); f != nil {
		return f
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return faultf(statusGone, "request cancelled")
	}
	return faultf(http.StatusInternalServerError,
		"internal error: see the server's log for the cause")
}

// toldOfRows is about what a client has sent: tensors, cells and their number; nil of other errors.
func toldOfRows(err error) *fault {
	status, class, told := http.StatusBadRequest, "", err
	if request, ok := errors.AsType[*oip.Error](err); ok {
		class, told = "tensor", request
	} else if table, ok := errors.AsType[*tabular.Error](err); ok {
		class, told = "table", table
		switch {
		case table.Limit:
			status = http.StatusRequestEntityTooLarge
		case table.Column != "" && table.Row > 0:
			class = "cell"
		case table.Column != "":
			class = "column"
		}
	} else if limit, ok := errors.AsType[*pfn.LimitError](err); ok {
		class, told = "limit", limit
		if limit.Got >= limit.Min {
			status = http.StatusRequestEntityTooLarge
		}
	} else if memory, ok := errors.AsType[*pfn.MemoryError](err); ok {
		status, class, told = http.StatusRequestEntityTooLarge, "memory", memory
	} else if input, ok := errors.AsType[*pfn.InputError](err); ok {
		class, told = "cell", input
	} else {
		return nil
	}
	return faultf(status, "%s", told).classed(class)
}
