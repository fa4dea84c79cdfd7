package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp/internal/must"
)

const root = "../../.."

// TestCommitted compares the committed bill of materials with go.mod, go.sum, the hashes of
// onnxruntime and the embedded bundle, from which it is made.
func TestCommitted(t *testing.T) {
	var made bytes.Buffer
	must.Succeed(t, writeSBOM(&made, root))
	committed, err := os.ReadFile(filepath.Join(root, "docs", "sbom.cdx.json"))
	must.Succeed(t, err)
	if !bytes.Equal(made.Bytes(), committed) {
		t.Error("docs/sbom.cdx.json is out of date: go run ./scripts/tools/sbom > docs/sbom.cdx.json")
	}
}

// combinable are the licences that Apache-2.0 can be combined with, as the program is.
var combinable = []string{"Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "MIT", "OFL-1.1",
	"CC-BY-4.0", "FTL OR GPL-2.0-or-later"}

func TestLicencesCanBeCombined(t *testing.T) {
	var made bytes.Buffer
	must.Succeed(t, writeSBOM(&made, root))
	var b bom
	must.Succeed(t, json.Unmarshal(made.Bytes(), &b))
	for _, c := range b.Components {
		for l := range strings.SplitSeq(c.Licences[0].Expression, " AND ") {
			if !slices.Contains(combinable, l) {
				t.Errorf("%s has the licence %s", c.Name, l)
			}
		}
		if len(c.Hashes) == 0 && c.Name != "std" {
			t.Errorf("%s has no hash", c.Name)
		}
	}
	if len(b.Components) < 30 {
		t.Errorf("%d components", len(b.Components))
	}
}

// TestDirectLicences compares the licences of docs/design/dependencies.md with the modules'.
func TestDirectLicences(t *testing.T) {
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	must.Succeed(t, err)
	page, err := os.ReadFile(filepath.Join(root, "docs", "design", "dependencies.md"))
	must.Succeed(t, err)
	told := map[string]string{}
	row := regexp.MustCompile("(?m)^\\| `([^`]+)`.*\\| ([^|]+) \\|$")
	for _, match := range row.FindAllStringSubmatch(string(page), -1) {
		told[match[1]] = match[2]
	}
	direct := regexp.MustCompile(`(?m)^\t([\w./~-]+) v\S+$`).FindAllStringSubmatch(string(mod), -1)
	for _, match := range direct {
		cmd := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", match[1])
		cmd.Dir = root
		dir, err := cmd.Output()
		must.Succeed(t, err)
		is, err := licenceOf(strings.TrimSpace(string(dir)))
		must.Succeed(t, err)
		if is = strings.TrimSuffix(is, "-Clause"); told[match[1]] != is {
			t.Errorf("%s: the page says %q, the module has %s", match[1], told[match[1]], is)
		}
	}
	if len(direct) < 10 {
		t.Errorf("%d direct dependencies", len(direct))
	}
}

func TestFirstLicence(t *testing.T) {
	const bsd = "Redistribution and use in source and binary forms, ..."
	for text, want := range map[string]string{
		"Apache License\n Version 2.0 ... Mozilla Public License Version 2.0": "Apache-2.0",
		bsd: "BSD-2-Clause",
		bsd + " Neither the name of X may be used to endorse or promote": "BSD-3-Clause",
		"all rights reserved": "",
	} {
		if got := firstLicence(text); got != want {
			t.Errorf("%q is %q", text, got)
		}
	}
}
