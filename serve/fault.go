package serve

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/serve/internal/oip"
	"github.com/pfnamp/pfnamp/tabular"
)

// fault is an error that a client is told, with its HTTP status.
type fault struct {
	status int
	msg    string
	code   string // by which programs tell it from others of its status, or ""
}

// Error returns the message.
func (f *fault) Error() string { return f.msg }

// faultf makes a *fault.
func faultf(status int, format string, args ...any) *fault {
	return &fault{status: status, msg: fmt.Sprintf(format, args...)}
}

// gone is the status of a request whose client does not wait any more; it is logged, not sent.
const gone = 499

// told is what a client is told about an error: what it can act on, and nothing about the inside of
// the server.
func told(err error) *fault {
	known, isFault := errors.AsType[*fault](err)
	request, isRequest := errors.AsType[*oip.Error](err)
	table, isTable := errors.AsType[*tabular.Error](err)
	large, isLarge := errors.AsType[*http.MaxBytesError](err)
	input, isInput := errors.AsType[*pfn.InputError](err)
	limit, isLimit := errors.AsType[*pfn.LimitError](err)
	memory, isMemory := errors.AsType[*pfn.MemoryError](err)
	switch {
	case isFault:
		return known
	case errors.Is(err, pfnamp.ErrQueueFull):
		return faultf(http.StatusTooManyRequests, "too many rows wait for this model: try again later")
	case errors.Is(err, net.ErrClosed), errors.Is(err, pfnamp.ErrBatcherClosed):
		return faultf(http.StatusServiceUnavailable, "the server stopped before the request was answered")
	case isRequest:
		return faultf(http.StatusBadRequest, "%s", request.Msg)
	case isLarge:
		return faultf(http.StatusRequestEntityTooLarge, "the body has more than %d bytes", large.Limit)
	case isTable && table.Limit:
		return faultf(http.StatusRequestEntityTooLarge, "%s", table)
	case isLimit && limit.Got < limit.Min:
		return faultf(http.StatusBadRequest, "%s", limit)
	case isLimit:
		return faultf(http.StatusRequestEntityTooLarge, "%s", limit)
	case isMemory:
		return faultf(http.StatusRequestEntityTooLarge, "%s", memory)
	case isInput:
		return faultf(http.StatusBadRequest, "%s", input)
	case isTable:
		return faultf(http.StatusBadRequest, "%s", table)
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return faultf(gone, "cancelled")
	}
	return faultf(http.StatusInternalServerError,
		"internal error: the log of the server has the cause")
}
