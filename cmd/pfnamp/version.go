package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/flags"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/stdio"
	"github.com/pfnamp/pfnamp/models"
)

// version is the module version, or the revision of a build from source.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	if info.Main.Version == "" {
		return "devel"
	}
	return strings.Trim(info.Main.Version, "()")
}

// revision is the commit of a build in a clone, with a remark if files were changed; "" if it is
// not known.
func revision() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	found := map[string]string{}
	for _, setting := range info.Settings {
		found[setting.Key] = setting.Value
	}
	commit := found["vcs.revision"]
	if commit != "" && found["vcs.modified"] == "true" {
		commit += ", with changes"
	}
	return commit
}

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
	lines := []string{"pfnamp       " + version()}
	if commit := revision(); commit != "" {
		lines = append(lines, "commit       "+commit)
	}
	lines = append(lines, "method       "+paper)
	for _, b := range bundles {
		lines = append(lines, fmt.Sprintf("model        %s %s", b.Manifest.Name, b.Manifest.Version))
	}
	return writeLines(std.Out, append(lines,
		"onnxruntime  "+library,
		fmt.Sprintf("go           %s %s/%s", runtime.Version(), runtime.GOOS, runtime.GOARCH))...)
}
