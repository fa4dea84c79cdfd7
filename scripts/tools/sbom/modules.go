package main

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// program is the module of this repository.
const program = "github.com/pfnamp/pfnamp"

// A module is linked if the program links one of its packages.
type module struct{ path, version, dir string }

// linked lists the modules of the program, for every system that it is built for.
func linked(root string) ([]module, error) {
	var list []module
	for _, system := range []string{"linux", "darwin", "windows"} {
		cmd := exec.Command("go", "list", "-deps", "-tags", "netgo,osusergo", "-f",
			"{{with .Module}}{{if not .Main}}{{.Path}}\t{{.Version}}\t{{.Dir}}{{end}}{{end}}",
			"./cmd/pfnamp")
		cmd.Dir, cmd.Stderr = root, os.Stderr
		cmd.Env = append(os.Environ(), "GOOS="+system, "GOARCH=arm64", "CGO_ENABLED=1", "GOFLAGS=")
		out, err := cmd.Output()
		if err != nil {
			return nil, fmt.Errorf("listing modules: %w", err)
		}
		for line := range strings.Lines(string(out)) {
			parts := strings.Split(strings.TrimSpace(line), "\t")
			if m := (module{parts[0], parts[1], parts[2]}); !slices.Contains(list, m) {
				list = append(list, m)
			}
		}
	}
	slices.SortFunc(list, func(a, b module) int { return strings.Compare(a.path, b.path) })
	return list, nil
}

var goLine = regexp.MustCompile(`(?m)^go (\S+)$`)

// moduleComponents are Go's standard library, of the oldest version that go.mod allows, and the
// modules. The hash of a module is that of go.sum, in hexadecimal.
func moduleComponents(root string) ([]component, error) {
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return nil, err
	}
	sums, err := sums(root)
	if err != nil {
		return nil, err
	}
	modules, err := linked(root)
	if err != nil {
		return nil, err
	}
	version := string(goLine.FindSubmatch(mod)[1])
	list := []component{{Type: "library", Name: "std", Version: version,
		Description: "Go's standard library, of this version or a newer one",
		Licences:    []licence{{"BSD-3-Clause"}}, PURL: "pkg:golang/std@" + version}}
	for _, m := range modules {
		sum, ok := sums[m.path+" "+m.version]
		if !ok {
			return nil, fmt.Errorf("go.sum lacks %s %s", m.path, m.version)
		}
		expression, err := licenceOf(m.dir)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.path, err)
		}
		list = append(list, component{Type: "library", Name: m.path, Version: m.version,
			Hashes: []hash{{"SHA-256", sum}}, Licences: []licence{{expression}},
			PURL: "pkg:golang/" + m.path + "@" + m.version})
	}
	return list, nil
}

// sums reads the hashes of modules from go.sum.
func sums(root string) (map[string]string, error) {
	data, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		return nil, err
	}
	sums := map[string]string{}
	for lines := bufio.NewScanner(bytes.NewReader(data)); lines.Scan(); {
		parts := strings.Fields(lines.Text())
		if len(parts) != 3 || strings.HasSuffix(parts[1], "/go.mod") {
			continue
		}
		raw, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(parts[2], "h1:"))
		if err != nil {
			return nil, fmt.Errorf("go.sum: %s: %w", parts[0], err)
		}
		sums[parts[0]+" "+parts[1]] = hex.EncodeToString(raw)
	}
	return sums, nil
}

// licenceFiles lists the files with licences at the top of a module, and in a folder of that name.
func licenceFiles(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	names, _ := filepath.Glob(filepath.Join(dir, "licenses", "*.txt"))
	for _, e := range entries {
		name := strings.ToUpper(e.Name())
		if e.Type().IsRegular() && (strings.HasPrefix(name, "LICEN") ||
			strings.HasPrefix(name, "NOTICE") || strings.HasPrefix(name, "THIRD_PARTY")) {
			names = append(names, filepath.Join(dir, e.Name()))
		}
	}
	if err == nil && len(names) == 0 {
		err = errors.New("it has no licence")
	}
	return names, err
}

// phrases of licences. The one that comes first in a file is the module's own.
var phrases = []struct{ expression, phrase string }{
	{"Apache-2.0", "apache license version 2.0"},
	{"MIT", "permission is hereby granted, free of charge, to any person obtaining a copy of this " +
		"software"},
	{"BSD-2-Clause", "redistribution and use in source and binary forms"}, // or 3, see below
	{"MPL-2.0", "mozilla public license version 2.0"},
	{"OFL-1.1", "sil open font license, version 1.1"},
	{"CC-BY-4.0", "creative commons attribution 4.0 international public license"},
	{"FTL OR GPL-2.0-or-later", "choice of exactly one of the following two licenses: * the " +
		"freetype license"},
}

// licenceOf is the SPDX expression of a module, by the files LICENSE* of its folder.
func licenceOf(dir string) (string, error) {
	files, err := licenceFiles(dir)
	if err != nil {
		return "", err
	}
	var found []string
	for _, file := range files {
		if name := strings.ToUpper(filepath.Base(file)); !strings.HasPrefix(name, "LICEN") {
			continue
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return "", err
		}
		if own := firstLicence(string(data)); own != "" && !slices.Contains(found, own) {
			found = append(found, own)
		}
	}
	if len(found) == 0 {
		return "", fmt.Errorf("the licence in %s is not known", files[0])
	}
	return strings.Join(found, " AND "), nil
}

// firstLicence is the licence whose phrase comes first in a text, or empty.
func firstLicence(text string) string {
	text = strings.Join(strings.Fields(strings.ToLower(text)), " ")
	own, first := "", len(text)
	for _, p := range phrases {
		if at := strings.Index(text, p.phrase); at >= 0 && at < first {
			own, first = p.expression, at
		}
	}
	if own == "BSD-2-Clause" && strings.Contains(text[first:min(len(text), first+1500)], "name") &&
		strings.Contains(text[first:min(len(text), first+1500)], "endorse or promote") {
		return "BSD-3-Clause"
	}
	return own
}

// writeLicences writes the texts of the licences of all modules, one after the other.
func writeLicences(w io.Writer, root string) error {
	modules, err := linked(root)
	if err != nil {
		return err
	}
	for _, m := range modules {
		files, err := licenceFiles(m.dir)
		if err != nil {
			return fmt.Errorf("%s: %w", m.path, err)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			fmt.Fprintf(w, "%s\n%s %s: %s\n%[1]s\n\n%[5]s\n", strings.Repeat("=", 80), m.path,
				m.version, filepath.Base(file), bytes.TrimSpace(data))
		}
	}
	return nil
}
