package main

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/pfnamp/pfnamp"

// allowed lists, for each folder, the folders of this module that its
// non-test code may import.
var allowed = map[string][]string{
	".": {"amp", "conformal", "drift", "folds", "heldout", "internal/panics",
		"internal/rows", "internal/strictjson", "models", "pfn", "reading", "tabular",
		"tabular/govalues", "warning"},
	"amp":      {"internal/panics"},
	"batching": {".", "internal/panics", "tabular"},
	"check": {".", "drift", "evaluate", "internal/panics", "internal/rows", "models", "pfn",
		"tabular", "warning"},
	"cmd/pfnamp": {".", "amp", "check", "drift", "evaluate", "evaluate/paper",
		"explain", "folds", "forecast", "heldout", "internal/atomicfile",
		"internal/descriptors", "internal/nearest", "internal/panics",
		"internal/plain", "joint", "models", "next", "pfn", "reading", "report",
		"serve", "serve/hosted", "tabular", "warning"},
	"conformal": {"folds"},
	"drift":     {"internal/matrix"},
	"evaluate": {"amp", "folds", "internal/atomicfile", "internal/matrix",
		"internal/panics"},
	"evaluate/paper":   {"amp", "evaluate"},
	"examples/arrow":   {".", "pfn", "tabular"},
	"examples/labels":  {".", "models", "pfn"},
	"examples/ppd":     {"amp"},
	"examples/service": {".", "batching", "tabular"},
	"explain": {".", "amp", "folds", "internal/donors", "internal/panics",
		"joint", "pfn", "tabular"},
	"folds":    nil,
	"forecast": {"amp", "pfn", "tabular"},
	"heldout": {"amp", "conformal", "drift", "folds", "pfn", "reading",
		"tabular"},
	"internal/descriptors":  nil,
	"internal/diskfault":    {"internal/atomicfile"},
	"internal/donors":       {"internal/matrix"},
	"internal/kriging":      {"internal/matrix"},
	"internal/matrix":       nil,
	"internal/nearest":      nil,
	"internal/numberscript": nil,
	"internal/orttest":      {"internal/wire"},
	"internal/panics":       nil,
	"internal/plain":        nil,
	"internal/rows":         {"internal/matrix"},
	"internal/strictjson":   nil,
	"internal/wire":         nil,
	"joint":                 {".", "amp", "internal/panics", "pfn", "tabular"},
	"models":                {"internal/atomicfile", "internal/panics", "internal/strictjson"},
	"models/pack":           {"models"},
	"next":                  {".", "amp", "folds", "internal/kriging", "joint", "pfn"},
	"pfn": {"internal/matrix", "internal/panics", "internal/strictjson", "models",
		"pfn/internal/golden", "pfn/internal/half", "pfn/internal/nori", "pfn/internal/ort",
		"pfn/internal/quantized", "pfn/internal/tabicl", "pfn/internal/tabpfn", "pfn/internal/trend"},
	"pfn/internal/golden": {"internal/matrix", "internal/strictjson", "models"},
	"pfn/internal/half":   nil,
	"pfn/internal/nori": {"internal/matrix", "internal/panics", "pfn/internal/pyrand",
		"pfn/internal/tabpfn", "pfn/internal/yeojohnson"},
	"pfn/internal/ort":       {"internal/atomicfile", "internal/panics", "internal/wire"},
	"pfn/internal/pyrand":    nil,
	"pfn/internal/quantized": {"internal/wire", "pfn/internal/half"},
	"pfn/internal/tabicl": {"internal/matrix", "internal/rows", "pfn/internal/pyrand",
		"pfn/internal/trend", "pfn/internal/yeojohnson"},
	"pfn/internal/tabpfn": {"internal/matrix", "internal/panics",
		"pfn/internal/pyrand", "pfn/internal/yeojohnson"},
	"pfn/internal/trend":      {"internal/matrix", "internal/panics"},
	"pfn/internal/yeojohnson": nil,
	"reading": {"amp", "conformal", "internal/donors", "internal/panics",
		"internal/rows", "models", "pfn"},
	"report": {"evaluate", "evaluate/paper", "internal/numberscript",
		"internal/plain"},
	"scripts/tools/sbom":  {".", "models"},
	"scripts/tools/words": nil,
	"serve": {".", "batching", "check", "internal/numberscript",
		"internal/panics", "pfn", "serve/hosted", "serve/internal/oip",
		"serve/internal/oippb", "serve/internal/refusal", "tabular", "warning"},
	"serve/hosted": {".", "amp", "pfn", "serve/internal/oip",
		"serve/internal/refusal", "tabular", "warning"},
	"serve/internal/oip":     nil,
	"serve/internal/oippb":   nil,
	"serve/internal/refusal": nil,
	"tabular": {"internal/atomicfile", "internal/matrix", "internal/nearest", "internal/rows",
		"internal/strictjson", "tabular/internal/arrow", "tabular/internal/csv",
		"tabular/internal/ground", "tabular/internal/jsonl",
		"tabular/internal/parquet", "tabular/internal/parquetguard",
		"tabular/internal/workbook"},
	"tabular/govalues": {"tabular"},
	"tabular/internal/arrow": {"tabular/internal/arrowguard",
		"tabular/internal/ground"},
	"tabular/internal/arrowguard": nil,
	"tabular/internal/csv":        {"tabular/internal/ground"},
	"tabular/internal/ground":     {"tabular/internal/arrowguard"},
	"tabular/internal/jsonl":      {"tabular/internal/ground"},
	"tabular/internal/parquet": {"tabular/internal/arrowguard",
		"tabular/internal/ground", "tabular/internal/parquetguard"},
	"tabular/internal/parquetguard": nil,
	"tabular/internal/workbook":     {"tabular/internal/ground"},
	"warning":                       {"amp", "tabular"},
}

