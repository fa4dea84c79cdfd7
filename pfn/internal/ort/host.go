package ort

import (
	"os"
	"path"
	"strconv"
	"strings"
)

// memory returns the memory of the machine and the limit of the process's cgroup, in bytes; 0 means
// unknown or unlimited.
func memory() (total, limit uint64) {
	for line := range strings.Lines(readText("/proc/meminfo")) {
		if rest, ok := strings.CutPrefix(line, "MemTotal:"); ok {
			kilobytes, _ := strconv.ParseUint(strings.Fields(rest)[0], 10, 64)
			total = kilobytes << 10
		}
	}
	for _, file := range limitFiles(readText("/proc/self/cgroup")) {
		n, err := strconv.ParseUint(strings.TrimSpace(readText(file)), 10, 64)
		if err == nil && n < 1<<60 && (limit == 0 || n < limit) { // v1 says 2^63 for unlimited
			limit = n
		}
	}
	return total, limit
}

// MemoryLimit returns the smaller result of memory, 0 if both are unknown.
func MemoryLimit() int64 {
	total, limit := memory()
	if limit == 0 || total > 0 && total < limit {
		limit = total
	}
	return int64(min(limit, 1<<62))
}

// limitFiles lists the files with the limits of a process, from its /proc/self/cgroup: those of its
// own group and of every group above, cgroup v2 and v1.
func limitFiles(groups string) []string {
	var files []string
	for line := range strings.Lines(groups) {
		fields := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(fields) != 3 {
			continue
		}
		root, name := "/sys/fs/cgroup", "memory.max"
		switch {
		case fields[0] == "0" && fields[1] == "":
		case strings.Contains(","+fields[1]+",", ",memory,"):
			root, name = "/sys/fs/cgroup/memory", "memory.limit_in_bytes"
		default:
			continue
		}
		for dir := path.Join("/", fields[2]); ; dir = path.Dir(dir) {
			files = append(files, path.Join(root, dir, name))
			if dir == "/" {
				break
			}
		}
	}
	return files
}

// driverVersion returns the version of the NVIDIA kernel module, or "".
func driverVersion() string {
	return strings.TrimSpace(readText("/sys/module/nvidia/version"))
}

func readText(file string) string {
	b, _ := os.ReadFile(file)
	return string(b)
}

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
