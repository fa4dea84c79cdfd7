package models

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/engine"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/stdio"
	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn"
)

const importHelp = `Checks BUNDLE (a folder): manifest, hashes, graphs and golden vectors. Then copies it to $XDG_DATA_HOME/pfnamp/models
(~/.local/share/pfnamp/models), where --model NAME finds it. Downloads nothing.
` + replayHelp

func runImport(c *cli.Context) error {
	source, std := c.Args().First(), stdio.Of(c)
	opt, err := engine.Parse(c)
	if err != nil {
		return err
	}
	dir, err := models.Home()
	if err != nil {
		return err
	}
	bundle, err := stdio.UnlessStopped(c.Context, func() (*models.Bundle, error) {
		return models.Load(source)
	}, nil)
	if err != nil {
		return err
	}
	m := bundle.Manifest
	name := cmp.Or(c.String("name"), m.Name)
	if err := models.CheckName(name); err != nil {
		return fault.Wrong(err.Error(), "use another name: --name NAME")
	}
	std.Notef("licence of the weights: %s", licenceLine(m.Licence))
	if m.Licence.Acceptance && !c.Bool("accept-licence") {
		return fault.Wrong(fmt.Sprintf("the licence of %s (%s) must be accepted before it is imported",
			m.Name, m.Licence.SPDX), "read it: pfnamp models show --licence "+fault.Shell(source)+
			"\nthen repeat with --accept-licence")
	}
	if !c.Bool("no-verify") {
		if err := verify(c.Context, bundle, source, opt); err != nil {
			return err
		}
	}
	path, err := bundle.Install(dir, name, c.Bool("force"))
	if errors.Is(err, fs.ErrExist) {
		return fault.Wrong(fmt.Sprintf("the bundle %q already exists: %s", name, filepath.Join(dir,
			name)), "use another --name, or overwrite it with --force")
	}
	if err != nil {
		return fault.Writing(fmt.Errorf("importing %s: %w", source, err))
	}
	return std.Lines(fmt.Sprintf("%s %s imported to %s; use it with --model %s",
		m.Name, m.Version, path, name))
}

func verify(ctx context.Context, bundle *models.Bundle, source string, opt pfn.Options) error {
	folder, err := filepath.Abs(source) // which is no name of an imported bundle
	if err != nil {
		return err
	}
	r, err := replayInChild(ctx, folder, opt)
	if err != nil {
		return err
	}
	if r.SHA256 != bundle.SHA256() {
		return &models.Error{Bundle: source, Msg: "the bundle changed while it was checked",
			Hint: "import it again when nobody writes to it"}
	}
	if !r.OK {
		return fault.New(fault.Check, fmt.Sprintf("model %s differs from its golden vectors; "+
			"`pfnamp models verify` shows where", bundle.Manifest.Name), "")
	}
	return nil
}
