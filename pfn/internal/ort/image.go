package ort

import (
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
)

// entryPoint is the one symbol that every onnxruntime library exports.
const entryPoint = "OrtGetApiBase"

// examine returns why the file at path cannot be onnxruntime. It does not load the file: loading
// runs foreign code, and Linux dies of a truncated file and does not say that one is for another
// processor. Loaders of other systems say what is wrong.
func examine(path string) *LibraryError {
	f, err := os.Open(path)
	if err != nil {
		return &LibraryError{Fault: NotFound, Path: path, Detail: reason(err)}
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return &LibraryError{Fault: NotFound, Path: path, Detail: reason(err)}
	case !info.Mode().IsRegular():
		return &LibraryError{Fault: NotLibrary, Path: path, Detail: "it is not a regular file"}
	case info.Size() == 0:
		return &LibraryError{Fault: NotLibrary, Path: path, Detail: "the file is empty"}
	}
	if runtime.GOOS == "linux" {
		if fault, err := examineELF(f, info.Size(), runtime.GOARCH); err != nil {
			return &LibraryError{Fault: fault, Path: path, Detail: oneLine(err.Error())}
		}
	}
	return nil
}

// reason strips the operation and the path from an error of the file system.
func reason(err error) string {
	if inner := errors.Unwrap(err); inner != nil {
		return inner.Error()
	}
	return err.Error()
}

// examineELF checks type, processor, completeness and the exported symbol of an ELF library.
func examineELF(r io.ReaderAt, size int64, arch string) (Fault, error) {
	magic := make([]byte, len(elf.ELFMAG))
	if _, err := r.ReadAt(magic, 0); err != nil || string(magic) != elf.ELFMAG {
		return NotLibrary, errors.New("it is not an ELF file")
	}
	f, err := elf.NewFile(r)
	if err != nil {
		return NotLibrary, fmt.Errorf("it is damaged or cut short: %w", err)
	}
	if f.Type != elf.ET_DYN {
		return NotLibrary, fmt.Errorf("its ELF type is %s", f.Type)
	}
	machines := map[string]elf.Machine{"amd64": elf.EM_X86_64, "arm64": elf.EM_AARCH64}
	if want, known := machines[arch]; known && f.Machine != want {
		return WrongArch, fmt.Errorf("it is for %s, this program is for %s", f.Machine, arch)
	}
	for _, p := range f.Progs {
		end := p.Off + p.Filesz
		if p.Type == elf.PT_LOAD && (end < p.Off || end > uint64(size)) {
			return NotLibrary, fmt.Errorf("it is cut short: %d of at least %d bytes", size, end)
		}
	}
	symbols, err := f.DynamicSymbols()
	if err == nil && !slices.ContainsFunc(symbols, func(s elf.Symbol) bool {
		return s.Name == entryPoint && s.Section != elf.SHN_UNDEF
	}) {
		return NotRuntime, errors.New("it has no symbol " + entryPoint)
	}
	return 0, nil // without a section table the loader decides
}
