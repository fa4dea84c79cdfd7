package ort

import (
	"os"
	"strings"
)

// telemetryVariable switches off the telemetry that official builds have from 1.29 on. It must be
// in the environment before the library is loaded.
const telemetryVariable = "ORT_DISABLE_TELEMETRY"

// silenceTelemetry switches telemetry off unless the user has decided otherwise.
func silenceTelemetry() {
	if _, set := os.LookupEnv(telemetryVariable); !set {
		os.Setenv(telemetryVariable, "1")
	}
}

// telemetryOff says whether the environment switches telemetry off.
func telemetryOff() bool {
	switch strings.ToLower(os.Getenv(telemetryVariable)) {
	case "", "0", "false", "no", "off":
		return false
	}
	return true
}
