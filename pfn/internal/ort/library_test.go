//go:build cgo && (linux || darwin)

package ort

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/internal/orttest"
)

// isolated is a finder that sees an empty machine: no environment, no program folder.
func isolated(env map[string]string) finder {
	return finder{getenv: func(name string) string { return env[name] }}
}

// link makes the test library available as file and returns that name.
func link(t *testing.T, file string) string {
	t.Helper()
	library, err := filepath.Abs(orttest.Library(t))
	must.Succeed(t, err)
	must.Succeed(t, os.MkdirAll(filepath.Dir(file), 0o755))
	must.Succeed(t, os.Symlink(library, file))
	return file
}

// soname is a library file name of a version on this system.
func soname(version string) string {
	if runtime.GOOS == "darwin" {
		return "libonnxruntime." + version + ".dylib"
	}
	return "libonnxruntime.so." + version
}

func TestFindOrder(t *testing.T) {
	dir := t.TempDir()
	at := func(parts ...string) string {
		return link(t, filepath.Join(append([]string{dir}, parts...)...))
	}
	option := at("a", soname("1.27.0"))
	env := at("b", soname("1.27.0"))
	other := at("c", soname("1.27.0"))
	beside := at("install", "lib", "pfnamp", soname("1.27.0"))
	inBin := at("install", "bin", soname("1.27.0"))
	python := at("install", "lib", "python3.13", "site-packages", "onnxruntime", "capi",
		soname("1.27.0"))
	venv := at("venv", "lib", "python3.12", "site-packages", "onnxruntime", "capi",
		soname("1.27.0"))
	full := map[string]string{"PFNAMP_ORT_LIB": env, "ONNXRUNTIME_SHARED_LIBRARY_PATH": other,
		"VIRTUAL_ENV": filepath.Join(dir, "venv")}

	f := isolated(full)
	f.option, f.exe = option, filepath.Join(dir, "install", "bin", "pfnamp")
	want := []struct{ source, path string }{
		{"as named", option}, {"PFNAMP_ORT_LIB", env},
		{"ONNXRUNTIME_SHARED_LIBRARY_PATH", other}, {"beside the program", beside},
		{"beside the program", inBin}, {"python of the program", python},
		{"VIRTUAL_ENV", venv},
	}
	remove := []func(){
		func() { f.option = "" },
		func() { delete(full, "PFNAMP_ORT_LIB") },
		func() { delete(full, "ONNXRUNTIME_SHARED_LIBRARY_PATH") },
		func() { os.Remove(beside) },
		func() { os.Remove(inBin) },
		func() { f.exe = "" },
		func() {},
	}
	for i, w := range want { // take away the winner, and the next one wins
		f.steps = nil
		lib, steps, err := f.find()
		if err != nil {
			t.Fatalf("%s: %v", w.source, err)
		}
		if embedded().path != "" && i > 4 {
			w.source, w.path = "embedded", lib.Path
		}
		if lib.Source != w.source || lib.Path != w.path {
			t.Errorf("got %s %s, want %s %s", lib.Source, lib.Path, w.source, w.path)
		}
		if last := steps[len(steps)-1]; !strings.HasPrefix(last.Outcome, "used: onnxruntime 1.") {
			t.Errorf("%s: last step is %v", w.source, last)
		}
		remove[i]()
	}
}

func TestFindFolder(t *testing.T) {
	dir := t.TempDir()
	link(t, filepath.Join(dir, soname("1.9.0")))
	newest := link(t, filepath.Join(dir, soname("1.27.0")))
	f := isolated(nil)
	f.option = dir
	lib, _, err := f.find()
	if err != nil || lib.Path != newest {
		t.Errorf("got %q, %v; want %q", lib.Path, err, newest)
	}
	if lib.API < neededAPI || !strings.HasPrefix(lib.Version, "1.") || len(lib.Providers) == 0 {
		t.Errorf("library is %+v", lib)
	}
}

func TestFindBroken(t *testing.T) {
	dir := t.TempDir()
	write := func(name, content string) string {
		file := filepath.Join(dir, name)
		must.Succeed(t, os.WriteFile(file, []byte(content), 0o755))
		return file
	}
	library, err := os.ReadFile(orttest.Library(t))
	must.Succeed(t, err)
	foreign := strings.Clone(string(library))
	if runtime.GOOS == "linux" { // e_machine: IBM S/390
		foreign = foreign[:18] + "\x16\x00" + foreign[20:]
	}
	cases := []struct {
		name, path string
		fault      Fault
		want       string
	}{
		{"missing", filepath.Join(dir, "none.so"), NotFound, "no such file"},
		{"empty folder", t.TempDir(), NotFound, "no folder with a libonnxruntime"},
		{"empty file", write("empty.so", ""), NotLibrary, "the file is empty"},
		{"text", write("text.so", "INPUT(libfoo.so)\n"), NotLibrary, "it is not"},
		{"truncated", write("cut.so", string(library[:len(library)/2])), NotLibrary, "cut short"},
		{"foreign", write("foreign.so", foreign), WrongArch, "it is for"},
		{"device", "/dev/null", NotLibrary, "not a regular file"},
	}
	for _, c := range cases {
		if runtime.GOOS == "darwin" && slices.Contains([]string{"text", "truncated", "foreign"}, c.name) {
			continue // its loader says what is wrong
		}
		for _, variable := range []string{"", "PFNAMP_ORT_LIB", "ONNXRUNTIME_SHARED_LIBRARY_PATH"} {
			f := isolated(map[string]string{variable: c.path})
			if variable == "" {
				f.option = c.path
			}
			f.exe = filepath.Join(dir, "bin", "pfnamp") // would be found, but must not be tried
			_, steps, err := f.find()
			var unusable *LibraryError
			if !errors.As(err, &unusable) || unusable.Fault != c.fault {
				t.Errorf("%s: got %v, want fault %q", c.name, err, c.fault)
				continue
			}
			msg := err.Error()
			if !strings.Contains(msg, c.want) || strings.Contains(msg, "\n") ||
				!strings.Contains(msg, c.path) {
				t.Errorf("%s: %q, want %q", c.name, msg, c.want)
			}
			if len(strings.Split(unusable.Hint(), "\n")) != 3 || len(steps) == 0 {
				t.Errorf("%s: hint %q, steps %v", c.name, unusable.Hint(), steps)
			}
		}
	}
}

