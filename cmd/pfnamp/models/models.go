// Package models has the commands about bundles: what there is, whether it computes what its
// exporter recorded, and where to put another one.
package models

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/stdio"
	"github.com/pfnamp/pfnamp/internal/plain"
	"github.com/pfnamp/pfnamp/models"
)

// Command returns the command models.
func Command() *cli.Command {
	return &cli.Command{
		Name:  "models",
		Usage: "list, show, verify and import model bundles",
		Subcommands: []*cli.Command{
			{
				Name: "list", Usage: "list the embedded and imported bundles, or those in a folder",
				ArgsUsage: "[FOLDER]", Action: list,
			},
			{
				Name: "show", Usage: "show what a bundle holds, its limits and its licence, or a saved state",
				ArgsUsage: "[BUNDLE|STATE]", Action: show,
			},
			verifyCommand(),
			{
				Name: "import", Usage: "check a bundle and copy it to where --model finds it by name",
				ArgsUsage: "BUNDLE", Description: importHelp, Action: runImport,
			},
		},
	}
}

// modelFacts is a bundle as --json shows it.
type modelFacts struct {
	Model       string `json:"model"` // what --model takes
	Name        string `json:"name"`
	Version     string `json:"version"`
	Description string `json:"description"`
	Family      string `json:"family"`
	Task        string `json:"task"`
	Head        string `json:"head"`
	Levels      int    `json:"levels"`
	Direct      string `json:"direct"` // whether the network has a posterior of its own, in words
	MinRows     int    `json:"min_rows"`
	MaxRows     int    `json:"max_rows"`
	MaxFeatures int    `json:"max_features"`
	MaxClasses  int    `json:"max_classes"` // 0 of a regressor
	Members     int    `json:"members"`
	Parameters  int64  `json:"parameters"`
	Bytes       int64  `json:"bytes"` // of the graphs
	Licence     string `json:"licence"`
	SHA256      string `json:"sha256"`
	Where       string `json:"where"`
}

func factsOf(argument string, b *models.Bundle) modelFacts {
	m := b.Manifest
	return modelFacts{argument, m.Name, m.Version, m.Description, m.Family, m.Task, m.Head.Kind,
		m.Head.Levels, directOutput(m), m.Limits.MinRows, m.Limits.MaxRows, m.Limits.MaxFeatures,
		m.MostClasses(), m.Ensemble.Members, m.Provenance.Parameters, b.Size() + b.HierarchySize(),
		m.Licence.SPDX, b.SHA256(), b.Source}
}

// ensembleLine is how members differ, in words.
func ensembleLine(m *models.Manifest) string {
	line := fmt.Sprintf("%d members, pipelines %s", m.Ensemble.Members, counted(m.Ensemble.Norms))
	words := map[string]string{"none": "the target", "linear": "its residuals from a line",
		"kernel": "its residuals from a kernel"}
	if m.Classifier() {
		words = map[string]string{"none": "features",
			"linear": "features and a line's shares of the classes",
			"kernel": "features and a kernel's shares of the classes"}
	}
	var read []string
	for _, trend := range m.Ensemble.Trends {
		read = append(read, words[trend])
	}
	if read != nil {
		line += "; they read in turn " + strings.Join(read, ", ")
	}
	return line
}

// counted lists names once, with the number of those that come again: "none, power (4)".
func counted(names []string) string {
	times, first := map[string]int{}, []string(nil)
	for _, name := range names {
		if times[name]++; times[name] == 1 {
			first = append(first, name)
		}
	}
	for i, name := range first {
		if n := times[name]; n > 1 {
			first[i] = fmt.Sprintf("%s (%d)", name, n)
		}
	}
	return strings.Join(first, ", ")
}

// installed lists the embedded bundle and those of a folder, of home if none is named.
func installed(folder string) (listings []models.Listing, home string, err error) {
	home, err = models.Home()
	if err != nil {
		home = "" // only the embedded bundle
	}
	if _, err := os.Stat(home); folder == "" && err == nil {
		folder = home
	}
	listings, err = models.List(folder)
	return listings, home, err
}

// Names lists what --model takes beside folders.
func Names() (names []string) {
	listings, home, _ := installed("") // what cannot be listed is not offered
	for _, l := range listings {
		names = append(names, modelArgument(l, home))
	}
	return names
}

