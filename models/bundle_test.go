package models

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/pfnamp/pfnamp/internal/must"
)

// tiny is a bundle of random weights, made by testdata/tiny.py.
const tiny = "../testdata/tiny"

// loaded is a bundle that can be loaded.
func loaded(t testing.TB, folder string) *Bundle {
	t.Helper()
	b, err := Load(folder)
	must.Succeed(t, err)
	return b
}

// mapOf are the files of a folder, which tests may damage.
func mapOf(t testing.TB, folder string) fstest.MapFS {
	t.Helper()
	files := fstest.MapFS{}
	names, err := fs.Glob(os.DirFS(folder), "*")
	must.Succeed(t, err)
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join(folder, name))
		must.Succeed(t, err)
		files[name] = &fstest.MapFile{Data: data}
	}
	return files
}

// copied is a folder with the files of another, in an empty one.
func copied(t testing.TB, folder string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "copy")
	must.Succeed(t, os.CopyFS(dir, os.DirFS(folder)))
	return dir
}

// write writes a file of a test.
func write(t testing.TB, path string, data []byte) {
	t.Helper()
	must.Succeed(t, os.WriteFile(path, data, 0o600))
}

// changed are the files of a bundle, which is not sealed, with fields of the manifest as of edited.
func changed(t testing.TB, bundle string, edits ...any) fstest.MapFS {
	t.Helper()
	files := mapOf(t, filepath.Join("..", "testdata", bundle))
	delete(files, sumsFile)
	files[manifestFile] = &fstest.MapFile{Data: edited(t, bundle, edits...)}
	return files
}

// edit replaces a part of a file, which must occur in it.
func edit(t *testing.T, files fstest.MapFS, name, old, new string) {
	t.Helper()
	before := string(files[name].Data)
	if !strings.Contains(before, old) {
		t.Fatalf("%s does not contain %q", name, old)
	}
	files[name] = &fstest.MapFile{Data: []byte(strings.Replace(before, old, new, 1))}
}

// install replaces a pinned file and its hash in the manifest.
func install(t *testing.T, files fstest.MapFS, name string, data []byte) {
	t.Helper()
	edit(t, files, manifestFile, digest(files[name].Data), digest(data))
	files[name] = &fstest.MapFile{Data: data}
}

func TestLoadFolder(t *testing.T) {
	dir := copied(t, "default")
	b := loaded(t, dir)
	embedded, err := Default()
	must.Succeed(t, err)
	if b.SHA256() != embedded.SHA256() || b.Source != dir {
		t.Errorf("the copy is another bundle: %s from %s", b.SHA256(), b.Source)
	}
	found, err := List(filepath.Dir(dir))
	if err != nil || len(found) != 3 || found[2].Path != dir || found[2].Err != nil {
		t.Errorf("List found %+v, %v", found, err)
	}
	write(t, filepath.Join(dir, "context.onnx"), nil)
	if found, _ := List(filepath.Dir(dir)); found[2].Err == nil {
		t.Error("List hides a broken bundle's error")
	}
	if _, err := List(filepath.Join(dir, "missing")); err == nil {
		t.Error("List of a missing folder succeeds")
	}
}

// A large graph is read again at each call, and its bytes must be those that were checked.
func TestLargeGraphsAreReadAgain(t *testing.T) {
	dir := copied(t, tiny)
	kept := loaded(t, dir)
	b, err := loader{fsys: os.DirFS(dir), source: dir, dir: dir, files: map[string][]byte{}}.load()
	must.Succeed(t, err)
	if len(b.graphs) > 0 || b.Size() != kept.Size() || b.Size() == 0 {
		t.Errorf("%d graphs kept, size %d, not %d", len(b.graphs), b.Size(), kept.Size())
	}
	for _, name := range []string{ContextGraph, QueryGraph} {
		got, err := b.Graph(name)
		want, _ := kept.Graph(name)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %d bytes, not %d: %v", name, len(got), len(want), err)
		}
	}
	path, err := b.Install(t.TempDir(), "copy", false)
	must.Succeed(t, err)
	if again := loaded(t, path); again.SHA256() != b.SHA256() {
		t.Error("the installed copy is another bundle")
	}
	graph := filepath.Join(dir, b.Manifest.Graphs[QueryGraph].File)
	write(t, graph, []byte("other"))
	_, err = b.Graph(QueryGraph)
	must.Fail(t, "a graph that was changed after the check", err, "sha256 is")
	must.Succeed(t, os.RemoveAll(dir))
	if _, err := b.Graph(ContextGraph); err == nil {
		t.Error("a graph of a folder that is gone")
	}
}

