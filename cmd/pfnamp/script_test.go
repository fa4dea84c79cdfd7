package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/pfnamp/pfnamp/internal/orttest"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"pfnamp": func() { os.Exit(mainStatus()) },
	})
}

// racedScripts are those whose programs are built with the race detector where the tests are.
var racedScripts = []string{"joint"}

// plainProgram builds the program without the race detector, which would make the hundreds of
// programs that scripts start four times slower, and returns its folder. What goroutines share is
// tested in this process and in those of racedScripts.
func plainProgram(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	out, err := exec.Command("go", "build", "-o", dir, ".").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return dir
}

// TestScripts runs testdata/script/*.txtar: what the program says and does,
// case by case. `go test ./cmd/pfnamp -update` rewrites the goldens.
func TestScripts(t *testing.T) {
	library, plain := orttest.Library(t), ""
	if raced {
		plain = plainProgram(t)
	}
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
			script := strings.TrimPrefix(filepath.Base(env.WorkDir), "script-")
			if raced && !slices.Contains(racedScripts, script) {
				env.Setenv("PATH", plain+string(os.PathListSeparator)+env.Getenv("PATH"))
			}
			env.Setenv("XDG_CACHE_HOME", filepath.Join(env.WorkDir, ".cache"))
			env.Setenv("XDG_DATA_HOME", filepath.Join(env.WorkDir, ".data"))
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"status":  cmdStatus,
			"table":   cmdTable,
			"columns": cmdColumns, "probabilities": cmdProbabilities, "narrower": cmdNarrower,
			"same": cmdSame,
			"tail": cmdTail, "cut": cmdCut, "flip": cmdFlip,
			"copy": cmdCopy, "replace": cmdReplace, "untimed": cmdUntimed, "hostile": cmdHostile,
		},
	})
}
