// Command sbom writes what the program consists of, as a CycloneDX bill of materials, or the texts
// of the licences of its modules. It reads go.mod, go.sum, the module cache, the hashes of
// onnxruntime and the embedded bundle, and needs no network once the modules are there:
//
//	go run ./scripts/tools/sbom > docs/sbom.cdx.json
//	go run ./scripts/tools/sbom -licences > dist/NOTICES.modules
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
)

func main() {
	licences := flag.Bool("licences", false, "write the texts of the licences of all modules")
	flag.Parse()
	write := writeSBOM
	if *licences {
		write = writeLicences
	}
	if err := write(os.Stdout, "."); err != nil {
		fmt.Fprintln(os.Stderr, "sbom:", err)
		os.Exit(1)
	}
}

// A bom is a CycloneDX document, without serial number and time, so that equal programs have equal
// documents.
type bom struct {
	Format     string      `json:"bomFormat"`
	Spec       string      `json:"specVersion"`
	Version    int         `json:"version"`
	Metadata   metadata    `json:"metadata"`
	Components []component `json:"components"`
}

type metadata struct {
	Component component `json:"component"`
}

type component struct {
	Type        string    `json:"type"`
	Name        string    `json:"name"`
	Version     string    `json:"version,omitempty"`
	Description string    `json:"description,omitempty"`
	Hashes      []hash    `json:"hashes,omitempty"`
	Licences    []licence `json:"licenses,omitempty"`
	PURL        string    `json:"purl,omitempty"`
}

type hash struct {
	Algorithm string `json:"alg"`
	Content   string `json:"content"`
}

type licence struct {
	Expression string `json:"expression"`
}

// writeSBOM writes the document for the repository at root.
func writeSBOM(w io.Writer, root string) error {
	b := bom{Format: "CycloneDX", Spec: "1.6", Version: 1, Metadata: metadata{component{
		Type: "application", Name: program, Licences: []licence{{"Apache-2.0"}},
		PURL: "pkg:golang/" + program}}}
	for _, list := range []func(root string) ([]component, error){moduleComponents, nativeComponents,
		bundleComponents} {
		components, err := list(root)
		if err != nil {
			return err
		}
		b.Components = append(b.Components, components...)
	}
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", " ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(b)
}
