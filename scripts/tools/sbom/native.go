package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/pfnamp/pfnamp/models"
)

var pinned = regexp.MustCompile(`(?m)^version=(\S+)$`)

// nativeComponents are the onnxruntime libraries that scripts/tools/setup.sh fetches, one for every
// platform and source; a release carries one of them.
func nativeComponents(root string) ([]component, error) {
	setup, err := os.ReadFile(filepath.Join(root, "scripts", "tools", "setup.sh"))
	if err != nil {
		return nil, err
	}
	table, err := os.ReadFile(filepath.Join(root, "scripts", "tools", "onnxruntime.sha256"))
	if err != nil {
		return nil, err
	}
	version := string(pinned.FindSubmatch(setup)[1])
	var list []component
	for line := range strings.Lines(string(table)) {
		parts := strings.Fields(line)
		if len(parts) != 6 || parts[0] == "#" {
			continue
		}
		purl := "pkg:pypi/onnxruntime@" + version
		if parts[1] == "npm" {
			purl = "pkg:npm/onnxruntime-node@" + version
		}
		list = append(list, component{Type: "library", Name: "onnxruntime", Version: version,
			Description: fmt.Sprintf("%s of the package for %s; loaded at run time, or carried inside",
				parts[5], parts[0]),
			Hashes: []hash{{"SHA-256", parts[4]}}, Licences: []licence{{"MIT"}}, PURL: purl})
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("no library in scripts/tools/onnxruntime.sha256")
	}
	return list, nil
}

// bundleComponents are the embedded models. Their hashes are those of their manifests, which have
// those of the graphs.
func bundleComponents(string) ([]component, error) {
	bundles, err := models.Embedded()
	if err != nil {
		return nil, err
	}
	var list []component
	for _, b := range bundles {
		m := b.Manifest
		list = append(list, component{Type: "machine-learning-model", Name: m.Name,
			Version: m.Version, Description: m.Description, Hashes: []hash{{"SHA-256", b.SHA256()}},
			Licences: []licence{{m.Licence.SPDX}}})
	}
	return list, nil
}
