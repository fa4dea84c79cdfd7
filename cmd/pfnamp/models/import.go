package models

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/engine"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/flags"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/stdio"
	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn"
)

// importOptions is the command line of `pfnamp models import`, parsed.
type importOptions struct {
	source   string
	name     string
	force    bool
	accept   bool
	noVerify bool
	engine   pfn.Options
}

const importHelp = `Checks BUNDLE (a folder, or a .zip, .tar, .tar.gz or .tgz file): manifest, hashes, graphs
and golden vectors. Then copies it to $XDG_DATA_HOME/pfnamp/models
(~/.local/share/pfnamp/models), where --model NAME finds it. Downloads nothing.
` + replayHelp

func importCommand(std stdio.Streams) *cli.Command {
	return &cli.Command{
		Name: "import", Usage: "check a bundle and copy it to where --model finds it by name",
		ArgsUsage:   "BUNDLE",
		Description: importHelp,
		Action: func(c *cli.Context) error {
			if err := flags.Exactly(c, 1, "one argument, BUNDLE"); err != nil {
				return err
			}
			opt, err := engine.Parse(c)
			if err != nil {
				return err
			}
			return runImport(c.Context, importOptions{
				source: c.Args().First(), name: c.String("name"), force: c.Bool("force"),
				accept: c.Bool("accept-licence"), noVerify: c.Bool("no-verify"),
				engine: opt,
			}, std)
		},
	}
}

// runImport checks, replays and installs a bundle.
func runImport(ctx context.Context, opt importOptions, std stdio.Streams) error {
	dir, err := models.Home()
	if err != nil {
		return err
	}
	bundle, err := stdio.UnlessStopped(ctx, func() (*models.Bundle, error) {
		return loadSource(opt.source)
	}, nil)
	if err != nil {
		return err
	}
	m := bundle.Manifest
	if opt.name == "" {
		opt.name = m.Name
	}
	if err := models.CheckName(opt.name); err != nil {
		return fault.Wrong(err.Error(), "use another name: --name NAME")
	}
	if err := checkLicence(bundle, opt, std); err != nil {
		return err
	}
	if !opt.noVerify {
		if err := verify(ctx, bundle, opt); err != nil {
			return err
		}
	}
	path, err := bundle.Install(dir, opt.name, opt.force)
	if errors.Is(err, fs.ErrExist) {
		return fault.Wrong(fmt.Sprintf("the bundle %q already exists: %s", opt.name, filepath.Join(dir,
			opt.name)), "use another --name, or overwrite it with --force")
	}
	if err != nil {
		return fault.Writing(fmt.Errorf("importing %s: %w", opt.source, err))
	}
	return std.Lines(fmt.Sprintf("%s %s imported to %s; use it with --model %s",
		m.Name, m.Version, path, opt.name))
}

// loadSource loads a bundle from a folder or an archive.
func loadSource(source string) (*models.Bundle, error) {
	if info, err := os.Stat(source); err == nil && !info.IsDir() {
		return models.LoadArchive(source)
	}
	return models.Load(source)
}

// checkLicence says what the licence of the weights asks for, and refuses a
// bundle whose licence must be accepted and is not.
func checkLicence(bundle *models.Bundle, opt importOptions, std stdio.Streams) error {
	licence := bundle.Manifest.Licence
	std.Notef("licence of the weights: %s", licenceLine(licence))
	if licence.Acceptance && !opt.accept {
		return fault.Wrong(fmt.Sprintf("the licence of %s (%s) must be accepted before it is imported",
			bundle.Manifest.Name, licence.SPDX),
			"read it: pfnamp models show --licence "+fault.Shell(opt.source)+
				"\nthen repeat with --accept-licence")
	}
	return nil
}

// verify replays the golden vectors of the bundle that was loaded from the source.
func verify(ctx context.Context, bundle *models.Bundle, opt importOptions) error {
	r, err := replayInChild(ctx, opt.source, true, opt.engine)
	if err != nil {
		return err
	}
	if r.SHA256 != bundle.SHA256() {
		return &models.Error{Bundle: opt.source, Msg: "the bundle changed while it was checked",
			Hint: "import it again when nobody writes to it"}
	}
	if !r.OK {
		return fault.New(fault.Check, fmt.Sprintf("model %s differs from its golden vectors; "+
			"`pfnamp models verify` shows where", bundle.Manifest.Name), "")
	}
	return nil
}
