//go:build cgo && (linux || darwin || windows)

package ort

/*
#cgo linux LDFLAGS: -ldl
#include "probe.h"
#include <stdlib.h>
*/
import "C"

import (
	"fmt"
	"strconv"
	"strings"
	"unsafe"
)

// Available reports whether this program can load onnxruntime at all.
const Available = true

func libc() string {
	if version := C.pfnamp_glibc(); version != nil {
		return "glibc " + C.GoString(version)
	}
	return ""
}

// probe loads the library at path, which may be a bare name for the system's loader, and reads its
// version and its providers. A valid library stays loaded.
func probe(path string) (Library, *LibraryError) {
	silenceTelemetry()
	name := C.CString(path)
	defer C.free(unsafe.Pointer(name))
	var r C.pfnamp_probed
	if C.pfnamp_open(name, &r) != 0 {
		fault := NotLoadable
		if r.handle != nil {
			fault = NotRuntime
			C.pfnamp_close(&r)
		} else if outOfMemory(C.GoString(&r.text[0])) {
			fault = NoMemory
		}
		return Library{}, &LibraryError{Fault: fault, Path: path,
			Detail: oneLine(C.GoString(&r.text[0]))}
	}
	version := C.GoString(&r.text[0])
	// An old library complains on stderr if it is asked for an unknown API, so the version decides
	// first.
	api, known := apiOf(version)
	if known && api < neededAPI {
		C.pfnamp_close(&r)
		return Library{}, &LibraryError{Fault: TooOld, Path: path, Found: version}
	}
	if C.pfnamp_ask(&r, neededAPI) != 0 {
		C.pfnamp_close(&r)
		return Library{}, &LibraryError{Fault: TooOld, Path: path, Found: version,
			Detail: fmt.Sprintf("it does not have C API %d", neededAPI)}
	}
	lib := Library{Path: path, Version: version, API: max(api, neededAPI)}
	if loaded := C.GoString(&r.path[0]); bare(path) && loaded != "" {
		lib.Path = loaded
	}
	lib.Providers = strings.Fields(C.GoString(&r.providers[0]))
	return lib, nil
}

// apiOf returns the newest C API of release version: 1.N serves the APIs 1 to N.
func apiOf(version string) (int, bool) {
	rest, ok := strings.CutPrefix(version, "1.")
	if !ok {
		return 0, false
	}
	minor, _, _ := strings.Cut(rest, ".")
	n, err := strconv.Atoi(minor)
	return n, err == nil
}
