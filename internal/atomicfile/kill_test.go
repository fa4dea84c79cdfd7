//go:build unix

package atomicfile_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/pfnamp/pfnamp/internal/atomicfile"
	"github.com/pfnamp/pfnamp/internal/diskfault"
)

// Environment of the child process: the folder to write to, the first round, the number of rounds.
const childFolder, childFirst, childRounds = "PFNAMP_TEST_FOLDER", "PFNAMP_TEST_FIRST",
	"PFNAMP_TEST_ROUNDS"

// names are the files that a round writes together, in the order in which they appear.
var names = []string{"a", "sub/b", "out"}

// content is what a round writes: its number on every line.
func content(round int) []byte {
	return bytes.Repeat(fmt.Appendln(nil, round), 5000)
}

// roundOf is the number of the round that has written a file, -1 if there is none.
func roundOf(t *testing.T, path string) int {
	t.Helper()
	data, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return -1
	}
	line, _, _ := bytes.Cut(data, []byte("\n"))
	round, err2 := strconv.Atoi(string(line))
	if err != nil || err2 != nil || !bytes.Equal(data, content(round)) {
		t.Errorf("%s: %d bytes that are not of one round: %v, %v", path, len(data), err, err2)
	}
	return round
}

// TestKillChild is the child process of TestKilled; in the parent it does nothing.
func TestKillChild(t *testing.T) {
	folder := os.Getenv(childFolder)
	if folder == "" {
		t.Skip("the child process of another test")
	}
	first, _ := strconv.Atoi(os.Getenv(childFirst))
	rounds, _ := strconv.Atoi(os.Getenv(childRounds))
	for round := range rounds {
		if err := writeRound(folder, first+round); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
	}
}

// writeRound replaces three files together, then a folder.
func writeRound(folder string, round int) error {
	var files []*atomicfile.File
	for _, name := range names {
		file, err := atomicfile.Create(filepath.Join(folder, name))
		if err != nil {
			return err
		}
		if _, err := file.Write(content(round)); err != nil {
			return err
		}
		files = append(files, file)
	}
	if err := atomicfile.Commit(files...); err != nil {
		return err
	}
	fill := func(f *atomicfile.Folder) error {
		return errors.Join(f.WriteFile("x", content(round)), f.WriteFile("y/z", content(round)))
	}
	return atomicfile.WriteFolder(filepath.Join(folder, "bundle"), true, fill)
}

// child prepares a child process.
func child(folder string, first, rounds int) *exec.Cmd {
	c := exec.Command(os.Args[0], "-test.run=^TestKillChild$")
	c.Env = append(os.Environ(), childFolder+"="+folder, fmt.Sprint(childFirst, "=", first),
		fmt.Sprint(childRounds, "=", rounds))
	return c
}

// TestKilled kills a process that writes files, at random moments: what is there is complete, the
// files are of one round or, between two renames, the first ones of the next; and the next process
// leaves nothing behind.
func TestKilled(t *testing.T) {
	kills := 100
	if testing.Short() {
		kills = 20
	}
	folder, left := t.TempDir(), 0
	if err := os.Mkdir(filepath.Join(folder, "sub"), 0o700); err != nil {
		t.Fatal(err)
	}
	rounds, installed := []int{-1, -1, -1}, -1
	for i := range kills {
		c := child(folder, i<<20, 1<<20)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(rand.Int64N(int64(60 * time.Millisecond))))
		_ = c.Process.Kill()
		if c.Wait() == nil {
			t.Fatal("the child process was not killed")
		}
		rounds = checkTogether(t, folder, i<<20, rounds)
		installed = checkBundle(t, folder, installed)
		left += len(leftovers(t, folder))
	}
	if out, err := child(folder, 1<<30, 1).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if rest := leftovers(t, folder); len(rest) > 0 {
		t.Errorf("the next process leaves %q", rest)
	}
	t.Logf("%d left by %d processes", left, kills)
}

// checkTogether checks what a process that began with a round has left of files that were of other
// rounds before, and returns the rounds: all are of one round, or the first ones of the next.
func checkTogether(t *testing.T, folder string, first int, before []int) []int {
	t.Helper()
	var rounds []int
	made := 0
	for i, name := range names {
		rounds = append(rounds, roundOf(t, filepath.Join(folder, name)))
		if rounds[i] != before[i] {
			made++
		}
	}
	a, b, out := rounds[0], rounds[1], rounds[2]
	sound := slices.Equal(rounds[made:], before[made:])
	if made < len(names) {
		sound = sound && (made < 1 || a == first) && (made < 2 || b == first)
	} else {
		sound = a >= b && b >= out && a-out <= 1 && out >= first
	}
	if !sound {
		t.Errorf("%v are of rounds %v, and were of %v", names, rounds, before)
	}
	return rounds
}

// checkBundle checks that a folder is of one round, not before one that was seen, and returns it.
func checkBundle(t *testing.T, folder string, seen int) int {
	t.Helper()
	bundle := filepath.Join(folder, "bundle")
	if _, err := os.Stat(bundle); err != nil {
		bundle = filepath.Join(folder, ".bundle.old")
	}
	x, z := roundOf(t, filepath.Join(bundle, "x")), roundOf(t, filepath.Join(bundle, "y", "z"))
	if x != z || x < seen {
		t.Errorf("the folder is of rounds %d and %d, and was of %d", x, z, seen)
	}
	return x
}

// leftovers are the temporary names in a folder and those below.
func leftovers(t *testing.T, folder string) []string {
	var found []string
	for name := range diskfault.Files(t, folder) {
		if strings.HasPrefix(filepath.Base(name), ".") {
			found = append(found, name)
		}
	}
	return found
}
