package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/stdio"
	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/internal/orttest"
)

// elsewhere are beginnings of commands on pages that no test here can run, with the reason. Those
// of the program are parsed all the same.
var elsewhere = map[string]string{
	"make ":                  "targets of their own: CI runs build, demo and test",
	"pip install ":           "downloads: make test-wheels installs the wheel",
	"go mod ":                "TestReadmeProgram runs the program of the page from its own folder",
	"PFNAMP_ORT_LIB=../":     "TestReadmeProgram runs the program of the page from its own folder",
	"seq 8 | parallel":       "needs GNU parallel",
	"mkdir -p parts && ":     "needs Slurm: make test-slurm",
	"duckdb ":                "needs DuckDB",
	"pfnamp serve ":          "runs until it is stopped: the tests of package serve, make test-serve",
	"curl ":                  "asks a running server: the tests of package serve, make test-serve",
	"python3.11 -m venv":     "downloads packages: make parity exports networks",
	".venv-tabicl/bin/":      "needs packages and an official checkpoint",
	"pfnamp models import b": "needs a bundle of an official network",
	"pfnamp doctor --device": "needs a card: make gpu-check",
	"pfnamp predict train.csv test.csv --target y --model tabicl-v2":  "needs an official network",
	"pfnamp predict large.csv test.csv --target y --model tabicl-v2 ": "needs an official network",
	"pfnamp predict train.csv test.csv --target y --device cuda ":     "needs a card",
}

// pageCommand is a command that a page shows in a block of a shell.
type pageCommand struct {
	line string
	skip string // why it is not run
}

var (
	shellBlock = regexp.MustCompile("(?ms)^```(sh|console)\n(.*?)^```$")
	pageTarget = regexp.MustCompile(`(?:-y|--target) (\w+)`)
)

// pageCommands lists the commands of a page, in their order. Lines that end in a backslash go on;
// of a console only what follows a prompt is a command.
func pageCommands(t *testing.T, page string) []pageCommand {
	t.Helper()
	var all []pageCommand
	for _, block := range shellBlock.FindAllStringSubmatch(string(readFile(t, page)), -1) {
		text := strings.ReplaceAll(block[2], "\\\n", " ")
		for line := range strings.Lines(text) {
			line = strings.TrimSpace(line)
			command, prompted := strings.CutPrefix(line, "$ ")
			if line == "" || line[0] == '#' || block[1] == "console" && !prompted {
				continue
			}
			found := pageCommand{line: command}
			for start, reason := range elsewhere {
				if strings.HasPrefix(command, start) {
					found.skip = reason
				}
			}
			all = append(all, found)
		}
	}
	return all
}

// pagesOf lists the pages in folders of docs.
func pagesOf(t *testing.T, folders ...string) []string {
	t.Helper()
	var pages []string
	for _, folder := range folders {
		found, err := filepath.Glob(filepath.Join("..", "..", "docs", folder, "*.md"))
		must.Succeed(t, err)
		pages = append(pages, found...)
	}
	return pages
}

// TestPageCommands runs the commands of the guide and the reference, page by page, in a shell and
// in a folder with the files that the page names.
func TestPageCommands(t *testing.T) {
	withoutRace(t)
	library := orttest.Library(t)
	root, err := filepath.Abs(filepath.Join("..", ".."))
	must.Succeed(t, err)
	for _, page := range pagesOf(t, "guide", "reference") {
		commands := pageCommands(t, page)
		t.Run(filepath.Base(page), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			env := append(os.Environ(), "PFNAMP_ORT_LIB="+library, "PFNAMP_MODEL=",
				"JOB_COMPLETION_INDEX=0", "XDG_DATA_HOME="+dir, "XDG_CACHE_HOME="+dir)
			inShell := func(command string) {
				t.Helper()
				cmd := exec.Command("sh", "-euc", command)
				cmd.Dir, cmd.Env = dir, env
				out, err := cmd.CombinedOutput()
				refused := strings.Contains(command, "--precision int8") &&
					strings.Contains(string(out), "which this processor lacks")
				if err != nil && !refused {
					t.Errorf("%s: %v\n%s", command, err, out)
				}
			}
			writePageTables(t, dir, root, commands)
			prepare := preparations(commands)
			for _, command := range append(prepare, commands...) {
				if command.skip == "" {
					inShell(command.line)
				}
			}
		})
	}
}

// TestPageCommandsParse: commands of the program that no test runs, on all pages, have flags that
// it has and values that they may have. Only the files are missing.
func TestPageCommandsParse(t *testing.T) {
	pages := repositoryFiles(t, ".md")
	ran := pagesOf(t, "guide", "reference")
	seen := map[string]bool{}
	t.Setenv("PFNAMP_ORT_LIB", orttest.Library(t))
	var all []pageCommand
	for i, page := range append(ran, pages...) {
		for _, c := range pageCommands(t, page) {
			if c.skip == "" && i < len(ran) {
				seen[c.line] = true // it runs
			}
			all = append(all, c)
		}
	}
	t.Chdir(t.TempDir())
	parsed := 0
	for _, c := range all {
		line, _, _ := strings.Cut(strings.TrimPrefix(c.line, "build/bin/"), " #")
		args, ok := strings.CutPrefix(line, "pfnamp ")
		if !ok || seen[c.line] || strings.ContainsAny(args, "$|") {
			continue
		}
		parsed++
		seen[c.line] = true
		status, _, message := runCommand(t, args)
		if status == fault.ExitUsage || status == fault.ExitOK {
			t.Errorf("pfnamp %s: status %d\n%s", args, status, message)
		}
	}
	if parsed < 5 {
		t.Errorf("%d commands found", parsed)
	}
}

// otherFlags are flags of Slurm, whose commands pages name.
var otherFlags = []string{"--gres"}

var (
	longFlag   = regexp.MustCompile("(?:^|[ `(|])(--[a-z][a-z0-9-]+)")
	scriptFlag = regexp.MustCompile(`"--([a-z][a-z-]+)"|"(max_[a-z]+)":`)
	exporters  = "docs/reference/bundle.md" // speaks of flags of scripts, too
)

// TestPagesNameFlags: every flag in the prose of README, guide, reference and design is one of the
// program, or of the scripts that make bundles.
func TestPagesNameFlags(t *testing.T) {
	known := append([]string{"--help"}, otherFlags...)
	var add func(commands []*cli.Command)
	add = func(commands []*cli.Command) {
		for _, command := range commands {
			for _, flag := range command.Flags {
				for _, name := range flag.Names() {
					known = append(known, "--"+name)
				}
			}
			add(command.Subcommands)
		}
	}
	add(newApp(stdio.Streams{}).Commands)
	var ofScripts []string
	for _, file := range repositoryFiles(t, ".py") {
		for _, match := range scriptFlag.FindAllStringSubmatch(string(readFile(t, file)), -1) {
			ofScripts = append(ofScripts, "--"+strings.ReplaceAll(match[1]+match[2], "_", "-"))
		}
	}
	pages := pagesOf(t, "guide", "reference", "design")
	pages = append(pages, filepath.Join("..", "..", "README.md"))
	for _, page := range pages {
		allowed := known
		if strings.HasSuffix(filepath.ToSlash(page), exporters) {
			allowed = slices.Concat(known, ofScripts)
		}
		for _, span := range codeSpan.FindAllString(proseOf(t, page), -1) {
			for _, match := range longFlag.FindAllStringSubmatch(span, -1) {
				if !slices.Contains(allowed, match[1]) {
					t.Errorf("%s: %s: no command has the flag %s", page, span, match[1])
				}
			}
		}
	}
}
