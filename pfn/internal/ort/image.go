package ort

import (
	"bytes"
	"debug/elf"
	"debug/macho"
	"debug/pe"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
)

// entryPoint is the one symbol that every onnxruntime library exports.
const entryPoint = "OrtGetApiBase"

// examine reads the headers of the file at path and returns why it cannot be onnxruntime. It does
// not load the file: loading runs foreign code, and loading a truncated file kills the process.
func examine(path string) *LibraryError {
	f, err := os.Open(path)
	if err != nil {
		return &LibraryError{Fault: NotFound, Path: path, Detail: reason(err)}
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return &LibraryError{Fault: NotFound, Path: path, Detail: reason(err)}
	}
	if !info.Mode().IsRegular() {
		return &LibraryError{Fault: NotLibrary, Path: path, Detail: "it is not a regular file"}
	}
	if info.Size() == 0 {
		return &LibraryError{Fault: NotLibrary, Path: path, Detail: "the file is empty"}
	}
	var fault Fault
	switch runtime.GOOS {
	case "darwin":
		fault, err = examineMachO(f, runtime.GOARCH)
	case "windows":
		fault, err = examinePE(f, info.Size(), runtime.GOARCH)
	default:
		fault, err = examineELF(f, info.Size(), runtime.GOARCH)
	}
	if err != nil {
		return &LibraryError{Fault: fault, Path: path, Detail: oneLine(err.Error())}
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
	if err != nil {
		return 0, nil // no section table; the loader decides
	}
	for _, s := range symbols {
		if s.Name == entryPoint && s.Section != elf.SHN_UNDEF {
			return 0, nil
		}
	}
	return NotRuntime, errors.New("it has no symbol " + entryPoint)
}

// examineMachO does the same for macOS, for a plain or a universal library.
func examineMachO(r io.ReaderAt, arch string) (Fault, error) {
	want := macho.CpuArm64
	if arch == "amd64" {
		want = macho.CpuAmd64
	}
	files := []*macho.File{}
	if fat, err := macho.NewFatFile(r); err == nil {
		for _, a := range fat.Arches {
			files = append(files, a.File)
		}
	} else if f, err := macho.NewFile(r); err == nil {
		files = append(files, f)
	} else {
		return NotLibrary, errors.New("it is not a Mach-O file")
	}
	var others []string
	for _, f := range files {
		if f.Cpu != want {
			others = append(others, f.Cpu.String())
			continue
		}
		if f.Type != macho.TypeDylib {
			return NotLibrary, fmt.Errorf("its Mach-O type is %s", f.Type)
		}
		if !exports(f, "_"+entryPoint) {
			return NotRuntime, errors.New("it has no symbol " + entryPoint)
		}
		return 0, nil
	}
	return WrongArch, fmt.Errorf("it is for %s, this program is for %s",
		strings.Join(others, ", "), arch)
}

// exports reports whether f defines the symbol, or has no symbol table.
func exports(f *macho.File, symbol string) bool {
	if f.Symtab == nil {
		return true
	}
	for _, s := range f.Symtab.Syms {
		if s.Name == symbol && s.Sect != 0 {
			return true
		}
	}
	return false
}

// examinePE does the same for Windows.
func examinePE(r io.ReaderAt, size int64, arch string) (Fault, error) {
	f, err := pe.NewFile(r)
	if err != nil {
		return NotLibrary, errors.New("it is not a Windows library, or it is damaged")
	}
	if f.Characteristics&pe.IMAGE_FILE_DLL == 0 {
		return NotLibrary, errors.New("it is a Windows program, not a library")
	}
	machines := map[string]uint16{"amd64": pe.IMAGE_FILE_MACHINE_AMD64,
		"arm64": pe.IMAGE_FILE_MACHINE_ARM64}
	if want, known := machines[arch]; known && f.Machine != want {
		return WrongArch, fmt.Errorf("it is for machine %#x, but this program is for %s", f.Machine, arch)
	}
	named := false
	for _, s := range f.Sections {
		if end := int64(s.Offset) + int64(s.Size); end > size {
			return NotLibrary, fmt.Errorf("it is cut short: %d of at least %d bytes", size, end)
		}
		data, err := s.Data()
		named = named || err == nil && bytes.Contains(data, []byte("\x00"+entryPoint+"\x00"))
	}
	if !named {
		return NotRuntime, errors.New("it has no symbol " + entryPoint)
	}
	return 0, nil
}
