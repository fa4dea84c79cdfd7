package ort

import (
	"os"
	"strings"
)

// telemetryVariable disables the telemetry of official builds from 1.29 on. It must be in the
// environment before the library is loaded.
const telemetryVariable = "ORT_DISABLE_TELEMETRY"

// silenceTelemetry disables telemetry, unless the user has set the variable.
func silenceTelemetry() {
	if _, set := os.LookupEnv(telemetryVariable); !set {
		os.Setenv(telemetryVariable, "1")
	}
}

// telemetryOff reports whether the environment disables telemetry.
func telemetryOff() bool {
	switch strings.ToLower(os.Getenv(telemetryVariable)) {
	case "", "0", "false", "no", "off":
		return false
	}
	return true
}
