package models

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/pfnamp/pfnamp/internal/must"
)

func TestInstall(t *testing.T) {
	for folder, files := range map[string]int{tinyTabPFN: 7, tiny: 6} {
		testInstall(t, loaded(t, folder), files)
	}
}

// testInstall installs a bundle of so many files, twice.
func testInstall(t *testing.T, b *Bundle, files int) {
	dir := filepath.Join(t.TempDir(), "new", "models")
	path, err := b.Install(dir, "mine", false)
	must.Succeed(t, err)
	again := loaded(t, path)
	if again.SHA256() != b.SHA256() || !slices.Equal(again.Borders(), b.Borders()) {
		t.Errorf("the installed bundle is another one than %s", b.Source)
	}
	if _, err := b.Install(dir, "mine", false); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a second bundle of the same name: %v", err)
	}
	write(t, filepath.Join(path, "extra"), nil)
	if _, err := b.Install(dir, "mine", true); err != nil {
		t.Error(err)
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 1 {
		t.Errorf("left in the folder: %v, %v", left, err)
	}
	if found, err := os.ReadDir(path); err != nil || len(found) != files {
		t.Errorf("installed: %v, %v", found, err)
	}
	must.Succeed(t, os.CopyFS(filepath.Join(dir, ".half"), os.DirFS(tiny)))
	if found, err := List(dir); err != nil || len(found) != len(inside)+1 {
		t.Errorf("List found %+v, %v", found, err)
	}
}

func TestInstallNames(t *testing.T) {
	b, outer := loaded(t, tiny), t.TempDir()
	for _, name := range []string{"", ".", "..", "../x", "a/b", ".hidden", "default", "a b"} {
		if _, err := b.Install(filepath.Join(outer, "models"), name, true); err == nil {
			t.Errorf("name %q is accepted", name)
		}
	}
	if left, _ := os.ReadDir(outer); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	file := filepath.Join(outer, "file")
	write(t, file, nil)
	if _, err := b.Install(file, "x", false); err == nil {
		t.Error("a file serves as a folder")
	}
}

// entry is a file, or a link if it has a target, of an archive.
type entry struct{ name, data, target string }

// tinyEntries are the files of the bundle in a folder of an archive.
func tinyEntries(t *testing.T, folder string) []entry {
	t.Helper()
	var entries []entry
	files, err := os.ReadDir(tiny)
	must.Succeed(t, err)
	for _, file := range files {
		data, err := os.ReadFile(filepath.Join(tiny, file.Name()))
		must.Succeed(t, err)
		entries = append(entries, entry{name: folder + file.Name(), data: string(data)})
	}
	return entries
}

// pack writes an archive of the kind that its name tells.
func pack(t *testing.T, name string, entries []entry) string {
	t.Helper()
	var out bytes.Buffer
	if strings.HasSuffix(name, ".zip") {
		w := zip.NewWriter(&out)
		for _, e := range entries {
			f, err := w.Create(e.name)
			must.Succeed(t, err)
			f.Write([]byte(e.data))
		}
		w.Close()
	} else {
		w := tar.NewWriter(&out)
		for _, e := range entries {
			header := &tar.Header{Name: e.name, Mode: 0o600, Size: int64(len(e.data)),
				Typeflag: tar.TypeReg, Linkname: e.target}
			if e.target != "" {
				header.Typeflag = tar.TypeSymlink
			}
			must.Succeed(t, w.WriteHeader(header))
			w.Write([]byte(e.data))
		}
		w.Close()
	}
	data := out.Bytes()
	if strings.HasSuffix(name, "gz") {
		var packed bytes.Buffer
		w := gzip.NewWriter(&packed)
		w.Write(data)
		w.Close()
		data = packed.Bytes()
	}
	path := filepath.Join(t.TempDir(), name)
	write(t, path, data)
	return path
}

func TestLoadArchive(t *testing.T) {
	want := loaded(t, tiny)
	for _, name := range []string{"b.zip", "b.tar", "b.tar.gz", "b.tgz"} {
		for _, folder := range []string{"", "tiny/", "./"} {
			if folder == "./" && name == "b.zip" {
				continue // no zip has such names
			}
			b, err := LoadArchive(pack(t, name, tinyEntries(t, folder)))
			if err != nil || b.SHA256() != want.SHA256() {
				t.Errorf("%s, folder %q: %v", name, folder, err)
			}
		}
	}
}

func TestLoadArchiveRefuses(t *testing.T) {
	sound := tinyEntries(t, "")
	cases := map[string]struct{ file, want string }{
		"missing": {filepath.Join(t.TempDir(), "no.zip"), "no such file"},
		"empty":   {pack(t, "b.zip", nil), "0 folders with a manifest.json"},
		"two bundles": {pack(t, "b.tar", append(tinyEntries(t, "a/"), tinyEntries(t, "b/")...)),
			"2 folders"},
		"link": {pack(t, "b.tar", append(sound, entry{"link", "", "/etc/passwd"})),
			"is not a regular file"},
		"outside":  {pack(t, "b.tgz", append(sound, entry{"../x", "", ""})), "leads out of the archive"},
		"twice":    {pack(t, "b.tar", append(sound, sound[0])), "twice"},
		"no gzip":  {filepath.Join(tiny, "context.onnx"), "cannot read the archive"},
		"no graph": {pack(t, "b.zip", sound[2:]), "the file is missing"},
	}
	for name, c := range cases {
		_, err := LoadArchive(c.file)
		if _, ok := errors.AsType[*Error](err); !ok || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %q does not contain %q", name, err, c.want)
		}
	}
	many := make([]entry, maxArchiveFiles+1)
	for i := range many {
		many[i].name = strings.Repeat("x", i%200+1) + string(rune('a'+i/200))
	}
	for _, name := range []string{"b.zip", "b.tar"} {
		_, err := LoadArchive(pack(t, name, many))
		if err == nil || !strings.Contains(err.Error(), "more than 1000 files") {
			t.Errorf("%s of many files: %v", name, err)
		}
	}
}

// TestInstallOnce installs under one name from several goroutines: one succeeds, and the others
// get the error that the bundle exists.
func TestInstallOnce(t *testing.T) {
	b, dir := loaded(t, tiny), t.TempDir()
	var made atomic.Int32
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			_, err := b.Install(dir, "mine", false)
			if err == nil {
				made.Add(1)
			} else if !errors.Is(err, fs.ErrExist) {
				t.Error(err)
			}
		})
	}
	group.Wait()
	left, err := os.ReadDir(dir)
	if made.Load() != 1 || err != nil || len(left) != 1 {
		t.Errorf("%d succeeded, left %v, %v", made.Load(), left, err)
	}
}
