package models

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/pfnamp/pfnamp/internal/atomicfile"
	"github.com/pfnamp/pfnamp/internal/panics"
	"github.com/pfnamp/pfnamp/internal/wire"
)

const (
	manifestFile = "manifest.json"
	maxManifest  = 1 << 20
	maxGolden    = 64 << 20
	maxLicence   = 1 << 20

	// keptGraph is the size in bytes up to which a bundle from a folder keeps a graph in memory. It
	// keeps a larger one until the first call of Graph.
	keptGraph = 8 << 20
)

// Bundle is a loaded and checked model bundle. It is safe for concurrent use.
type Bundle struct {
	Manifest Manifest
	Source   string // folder of the bundle, or "embedded"

	sha     string
	dir     string            // folder for reading larger graphs again, or ""
	files   map[string][]byte // files in memory, by path in the bundle
	graphs  map[string][]byte // graphs in memory
	once    sync.Map          // larger graphs as Load read them, until Graph or Forget
	sizes   map[string]int64  // bytes of every graph
	caches  []wire.Port       // inputs of the query graph behind the query rows
	golden  []byte
	borders []float32
	licence string
	sealed  bool
}

// Load reads and checks the bundle in a folder. It never reads files outside the folder, whatever
// the manifest or a symbolic link says. Every failure is an *Error.
func Load(dir string) (*Bundle, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, &Error{Bundle: dir, Msg: "cannot open the folder", Err: atomicfile.Cause(err),
			Hint: "name a folder with a " + manifestFile}
	}
	defer root.Close()
	b, err := loader{fsys: root.FS(), source: dir, dir: dir, kept: keptGraph,
		files: map[string][]byte{}}.load()
	if err == nil && !b.Manifest.Own() {
		b.Manifest.Companion, err = ForTask(b.Manifest.Task)
	}
	return b, err
}

// LoadFS reads and checks the bundle at the root of a file system. Errors call it source.
func LoadFS(fsys fs.FS, source string) (*Bundle, error) {
	return loader{fsys: fsys, source: source, kept: MaxGraphSize,
		files: map[string][]byte{}}.load()
}

// load reads and checks all files.
func (l loader) load() (*Bundle, error) {
	source := l.source
	data, err := l.read(manifestFile, maxManifest)
	if err != nil {
		return nil, err
	}
	manifest, err := parseManifest(data)
	if err != nil {
		return nil, &Error{Bundle: source, File: manifestFile, Msg: "the manifest is invalid", Err: err,
			Hint: "export the bundle again with scripts/export_onnx.py of this version"}
	}
	b := &Bundle{Manifest: manifest, Source: source, sha: digest(data), dir: l.dir, files: l.files,
		graphs: map[string][]byte{}, sizes: map[string]int64{}}
	if err := l.loadGraphs(b); err != nil {
		return nil, err
	}
	if b.golden, err = l.pinned(manifest.Golden, maxGolden); err != nil {
		return nil, err
	}
	if err := l.loadBorders(b); err != nil {
		return nil, err
	}
	licence, err := l.read(manifest.Licence.File, maxLicence)
	if err != nil {
		return nil, err
	}
	if b.licence = string(licence); strings.TrimSpace(b.licence) == "" {
		return nil, &Error{Bundle: source, File: manifest.Licence.File, Msg: "the licence is empty",
			Hint: "put the text of the weights' licence there"}
	}
	b.sealed, err = l.checkSums(map[string][]byte{
		manifestFile: data, manifest.Licence.File: licence})
	if err != nil {
		return nil, err
	}
	return b, nil
}

// Graph returns the bytes of a graph, such as ContextGraph. The graph has passed the gate, and
// its hash agrees with the manifest. The bundle does not keep a large graph of a folder after the
// first call, so that it is in memory only while the caller keeps it; a second call reads the file
// again. Do not change the bytes.
func (b *Bundle) Graph(name string) ([]byte, error) {
	if data, ok := b.graphs[name]; ok {
		return data, nil
	}
	if data, ok := b.once.LoadAndDelete(name); ok {
		return data.([]byte), nil
	}
	file, ok := b.Manifest.Graphs[name]
	if !ok {
		return nil, &Error{Bundle: b.Source, Msg: fmt.Sprintf("the bundle has no graph %q", name)}
	}
	root, err := os.OpenRoot(b.dir)
	if err != nil {
		return nil, &Error{Bundle: b.Source, Msg: "cannot open the folder again",
			Err: atomicfile.Cause(err)}
	}
	defer root.Close()
	l := loader{fsys: root.FS(), source: b.Source, files: map[string][]byte{}}
	return l.pinned(file, MaxGraphSize)
}

// Forget frees the memory of large graphs that Load has read and Graph has not returned. Graph then
// reads their files again.
func (b *Bundle) Forget() { b.once.Clear() }

// Caches returns the inputs of the query graph that the context graph computes, in order: float32
// tensors. Do not change them.
func (b *Bundle) Caches() []wire.Port { return b.caches }

// Golden returns the golden vectors of the bundle, golden.json, as the exporter wrote them. Do not
// change the bytes.
func (b *Bundle) Golden() []byte { return b.golden }

// SHA256 returns the hash of the manifest in hexadecimal. It identifies the model, because the
// manifest has the hashes of graphs and golden vectors.
func (b *Bundle) SHA256() string { return b.sha }

// Licence returns the text of the licence of the weights.
func (b *Bundle) Licence() string { return b.licence }

// Size returns the bytes of the context graph and the query graph.
func (b *Bundle) Size() int64 { return b.sizes[ContextGraph] + b.sizes[QueryGraph] }