func list(c *cli.Context) error {
	listings, home, err := installed(c.Args().First())
	if err != nil {
		return err
	}
	var facts []modelFacts
	w := tabwriter.NewWriter(c.App.Writer, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "MODEL\tNAME\tVERSION\tFAMILY\tTASK\tROWS\tFEATURES\tLICENCE\tWHERE")
	var failed []error
	for _, l := range listings {
		if l.Err != nil {
			failed = append(failed, l.Err)
			continue
		}
		f := factsOf(modelArgument(l, home), l.Bundle)
		facts = append(facts, f)
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t<= %d\t<= %d\t%s\t%s\n", f.Model, f.Name, f.Version,
			f.Family, f.Task, f.MaxRows, f.MaxFeatures, plain.Text(f.Licence), l.Path)
	}
	if c.Bool("json") {
		err = stdio.JSON(c.App.Writer, facts)
	} else {
		err = w.Flush()
	}
	if err != nil {
		return err
	}
	return errors.Join(failed...)
}

// modelArgument is what --model takes for a bundle that was found.
func modelArgument(l models.Listing, home string) string {
	switch {
	case l.Name != "":
		return l.Name
	case home != "" && filepath.Dir(l.Path) == home:
		return filepath.Base(l.Path)
	}
	return l.Path
}

// printLicence prints the text of the licence of a bundle's weights.
func printLicence(c *cli.Context, name string) error {
	b, err := models.Find(name)
	if err != nil {
		return err
	}
	return stdio.Of(c).Lines(strings.TrimRight(b.Licence(), "\n"))
}

func show(c *cli.Context) error {
	name := c.Args().First()
	switch {
	case c.Bool("licence"):
		return printLicence(c, name)
	case pfnamp.IsState(name):
		return showState(c, name)
	}
	b, err := models.Find(name)
	if err != nil {
		return err
	}
	if c.Bool("json") {
		return stdio.JSON(c.App.Writer, factsOf(cmp.Or(name, "default"), b))
	}
	m := b.Manifest
	w := tabwriter.NewWriter(c.App.Writer, 0, 0, 2, ' ', 0)
	for _, row := range [][2]string{
		{"name", m.Name + " " + m.Version},
		{"description", m.Description},
		{"family", fmt.Sprintf("%s, %s, %s", m.Family, m.Task, headLine(&m))},
		{"direct output", directOutput(m)},
		{"limits", fmt.Sprintf("%d to %d context rows, %d features", m.Limits.MinRows, m.Limits.MaxRows,
			m.Limits.MaxFeatures)},
		{"ensemble", ensembleLine(&m)},
		{"size", fmt.Sprintf("%d parameters, graphs of %.1f MB", m.Provenance.Parameters,
			float64(b.Size()+b.HierarchySize())/1e6)},
		{"weights", m.Provenance.Weights},
		{"licence", licenceLine(m.Licence)},
		{"sha256", b.SHA256()},
		{"where", b.Source},
	} {
		fmt.Fprintf(w, "%s\t%s\n", row[0], plain.Text(row[1]))
	}
	return w.Flush()
}

// showState shows what made a saved state, and from what.
func showState(c *cli.Context, path string) error {
	s, err := pfnamp.OpenState(path)
	if err != nil {
		return err
	}
	defer s.Close()
	facts := map[string]any{"state": path, "format": s.Format, "saved_by": "pfnamp " + s.Program,
		"model": s.Model + " " + s.Version, "model_sha256": s.SHA256, "members": s.Members,
		"train": s.Schema.File, "rows": s.Rows, "target": s.Schema.TargetName,
		"features": s.Schema.FeatureNames()}
	if c.Bool("json") {
		return stdio.JSON(c.App.Writer, facts)
	}
	w := tabwriter.NewWriter(c.App.Writer, 0, 0, 2, ' ', 0)
	for _, name := range slices.Sorted(maps.Keys(facts)) {
		fmt.Fprintf(w, "%s\t%s\n", name, plain.Text(fmt.Sprint(facts[name])))
	}
	return w.Flush()
}

// headLine says how the network gives a distribution.
func headLine(m *models.Manifest) string {
	h := m.Head
	switch {
	case h.Kind == models.BarHead:
		return fmt.Sprintf("%d bars", h.Levels)
	case m.Hierarchical():
		return fmt.Sprintf("at most %d classes, %d at a time", m.MostClasses(), h.Levels)
	case h.Kind == models.ClassHead:
		return fmt.Sprintf("at most %d classes", h.Levels)
	}
	return fmt.Sprintf("%d quantile levels", h.Levels)
}

func licenceLine(l models.Licence) string {
	line := l.SPDX
	if l.Acceptance {
		line += ", must be accepted"
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
	case m.ClassPosterior != nil:
		return fmt.Sprintf("posterior of the class probabilities, %d quantile levels each",
			len(m.ClassPosterior.PosteriorLevels))
	}
	if b := m.Companion; b != nil {
		return fmt.Sprintf("no; credible intervals from %s %s, its companion", b.Manifest.Name,
			b.Manifest.Version)
	}
	return "no"
}
