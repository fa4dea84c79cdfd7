package ort

import (
	"fmt"
	"strings"
	"testing"
)

func TestStatusError(t *testing.T) {
	long := strings.Repeat("é", 400)
	cases := []struct{ status, want string }{
		{"Invalid rank\nfor input: x.", "onnxruntime: x: invalid rank for input: x"},
		{"ONNX model is bad", "onnxruntime: x: ONNX model is bad"},
		{"/src/a.cc:1988 f::Get() [ONNXRuntimeError] : 1 : FAIL : Failed to load lib : why",
			"onnxruntime: x: failed to load lib : why"},
		{long, "onnxruntime: x: " + strings.Repeat("é", 300) + " ..."},
		{"", "onnxruntime: x: "},
	}
	for _, c := range cases {
		err := statusError("x", fmt.Errorf("outer: %w", fmt.Errorf("%s", c.status)))
		if err.Error() != c.want {
			t.Errorf("got %q, want %q", err, c.want)
		}
	}
	if err := statusError("x", nil); err != nil {
		t.Error(err)
	}
}

func TestLibraryErrorTooOld(t *testing.T) {
	err := &LibraryError{Fault: TooOld, Path: "/a/b.so", Source: "PFNAMP_ORT_LIB", Found: "1.23.0"}
	const want = `onnxruntime library "/a/b.so" (PFNAMP_ORT_LIB): ` +
		`found version 1.23.0, needed >= 1.25 (C API 25)`
	if err.Error() != want {
		t.Errorf("got %q", err)
	}
	if !strings.Contains(err.Hint(), "make setup") {
		t.Errorf("hint is %q", err.Hint())
	}
}
