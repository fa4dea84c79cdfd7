package ort

import (
	"bytes"
	"debug/pe"
	"encoding/binary"
	"testing"
)

// windowsFile is a file of Windows with one section that holds text.
func windowsFile(t *testing.T, machine, characteristics uint16, text string) []byte {
	t.Helper()
	b := new(bytes.Buffer)
	parts := []any{
		pe.FileHeader{Machine: machine, NumberOfSections: 1, Characteristics: characteristics},
		pe.SectionHeader32{Name: [8]uint8{'.', 'e', 'd', 'a', 't', 'a'},
			VirtualSize: uint32(len(text)), SizeOfRawData: uint32(len(text)), PointerToRawData: 60},
	}
	for _, part := range parts {
		if err := binary.Write(b, binary.LittleEndian, part); err != nil {
			t.Fatal(err)
		}
	}
	b.WriteString(text)
	b.Write(make([]byte, 96)) // of the least file
	return b.Bytes()
}

func TestExaminePE(t *testing.T) {
	const dll, amd64, arm64 = pe.IMAGE_FILE_DLL, pe.IMAGE_FILE_MACHINE_AMD64,
		pe.IMAGE_FILE_MACHINE_ARM64
	const exported = "\x00OrtGetApiBase\x00"
	whole := windowsFile(t, amd64, dll, exported)
	cases := []struct {
		name  string
		file  []byte
		fault Fault
		want  string // "" is no error
	}{
		{"good", whole, 0, ""},
		{"program", windowsFile(t, amd64, 0, exported), NotLibrary,
			"it is a Windows program, not a library"},
		{"other machine", windowsFile(t, arm64, dll, exported), WrongArch,
			"it is for machine 0xaa64, but this program is for amd64"},
		{"other library", windowsFile(t, amd64, dll, "\x00OrtGetApiBaseX\x00"), NotRuntime,
			"it has no symbol OrtGetApiBase"},
		{"text", []byte("INPUT(libfoo.so)\n"), NotLibrary,
			"it is not a Windows library, or it is damaged"},
	}
	for _, c := range cases {
		fault, err := examinePE(bytes.NewReader(c.file), int64(len(c.file)), "amd64")
		if c.want == "" && err != nil || c.want != "" && (err == nil || err.Error() != c.want) ||
			fault != c.fault {
			t.Errorf("%s: %v, %v", c.name, fault, err)
		}
	}
	fault, err := examinePE(bytes.NewReader(whole), 70, "amd64")
	if fault != NotLibrary || err == nil || err.Error() != "it is cut short: 70 of at least 75 bytes" {
		t.Errorf("cut short: %v, %v", fault, err)
	}
}
