package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/pfnamp/pfnamp/internal/diskfault"
	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/internal/orttest"
)

// killsVariable says how often each command is killed; `make test-kill` asks for 200.
const killsVariable = "PFNAMP_KILLS"

// aProgram is a command that is killed again and again.
type aProgram struct {
	t    *testing.T
	path string
	dir  string
	args []string
}

// command prepares the command.
func (p aProgram) command() *exec.Cmd {
	c := exec.Command(p.path, p.args...)
	c.Dir = p.dir
	c.Env = append(os.Environ(), "XDG_DATA_HOME="+filepath.Join(p.dir, "data"))
	return c
}

// run runs it to its end.
func (p aProgram) run() {
	p.t.Helper()
	if out, err := p.command().CombinedOutput(); err != nil {
		p.t.Fatalf("%v: %v\n%s", p.args, err, out)
	}
}

// kill runs it and kills it at a random moment before its usual end, as often as asked for; check
// looks at what it leaves. A last run comes to its end.
func (p aProgram) kill(check func()) {
	p.t.Helper()
	p.run()
	start := time.Now()
	p.run()
	usual := time.Since(start)
	kills := 6
	if asked, err := strconv.Atoi(os.Getenv(killsVariable)); err == nil {
		kills = asked
	}
	left, ended := 0, 0
	for killed := 0; killed < kills; {
		c := p.command()
		start := time.Now()
		if err := c.Start(); err != nil {
			p.t.Fatal(err)
		}
		time.Sleep(time.Duration(rand.Int64N(int64(usual))))
		_ = c.Process.Kill()
		if c.Wait() != nil {
			killed++
		} else { // it was faster than usual
			usual, ended = min(usual, time.Since(start)), ended+1
		}
		check()
		left += p.left()
	}
	p.run()
	check()
	if n := p.left(); n > 0 {
		p.t.Errorf("%v: the last run leaves %d files or folders", p.args, n)
	}
	p.t.Logf("%v: %d killed within %v, %d came to their end, %d left before the next one", p.args,
		kills, usual, ended, left)
}

// left counts temporary names, and makes them look old: the next run removes only old ones.
func (p aProgram) left() int {
	n, old := 0, time.Now().Add(-time.Hour)
	for name := range diskfault.Files(p.t, p.dir) {
		if strings.Contains(name, "/.") || strings.HasPrefix(name, ".") {
			n++
			_ = os.Chtimes(filepath.Join(p.dir, name), old, old)
		}
	}
	return n
}

// TestKilled kills the program.
func TestKilled(t *testing.T) {
	t.Setenv("PFNAMP_ORT_LIB", orttest.Library(t))
	t.Setenv("PFNAMP_MODEL", testdataPath(t, "tiny"))
	program := theProgram(t)
	t.Run("predict", func(t *testing.T) { killPredictions(t, program) })
	t.Run("import", func(t *testing.T) { killImports(t, program) })
}

// killPredictions kills predictions: their outputs are those of before or complete, and the
// table, which appears last, never without the summary.
func killPredictions(t *testing.T, program string) {
	p := aProgram{t, program, t.TempDir(), strings.Fields("predict t.csv q.csv -y y " +
		"--chains 20 --steps 5 --threads 1 -q -o o.parquet --summary s.csv")}
	for name, text := range map[string]string{
		"t.csv": "a,y\n1,2\n2,3\n3,5\n4,4\n", "q.csv": "a\n1\n2\n3\n",
	} {
		must.Succeed(t, os.WriteFile(filepath.Join(p.dir, name), []byte(text), 0o600))
	}
	p.run()
	after := diskfault.Files(t, p.dir)
	old := map[string]string{"o.parquet": "old table", "s.csv": "old summary"}
	p.kill(func() {
		got := diskfault.Files(t, p.dir)
		for name, before := range old {
			if got[name] != before && got[name] != after[name] {
				t.Errorf("%s holds %.100q", name, got[name])
			}
		}
		if got["o.parquet"] == after["o.parquet"] && got["s.csv"] != after["s.csv"] {
			t.Error("the table appeared without the summary")
		}
		for name, before := range old {
			must.Succeed(t, os.WriteFile(filepath.Join(p.dir, name), []byte(before), 0o600))
		}
	})
}

// killImports kills imports that replace a bundle: there is always one, and it is complete. Between
// two renames the old one has another name.
func killImports(t *testing.T, program string) {
	tiny := testdataPath(t, "tiny")
	p := aProgram{t, program, t.TempDir(), []string{"models", "import", tiny, "--name", "mine",
		"--force", "--no-verify"}}
	p.run()
	home := filepath.Join(p.dir, "data", "pfnamp", "models", "mine")
	after := diskfault.Files(t, home)
	p.kill(func() {
		place := home
		if _, err := os.Stat(home); err != nil {
			place = filepath.Join(filepath.Dir(home), ".mine.old")
		}
		got := diskfault.Files(t, place)
		if fmt.Sprint(got) != fmt.Sprint(after) {
			t.Errorf("the bundle holds %d files", len(got))
		}
	})
	if out, err := exec.Command(p.path, "models", "verify", home).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
