package ort

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

func TestParseDevice(t *testing.T) {
	for asked, want := range map[string]string{"cpu": "cpu", "cuda": "cuda:0", "cuda:3": "cuda:3",
		"openvino": "openvino", "coreml": "coreml", "directml": "directml:0"} {
		p, index, err := parseDevice(asked)
		if err != nil || p.at(index) != want {
			t.Errorf("%s: %v, %v", asked, p, err)
		}
	}
	for _, asked := range []string{"", "auto", "tpu", "cuda:", "cuda:x", "cuda:-1", "cpu:0",
		"openvino:1"} {
		_, _, err := parseDevice(asked)
		if e, ok := errors.AsType[*DeviceError](err); !ok || !strings.Contains(e.Reason, "cpu, cuda") {
			t.Errorf("%q: %v", asked, err)
		}
	}
}

// Every device says how to get a library that has it, and only three were ever tested.
func TestDevicesOf(t *testing.T) {
	lib := Library{Providers: []string{"OpenVINOExecutionProvider", "CPUExecutionProvider"}}
	var there []string
	for _, d := range devicesOf(lib) {
		if d.There {
			there = append(there, d.Device)
		}
		tested := slices.Contains([]string{"cpu", "cuda", "openvino"}, d.Device)
		if (d.Proven != "") != tested || d.Device != "cpu" && d.Get == "" {
			t.Errorf("%+v", d)
		}
	}
	if !slices.Equal(there, []string{"cpu", "openvino"}) {
		t.Errorf("the library has %v", there)
	}
	p, index, _ := parseDevice("directml:2")
	if o := p.optionsAt(index); o["device_id"] != "2" {
		t.Errorf("the options are %v", o)
	}
}