// GraphSize returns the size of a graph in bytes, or 0 if the bundle has no graph of that name.
func (b *Bundle) GraphSize(name string) int64 { return b.sizes[name] }

// HierarchySize returns the bytes of the graphs that replace them if a classifier has more classes
// than outputs, 0 if there are none.
func (b *Bundle) HierarchySize() int64 {
	all := int64(0)
	for _, size := range b.sizes {
		all += size
	}
	return all - b.Size()
}

// loader reads the files of one bundle.
type loader struct {
	fsys   fs.FS
	source string
	dir    string            // folder for reading graphs larger than kept again
	kept   int               // largest size of a graph in memory, in bytes
	files  map[string][]byte // files in memory
}

// read returns a regular file of at most limit bytes.
func (l loader) read(name string, limit int64) ([]byte, error) {
	fail := func(msg string, err error) error {
		return &Error{Bundle: l.source, File: name, Msg: msg, Err: atomicfile.Cause(err),
			Hint: "copy the whole bundle again"}
	}
	info, err := fs.Stat(l.fsys, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fail("the file is missing", nil)
	}
	if err != nil {
		return nil, fail("cannot read the file", err)
	}
	if !info.Mode().IsRegular() {
		return nil, fail("it is not a regular file", nil)
	}
	f, err := l.fsys.Open(name)
	if err != nil {
		return nil, fail("cannot open the file", err)
	}
	defer f.Close()
	data := make([]byte, min(info.Size(), limit)+1)
	n, err := io.ReadFull(f, data)
	switch {
	case err == nil:
		return nil, fail(fmt.Sprintf("the file is larger than %d bytes", n-1), nil)
	case !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF):
		return nil, fail("cannot read", err)
	case int64(n) < info.Size():
		return nil, fail("the file ends early", nil)
	}
	data = data[:n]
	l.files[name] = data
	return data, nil
}

func (l loader) pinned(f File, limit int64) ([]byte, error) {
	data, err := l.read(f.File, limit)
	if err != nil {
		return nil, err
	}
	if got := digest(data); got != f.SHA256 {
		return nil, &Error{Bundle: l.source, File: f.File,
			Msg:  fmt.Sprintf("its sha256 is %s, but the manifest says %s", got, f.SHA256),
			Hint: "the file was changed or cut short: copy the whole bundle again"}
	}
	return data, nil
}

// loadGraphs reads all graphs, at the same time because hashing takes longest, and checks them.
func (l loader) loadGraphs(b *Bundle) error {
	names := b.Manifest.graphNames()
	graphs, errs := make([][]byte, len(names)), make([]error, len(names))
	var jobs errgroup.Group
	jobs.SetLimit(runtime.GOMAXPROCS(0))
	for i, name := range names {
		alone := l
		alone.files = map[string][]byte{} // a map is not safe for concurrent use
		jobs.Go(panics.Job(func() error {
			graphs[i], errs[i] = alone.pinned(b.Manifest.Graphs[name], MaxGraphSize)
			return nil
		}))
	}
	if err := jobs.Wait(); err != nil {
		return err
	}
	var cache []string // outputs of the context graph, which is the first
	for i, name := range names {
		if errs[i] != nil {
			return errs[i]
		}
		file := b.Manifest.Graphs[name]
		g, err := inspectGraph(graphs[i])
		if err == nil {
			if name == ContextGraph {
				cache = families[b.Manifest.Family].caches(g.outputs)
			}
			err = g.agrees(name, &b.Manifest, cache)
		}
		if err != nil {
			return &Error{Bundle: l.source, File: file.File, Msg: "the graph is refused", Err: err,
				Hint: "export it again with scripts/export_onnx.py"}
		}
		if name == QueryGraph {
			b.caches = g.inputs[1:]
		}
		if b.sizes[name] = int64(len(graphs[i])); len(graphs[i]) > l.kept {
			b.once.Store(name, graphs[i])
		} else {
			b.graphs[name], l.files[file.File] = graphs[i], graphs[i]
		}
	}
	return nil
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// sumsFile has the hashes of the manifest and the licence, which no other file of a bundle has. It
// has the format of the command sha256sum, so that `sha256sum -c SHA256SUMS` checks it too.
const sumsFile = "SHA256SUMS"

// Sealed reports whether the bundle has SHA256SUMS, which then agrees with its manifest and
// licence. Without that file nothing detects a change of the manifest, for example of the scale of
// its surface.
func (b *Bundle) Sealed() bool { return b.sealed }

// checkSums compares files with SHA256SUMS and reports whether there is this file.
func (l loader) checkSums(content map[string][]byte) (sealed bool, err error) {
	if _, err := fs.Lstat(l.fsys, sumsFile); errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	data, err := l.read(sumsFile, maxManifest)
	if err != nil {
		return false, err
	}
	sums := map[string]string{}
	for line := range strings.Lines(string(data)) {
		sum, name, found := strings.Cut(strings.TrimRight(line, "\n"), "  ")
		if _, needed := content[name]; !found || !needed {
			return false, &Error{Bundle: l.source, File: sumsFile,
				Msg: fmt.Sprintf("the line %q is not the hash of the manifest or the licence",
					line), Hint: sealHint}
		}
		sums[name] = sum
	}
	for name, data := range content {
		if got := digest(data); got != sums[name] {
			return false, &Error{Bundle: l.source, File: name, Hint: sealHint,
				Msg: fmt.Sprintf("its sha256 is %s, but %s says %q", got, sumsFile, sums[name])}
		}
	}
	return true, nil
}

const sealHint = "the file changed after the export of the bundle: copy the whole bundle again"