func TestLoadRefusesFilesOutside(t *testing.T) {
	dir := copied(t, "default")
	secret := filepath.Join(filepath.Dir(dir), "query.onnx")
	must.Succeed(t, os.Rename(filepath.Join(dir, "query.onnx"), secret))
	for _, target := range []string{"../query.onnx", secret} {
		link := filepath.Join(dir, "query.onnx")
		if err := os.Symlink(target, link); err != nil {
			t.Skip(err)
		}
		if _, err := Load(dir); err == nil {
			t.Errorf("a symbolic link to %s is followed", target)
		}
		os.Remove(link)
	}
}

func TestDamagedBundles(t *testing.T) {
	cases := []struct {
		name   string
		damage func(t *testing.T, files fstest.MapFS)
		want   string
	}{
		{"no manifest", func(_ *testing.T, f fstest.MapFS) { delete(f, manifestFile) },
			"manifest.json: the file is missing"},
		{"no graph", func(_ *testing.T, f fstest.MapFS) { delete(f, "query.onnx") },
			"query.onnx: the file is missing"},
		{"no golden", func(_ *testing.T, f fstest.MapFS) { delete(f, "golden.json") },
			"golden.json: the file is missing"},
		{"no licence", func(_ *testing.T, f fstest.MapFS) { delete(f, "LICENSE") },
			"LICENSE: the file is missing"},
		{"changed graph", func(_ *testing.T, f fstest.MapFS) { f["context.onnx"].Data[99] ^= 1 },
			"context.onnx: its sha256 is "},
		{"cut graph", func(_ *testing.T, f fstest.MapFS) {
			f["query.onnx"].Data = f["query.onnx"].Data[:5000]
		}, "query.onnx: its sha256 is "},
		{"swapped graphs", func(t *testing.T, f fstest.MapFS) {
			edit(t, f, manifestFile, "context.onnx", "tmp")
			edit(t, f, manifestFile, "query.onnx", "context.onnx")
			edit(t, f, manifestFile, `"tmp"`, `"query.onnx"`)
		}, "sha256 is "},
		{"folder for a file", func(_ *testing.T, f fstest.MapFS) {
			f["LICENSE"] = &fstest.MapFile{Mode: fs.ModeDir}
		}, "it is not a regular file"},
		{"long licence", func(_ *testing.T, f fstest.MapFS) {
			f["LICENSE"].Data = make([]byte, maxLicence+1)
		}, "larger than"},
		{"foreign graph", func(t *testing.T, f fstest.MapFS) {
			install(t, f, "query.onnx", model(graph(node("", "Relu"))))
		}, "inputs are [x]"},
		{"graph of integers", func(t *testing.T, f fstest.MapFS) {
			ints := message{}.Bytes(1, message{}.Uint(1, 7))
			g := message{}.Bytes(1, node("", "Relu"))
			for _, name := range []string{"X_train", "y_train"} {
				g = g.Bytes(11, message{}.Text(1, name).Bytes(2, ints))
			}
			g = g.Bytes(12, value("colkv.0")).Bytes(12, value("iclkv.0"))
			install(t, f, "context.onnx", model(g))
		}, `"X_train" is not a float32 tensor`},
		{"graphs that do not fit", func(t *testing.T, f fstest.MapFS) {
			g := message{}.Bytes(1, node("", "Relu"))
			for _, name := range []string{"X_test", "colkv.0", "iclkv.0"} {
				g = g.Bytes(11, value(name))
			}
			install(t, f, "query.onnx", model(g.Bytes(12, value("quantiles"))))
		}, "inputs are [X_test colkv.0 iclkv.0] instead of [X_test colkv.0 colkv.1 "},
		{"an output too many", func(t *testing.T, f fstest.MapFS) {
			f[manifestFile] = &fstest.MapFile{Data: edited(t, "", "surface", gone{})}
			delete(f, sumsFile)
		}, "outputs are [quantiles surface] instead of [quantiles]"},
		{"refused graph", func(t *testing.T, f fstest.MapFS) {
			install(t, f, "query.onnx", model(graph(node("evil", "Run"))))
		}, "the graph is refused: it uses the operator"},
		{"other opset", func(t *testing.T, f fstest.MapFS) {
			edit(t, f, manifestFile, `"opset": 17`, `"opset": 18`)
		}, "opset is 17, but the manifest says 18"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			files := mapOf(t, "default")
			c.damage(t, files)
			_, err := LoadFS(files, "test")
			var typed *Error
			if !errors.As(err, &typed) || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("error %q does not contain %q", err, c.want)
			}
			if typed.Hint == "" {
				t.Error("no hint")
			}
		})
	}
}
