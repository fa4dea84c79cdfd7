package doctor

import (
	"fmt"
	"runtime"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/flags"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/self"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/stdio"
	"github.com/pfnamp/pfnamp/models"
)

func versionCommand(std stdio.Streams) *cli.Command {
	return &cli.Command{
		Name:  "version",
		Usage: "print the versions of program, method, embedded model, onnxruntime and Go",
		Action: func(c *cli.Context) error {
			if err := flags.AtMost(c, 0); err != nil {
				return err
			}
			return runVersion(c, std)
		},
	}
}

func runVersion(c *cli.Context, std stdio.Streams) error {
	bundles, err := models.Embedded()
	if err != nil {
		return err
	}
	facts, err := probeInChild(c.Context, c.String("ort-lib"), "cpu")
	if err != nil {
		return err
	}
	library := "not found, see `pfnamp doctor`"
	if facts.Library != nil {
		library = facts.Library.Version
	}
	lines := []string{"pfnamp       " + self.Version()}
	if commit := self.Revision(); commit != "" {
		lines = append(lines, "commit       "+commit)
	}
	lines = append(lines, "method       "+self.Method)
	for _, b := range bundles {
		lines = append(lines, fmt.Sprintf("model        %s %s", b.Manifest.Name, b.Manifest.Version))
	}
	return std.Lines(append(lines,
		"onnxruntime  "+library,
		fmt.Sprintf("go           %s %s/%s", runtime.Version(), runtime.GOOS, runtime.GOARCH))...)
}
