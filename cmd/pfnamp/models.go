package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp/internal/plain"
	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn"
)

func modelsCommand(std stdio) *cli.Command {
	return &cli.Command{
		Name:  "models",
		Usage: "list, show, verify and import model bundles",
		Action: func(c *cli.Context) error {
			if c.NArg() == 0 {
				return cli.ShowSubcommandHelp(c)
			}
			return unknownCommand("pfnamp models", c.Args().First(), c.Command.Subcommands)
		},
		Subcommands: []*cli.Command{
			{
				Name: "list", Usage: "list the embedded bundle and those imported, or in a folder",
				ArgsUsage: "[FOLDER]",
				Action: func(c *cli.Context) error {
					if err := atMostOne(c); err != nil {
						return err
					}
					return runModelsList(c.Args().First(), std)
				},
			},
			{
				Name: "show", Usage: "show what a bundle holds, its limits and its licence",
				ArgsUsage: "[BUNDLE]",
				Action: func(c *cli.Context) error {
					if err := atMostOne(c); err != nil {
						return err
					}
					return runModelsShow(c.Args().First(), std)
				},
			},
			{
				Name: "verify", Usage: "replay a bundle's golden vectors through onnxruntime",
				ArgsUsage: "[BUNDLE...]",
				Description: `Every stage is compared with what the exporter recorded. Exit status 6 tells a
difference beyond tolerance, 4 a bundle that cannot be loaded or run.
` + replayHelp,
				Flags: replayFlags(),
				Action: func(c *cli.Context) error {
					engine, err := parseEngine(c)
					if err != nil {
						return err
					}
					return runModelsVerify(c.Context, c.Args().Slice(), engine, std)
				},
			},
			importCommand(std),
		},
	}
}

func runModelsList(folder string, std stdio) error {
	home, err := models.Home()
	if err != nil {
		home = "" // only the embedded bundle
	}
	if _, err := os.Stat(home); folder == "" && err == nil {
		folder = home
	}
	listings, err := models.List(folder)
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(std.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "MODEL\tNAME\tVERSION\tFAMILY\tTASK\tROWS\tFEATURES\tLICENCE\tWHERE")
	var failed []error
	for _, l := range listings {
		if l.Err != nil {
			failed = append(failed, l.Err)
			continue
		}
		m := l.Bundle.Manifest
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t<= %d\t<= %d\t%s\t%s\n",
			modelArgument(l.Path, home), m.Name, m.Version, m.Family, m.Task,
			m.Limits.MaxRows, m.Limits.MaxFeatures, plain.Text(m.Licence.SPDX), l.Path)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return errors.Join(failed...)
}

// modelArgument is what --model takes for a bundle that was found at a path.
func modelArgument(path, home string) string {
	switch {
	case path == "embedded":
		return "default"
	case home != "" && filepath.Dir(path) == home:
		return filepath.Base(path)
	}
	return path
}

func runModelsShow(name string, std stdio) error {
	b, err := models.Find(name)
	if err != nil {
		return err
	}
	m := b.Manifest
	w := tabwriter.NewWriter(std.out, 0, 0, 2, ' ', 0)
	for _, row := range [][2]string{
		{"name", m.Name + " " + m.Version},
		{"description", m.Description},
		{"family", fmt.Sprintf("%s, %s, %s", m.Family, m.Task, headLine(m.Head))},
		{"direct output", directOutput(m)},
		{"limits", fmt.Sprintf("%d to %d context rows, %d features",
			m.Limits.MinRows, m.Limits.MaxRows, m.Limits.MaxFeatures)},
		{"ensemble", fmt.Sprintf("%d members, pipelines %v", m.Ensemble.Members, m.Ensemble.Norms)},
		{"size", fmt.Sprintf("%d parameters, graphs of %.1f MB", m.Provenance.Parameters,
			float64(b.Size())/1e6)},
		{"weights", m.Provenance.Weights},
		{"licence", licenceLine(m.Licence)},
		{"sha256", b.SHA256()},
		{"where", b.Source},
	} {
		fmt.Fprintf(w, "%s\t%s\n", row[0], plain.Text(row[1]))
	}
	return w.Flush()
}

// headLine says how the network gives a distribution.
func headLine(h models.Head) string {
	switch h.Kind {
	case "bars":
		return fmt.Sprintf("%d bars", h.Levels)
	case "classes":
		return fmt.Sprintf("at most %d classes", h.Levels)
	}
	return fmt.Sprintf("%d quantile levels", h.Levels)
}

// licenceLine names a licence, with what it asks for.
func licenceLine(l models.Licence) string {
	line := l.SPDX
	if l.Acceptance {
		line += ", to be accepted"
	}
	if l.Notice != "" {
		line += "; " + l.Notice
	}
	return line
}

// directOutput says whether `predict --posterior direct` works with a bundle.
func directOutput(m models.Manifest) string {
	switch {
	case m.Surface != nil:
		return fmt.Sprintf("posterior of all quantiles (%d levels) and the mean, %d quantile levels each",
			len(m.Surface.Levels), len(m.Surface.PosteriorLevels))
	case m.Direct != nil:
		return fmt.Sprintf("posterior of the %s, %d quantile levels", m.Direct.Target, m.Direct.Levels)
	}
	return "no"
}

// runModelsVerify checks the default bundle, or those named one after the other; a fault of one
// does not hide the others.
func runModelsVerify(ctx context.Context, names []string, opt pfn.Options, std stdio) error {
	if len(names) == 0 {
		names = []string{""}
	}
	var failed []error
	for _, name := range names {
		if len(names) > 1 {
			if err := writeLines(std.out, name); err != nil {
				return err
			}
		}
		if err := verifyOne(ctx, name, opt, std); err != nil {
			failed = append(failed, err)
		}
		if ctx.Err() != nil {
			break
		}
	}
	if len(failed) == 1 {
		return failed[0]
	}
	return errors.Join(failed...)
}

// verifyOne checks one bundle.
func verifyOne(ctx context.Context, name string, opt pfn.Options, std stdio) error {
	r, err := replayInChild(ctx, name, false, opt)
	if err != nil {
		return err
	}
	if _, err := io.WriteString(std.out, r.Table); err != nil {
		return err
	}
	if !r.OK {
		return &checkError{msg: fmt.Sprintf("model %s differs from its golden vectors", r.Model)}
	}
	return nil
}

func writeVerification(out io.Writer, verification pfn.Report) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "CASE\tSTAGE\tMAX DIFFERENCE\tTOLERANCE\tRESULT")
	for _, c := range verification.Cases {
		for _, stage := range c.Stages {
			result := "ok"
			if !stage.OK {
				result = "DIFFERS"
			}
			fmt.Fprintf(w, "%s\t%s\t%.1e\t%.1e\t%s\n", c.Name, stage.Name,
				stage.MaxDiff, stage.Tolerance, result)
		}
	}
	return w.Flush()
}
