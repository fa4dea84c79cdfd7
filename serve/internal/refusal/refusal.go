// Package refusal has the errors that clients of the server get.
package refusal

import (
	"fmt"
	"net/http"
)

// Error is an error that a client can act on, with its HTTP status.
type Error struct {
	Status int
	Msg    string
	Code   string // by which programs tell it from others of its status, or ""
	Class  string // of errors, for logs: a word without anything that a client has sent
}

// Error returns the message.
func (e *Error) Error() string { return e.Msg }

// Newf makes an *Error whose class is that of its status.
func Newf(status int, format string, args ...any) *Error {
	return &Error{Status: status, Msg: fmt.Sprintf(format, args...), Class: classes[status]}
}

// Classed returns the error with another class.
func (e *Error) Classed(class string) *Error {
	other := *e
	other.Class = class
	return &other
}

// Gone is the status of a request whose client does not wait any more; it is logged, not sent.
const Gone = 499

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
	Gone:                             "cancelled",
}
