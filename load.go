package pfnamp

import (
	"errors"
	"fmt"

	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn"
)

// LoadOptions say how a saved state is loaded. The zero value suits most states.
type LoadOptions struct {
	Model pfn.Options // of the network; Members are always those of the state
	// Bundles name the bundles in which Load looks for that of the state, as [Open] names them. nil
	// stands for the embedded and all imported ones.
	Bundles []string
}

// Load makes a fitted table of a state file: it finds the bundle that the state was made with, and
// opens its network. [Fitted.Close] closes the network too. The error is a [*BundleError] where
// there is no such bundle, an *os.PathError about the file, or one of [OpenState], [Open] and
// [State.Restore].
func Load(path string, opt LoadOptions) (*Fitted, error) {
	state, err := OpenState(path)
	if err != nil {
		return nil, err
	}
	defer state.Close()
	bundle, err := state.Bundle(opt.Bundles...)
	if err != nil {
		return nil, err
	}
	opt.Model.Members = state.Members
	model, err := openBundle(bundle, opt.Model)
	if err != nil {
		return nil, err
	}
	fitted, err := state.Restore(model)
	if err != nil {
		return nil, errors.Join(err, model.Close())
	}
	fitted.owner = true
	return fitted, nil
}

// Bundle finds the bundle that the state was made with among those that are named, or without names
// among the embedded and all imported ones. The error is a [*BundleError], or that of a name.
func (s *State) Bundle(names ...string) (*models.Bundle, error) {
	for _, name := range names {
		b, err := models.Find(name)
		if err != nil || b.SHA256() == s.SHA256 {
			return b, err
		}
	}
	if len(names) > 0 {
		return nil, &BundleError{State: s.name, Model: s.Model, Version: s.Version}
	}
	home, _ := models.Home() // without one nothing is imported
	for _, folder := range []string{"", home} {
		list, _ := models.List(folder) // a folder that is not there has no bundle
		for _, found := range list {
			if found.Err == nil && found.Bundle.SHA256() == s.SHA256 {
				return found.Bundle, nil
			}
		}
	}
	return nil, &BundleError{State: s.name, Model: s.Model, Version: s.Version}
}

// BundleError reports that there is no bundle here that the state was made with.
type BundleError struct {
	State          string // its file
	Model, Version string // of the bundle
}

// Error names the state and the bundle, with the remedy.
func (e *BundleError) Error() string {
	return fmt.Sprintf("%s was made with model %s %s, which is not among the bundles here: name the "+
		"folder of its bundle, or import it", e.State, e.Model, e.Version)
}
