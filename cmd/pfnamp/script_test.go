package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/internal/orttest"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"pfnamp": func() { os.Exit(mainStatus()) },
	})
}

// withoutRace skips a test under the race detector, which would make hundreds of commands four
// times slower: `make test` runs it without. What goroutines share is tested by the others and by
// the script joint.
func withoutRace(t *testing.T) {
	if raced {
		t.Skip("it runs without the race detector")
	}
}

// theProgram is the path of the program of TestMain.
func theProgram(t *testing.T) string {
	t.Helper()
	withoutRace(t)
	path, err := exec.LookPath("pfnamp")
	must.Succeed(t, err)
	return path
}

// TestScripts runs testdata/script/*.txtar: what the program says and does,
// case by case. `go test ./cmd/pfnamp -update` rewrites the goldens.
func TestScripts(t *testing.T) {
	library := orttest.Library(t)
	data, err := filepath.Abs(filepath.Join("..", "..", "testdata"))
	must.Succeed(t, err)
	scripts := "*"
	if raced {
		scripts = "joint"
	}
	files, err := filepath.Glob(filepath.Join("testdata", "script", scripts+".txtar"))
	must.Succeed(t, err)
	testscript.Run(t, testscript.Params{
		Files:         files,
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
			"columns": cmdColumns, "probabilities": cmdProbabilities, "narrower": cmdNarrower,
			"cut": cmdCut, "flip": cmdFlip, "replace": cmdReplace, "untimed": cmdUntimed,
			"hostile": cmdHostile,
		},
	})
}