// TestFindOtherLibrary asks for a shared library that is no onnxruntime: the C++ run-time, which
// is already loaded wherever onnxruntime is.
func TestFindOtherLibrary(t *testing.T) {
	files, _ := filepath.Glob("/lib/*-linux-gnu/libz.so.1")
	more, _ := filepath.Glob("/usr/lib/*-linux-gnu/libstdc++.so.6")
	if files = append(files, more...); len(files) == 0 {
		t.Skip("no other shared library known on this system")
	}
	for _, file := range files {
		f := isolated(nil)
		f.option = file
		_, _, err := f.find()
		if unusable, ok := errors.AsType[*LibraryError](err); !ok || unusable.Fault != NotRuntime ||
			!strings.Contains(err.Error(), "not onnxruntime: it has no symbol OrtGetApiBase") {
			t.Errorf("%s: %v", file, err)
		}
	}
}

func TestFindNothing(t *testing.T) {
	if embedded().path != "" {
		t.Skip("this program carries a library")
	}
	f := isolated(nil)
	_, steps, err := f.find()
	if err == nil {
		t.Skip("the system has an onnxruntime of its own")
	}
	var unusable *LibraryError
	if !errors.As(err, &unusable) || unusable.Fault != NotFound || unusable.Path != "" {
		t.Fatalf("got %v", err)
	}
	if len(steps) < 7 || steps[len(steps)-1].Where != "system loader" {
		t.Errorf("steps are %v", steps)
	}
	must.Hold(t, "error", err.Error(), "needed: >= 1.25")
}

func TestFindCUDA(t *testing.T) {
	lib, _, err := Find(orttest.Library(t), "cpu")
	must.Succeed(t, err)
	if lib.CUDA {
		t.Skip("the test library has cuda")
	}
	f := isolated(nil)
	f.option, f.wantCUDA = lib.Path, true
	_, _, err = f.find()
	var unusable *LibraryError
	if !errors.As(err, &unusable) || unusable.Fault != NoCUDA ||
		!strings.Contains(err.Error(), "not usable for cuda: it ") {
		t.Errorf("got %v", err)
	}
	must.Hold(t, "hint", unusable.Hint(), "onnxruntime-gpu")
}

// A CUDA library of the active Python environment comes before the one beside the program where a
// card may be used; one without CUDA does not.
func TestFindPrefersCUDA(t *testing.T) {
	dir := t.TempDir()
	beside := link(t, filepath.Join(dir, "install", "lib", "pfnamp", soname("1.27.0")))
	capi := filepath.Join(dir, "venv", "lib", "python3.12", "site-packages", "onnxruntime", "capi")
	python := link(t, filepath.Join(capi, soname("1.27.0")))
	f := isolated(map[string]string{"VIRTUAL_ENV": filepath.Join(dir, "venv")})
	f.exe, f.mayCUDA = filepath.Join(dir, "install", "bin", "pfnamp"), true
	lib, steps, err := f.find()
	if err != nil || lib.Path != beside {
		t.Errorf("got %q, %v; want %q", lib.Path, err, beside)
	}
	i := slices.IndexFunc(steps, func(s Step) bool { return s.Path == python })
	if i < 0 || !strings.Contains(steps[i].Outcome, "a build without CUDA") {
		t.Errorf("the steps are %v", steps)
	}
	f.mayCUDA, f.steps = false, nil
	_, steps, _ = f.find()
	if slices.ContainsFunc(steps, func(s Step) bool { return s.Path == python }) {
		t.Errorf("the steps are %v", steps)
	}
}

func TestDriverLacks(t *testing.T) {
	old := Driver{CUDA: "12.8", GPUs: []GPU{{Name: "A10"}}}
	for _, c := range []struct {
		driver      Driver
		index, cuda int
		want        string
	}{
		{Driver{Missing: "no nvidia driver: libcuda.so.1"}, 0, 13, "no nvidia driver"},
		{old, 0, 13, "install NVIDIA driver 580 or newer, or an onnxruntime-gpu for CUDA 12"},
		{old, 0, 12, ""},
		{old, 0, 0, ""}, // a provider that does not say what it needs
		{old, 1, 12, "finds 1 GPU(s)"},
		{Driver{CUDA: "13.0"}, 0, 13, "finds no GPU"},
	} {
		got := c.driver.lacks(c.index, c.cuda)
		if !strings.Contains(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("%+v: %q, want %q", c, got, c.want)
		}
	}
}