// confined lists the only folders that may import a package.
var confined = map[string][]string{
	"github.com/yalue/onnxruntime_go": {"pfn/internal/ort"},
	"github.com/urfave/cli/v2":        {"cmd/pfnamp"},
	"C":                               {"internal/descriptors", "pfn/internal/ort"},
}

func TestImportsFollowTheArchitecture(t *testing.T) {
	seen := map[string]bool{}
	for file, imports := range sources(t) {
		folder := filepath.ToSlash(filepath.Dir(file))
		seen[folder] = true
		for _, path := range imports {
			if own, ok := folderOf(path); ok && !slices.Contains(allowed[folder], own) {
				t.Errorf("%s imports %s: an arrow that the architecture does not have", file, own)
			}
			if only, ok := confined[path]; ok && !slices.Contains(only, folder) {
				t.Errorf("%s imports %s, which only %v may", file, path, only)
			}
		}
	}
	for folder := range allowed {
		if !seen[folder] {
			t.Errorf("folder %s is listed but has no code", folder)
		}
	}
}

// folderOf is the folder of a package of this module, "." for the root.
func folderOf(path string) (folder string, ok bool) {
	if path == module {
		return ".", true
	}
	return strings.CutPrefix(path, module+"/")
}

func TestNoCatchAllNames(t *testing.T) {
	banned := []string{"util", "utils", "common", "helper", "helpers", "misc", "types", "base"}
	for file := range sources(t) {
		folder, name := filepath.Split(strings.TrimSuffix(file, ".go"))
		if slices.Contains(banned, name) || slices.Contains(banned, filepath.Base(folder)) {
			t.Errorf("%s: the name does not say what is inside", file)
		}
	}
}

// sources maps every non-test Go file, relative to the module, to its imports.
func sources(t *testing.T) map[string][]string {
	t.Helper()
	root := filepath.Join("..", "..")
	found := map[string][]string{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && slices.Contains([]string{".git", "build", "dist", "testdata"}, d.Name()) {
			return fs.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		found[name] = []string{}
		for _, spec := range file.Imports {
			importPath, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			found[name] = append(found[name], importPath)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestOnlyServeUsesTheNetwork: nothing but the server and the example of one, or a dependency,
// could open a connection.
func TestOnlyServeUsesTheNetwork(t *testing.T) {
	for file, imports := range sources(t) {
		for _, path := range imports {
			serves := strings.HasPrefix(file, "serve/") || strings.HasPrefix(file, "examples/service/")
			if (path == "net" || strings.HasPrefix(path, "net/")) && !serves {
				t.Errorf("%s imports %s", file, path)
			}
		}
	}
}
