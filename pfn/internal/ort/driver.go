//go:build cgo && (linux || darwin || windows)

package ort

/*
#include "driver.h"
*/
import "C"

import "fmt"

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
