package ort

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// toMemory writes the library into an anonymous file in memory, seals it against changes, and
// returns the name under which the loader can open it. The file stays open while the program runs.
func (p packed) toMemory() (string, error) {
	const flags = unix.MFD_CLOEXEC | unix.MFD_ALLOW_SEALING
	fd, err := unix.MemfdCreate(p.name, flags|unix.MFD_EXEC)
	if errors.Is(err, unix.EINVAL) { // MFD_EXEC is unknown before Linux 6.3
		fd, err = unix.MemfdCreate(p.name, flags)
	}
	if err != nil {
		return "", os.NewSyscallError("memfd_create", err)
	}
	path := fmt.Sprintf("/proc/self/fd/%d", fd)
	if err := p.fill(descriptor(fd), path); err != nil {
		unix.Close(fd)
		return "", err
	}
	return path, nil
}

// fill writes and seals the file, and checks that its path is accessible.
func (p packed) fill(fd descriptor, path string) error {
	if err := p.writeTo(fd); err != nil {
		return err
	}
	const seals = unix.F_SEAL_WRITE | unix.F_SEAL_GROW | unix.F_SEAL_SHRINK | unix.F_SEAL_SEAL
	if _, err := unix.FcntlInt(uintptr(fd), unix.F_ADD_SEALS, seals); err != nil {
		return os.NewSyscallError("fcntl", err)
	}
	_, err := os.Stat(path)
	return err
}

// A descriptor is an open file without a finalizer that would close it.
type descriptor int

func (d descriptor) Write(b []byte) (int, error) {
	for done := 0; done < len(b); {
		n, err := unix.Write(int(d), b[done:])
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err != nil {
			return done, os.NewSyscallError("write", err)
		}
		done += n
	}
	return len(b), nil
}
