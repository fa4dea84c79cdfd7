package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/pfnamp/pfnamp/internal/orttest"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"pfnamp": func() { os.Exit(mainStatus()) },
	})
}

// TestScripts runs testdata/script/*.txtar: what the program says and does,
// case by case. `go test ./cmd/pfnamp -update` rewrites the goldens.
func TestScripts(t *testing.T) {
	library := orttest.Library(t)
	data, err := filepath.Abs(filepath.Join("..", "..", "testdata"))
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:           filepath.Join("testdata", "script"),
		UpdateScripts: os.Getenv("UPDATE_SCRIPTS") != "",
		Setup: func(env *testscript.Env) error {
			env.Setenv("PFNAMP_ORT_LIB", library)
			env.Setenv("TESTDATA", data)
			env.Setenv("XDG_CACHE_HOME", filepath.Join(env.WorkDir, ".cache"))
			env.Setenv("XDG_DATA_HOME", filepath.Join(env.WorkDir, ".data"))
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"status":  cmdStatus,
			"table":   cmdTable,
			"columns": cmdColumns, "probabilities": cmdProbabilities, "narrower": cmdNarrower, "cut": cmdCut, "flip": cmdFlip,
			"copy": cmdCopy, "replace": cmdReplace,
		},
	})
}
