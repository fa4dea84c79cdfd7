package ort

import (
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"

	"github.com/pfnamp/pfnamp/internal/must"
)

func TestStatusError(t *testing.T) {
	long := strings.Repeat("é", 400)
	cases := []struct{ status, want string }{
		{"Invalid rank\nfor input: x.", "onnxruntime: x: invalid rank for input: x"},
		{"ONNX model is bad", "onnxruntime: x: ONNX model is bad"},
		{"/src/a.cc:1988 f::Get() [ONNXRuntimeError] : 1 : FAIL : Failed to load lib : why",
			"onnxruntime: x: failed to load lib : why"},
		{"Exception during loading: std::bad_alloc", "onnxruntime: x: exception during loading: " +
			"std::bad_alloc: not enough memory, or address space (ulimit -v)"},
		{"/src/cuda_call.cc:122 CudaCall(" + long + ") CUBLAS failure 3: CUBLAS_STATUS_ALLOC_FAILED ; " +
			"GPU=0 ; file=/src/a.cc", "onnxruntime: x: CUBLAS failure 3: CUBLAS_STATUS_ALLOC_FAILED"},
		{long, "onnxruntime: x: " + strings.Repeat("é", 300) + " ..."},
		{"", "onnxruntime: x: "},
	}
	for _, c := range cases {
		err := statusError("x", fmt.Errorf("outer: %w", fmt.Errorf("%s", c.status)))
		if err.Error() != c.want {
			t.Errorf("got %q, want %q", err, c.want)
		}
	}
	must.Succeed(t, statusError("x", nil))
}

// The error names the fault of a library instead of saying that there is none.
func TestTellingFaults(t *testing.T) {
	for _, c := range []struct {
		cause      error
		text, hint string
	}{
		{errors.New("stat /proc/self/fd/3: no such file"), "it cannot be unpacked", "mount /proc"},
		{fmt.Errorf("writing: %w", syscall.ENOMEM), "not enough memory to load it", "ulimit -v"},
	} {
		f := finder{getenv: func(string) string { return "" }}
		_, err := f.try(place{where: "embedded", path: "libonnxruntime.so.1", fault: NotUnpacked,
			candidates: func(string) ([]string, error) { return nil, c.cause }})
		if err == nil || !err.telling() || !strings.Contains(err.Error(), c.text) ||
			!strings.Contains(err.Hint(), c.hint) || strings.Contains(err.Hint(), "released") {
			t.Errorf("%v is told as %v, hint %q", c.cause, err, err.Hint())
		}
	}
}

func TestLibraryErrorTooOld(t *testing.T) {
	err := &LibraryError{Fault: TooOld, Path: "/a/b.so", Source: "PFNAMP_ORT_LIB", Found: "1.23.0"}
	const want = `onnxruntime library "/a/b.so" (PFNAMP_ORT_LIB): ` +
		`found version 1.23.0, needed >= 1.25 (C API 25)`
	if err.Error() != want {
		t.Errorf("got %q", err)
	}
	must.Hold(t, "hint", err.Hint(), "make setup")
}
