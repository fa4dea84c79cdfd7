//go:build cgo && (linux || darwin || windows)

package ort

/*
#include "driver.h"
#include <stdlib.h>
*/
import "C"

import (
	"debug/elf"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"unsafe"
)

// imports returns the libraries that a library of Linux needs, by their names.
func imports(file string) []string {
	image, err := elf.Open(file)
	if err != nil {
		return nil
	}
	defer image.Close()
	needed, _ := image.ImportedLibraries()
	return needed
}

// neededCUDA returns the major version of CUDA that a provider was built for, or 0.
func neededCUDA(provider string) int {
	for _, name := range imports(provider) {
		if number, ok := strings.CutPrefix(name, "libcudart.so."); ok {
			major, _ := strconv.Atoi(number)
			return major
		}
	}
	return 0
}

// loadNVIDIA loads those libraries that a provider needs and that pip has installed beside its
// package, in nvidia/*/lib, where the system's loader does not look. What is absent shows when the
// provider is loaded.
func loadNVIDIA(provider string) {
	site := filepath.Dir(filepath.Dir(filepath.Dir(provider)))
	for _, name := range imports(provider) {
		found, _ := filepath.Glob(filepath.Join(escapeGlob(site), "nvidia", "*", "lib", name))
		for _, file := range found {
			path := C.CString(file)
			C.pfnamp_keep(path)
			C.free(unsafe.Pointer(path))
		}
	}
}

// queryDriver asks the NVIDIA driver for its GPUs. It loads the driver, which takes time and may
// fail badly, so it is not called for the CPU.
func queryDriver() Driver {
	var d C.pfnamp_driver
	keepingSignals(func() { C.pfnamp_ask_driver(&d) })
	if d.failure[0] != 0 {
		return Driver{Missing: oneLine(C.GoString(&d.failure[0]))}
	}
	driver := Driver{CUDA: fmt.Sprintf("%d.%d", d.version/1000, d.version%1000/10)}
	for i := range int(d.count) {
		driver.GPUs = append(driver.GPUs, GPU{
			Name:   C.GoString(&d.name[i][0]),
			Memory: uint64(d.memory[i]),
		})
	}
	return driver
}
