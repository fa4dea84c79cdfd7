//go:build unix

package serve

import "syscall"

// silentConnections is how many connections that send nothing the server keeps: a half of the files
// that the process may have open, at most 4,096.
func silentConnections() int {
	const most = 4096
	var files syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &files); err != nil {
		return most
	}
	return int(min(most, max(files.Cur/2, 1)))
}
