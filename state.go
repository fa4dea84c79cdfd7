package pfnamp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/internal/rows"
	"github.com/pfnamp/pfnamp/internal/strictjson"
	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/reading"
	"github.com/pfnamp/pfnamp/tabular"
)

// StateSchemaFormat is the version of [StateSchema] that this package writes and reads.
const StateSchemaFormat = 4

// StateSchema describes the training table of a saved state: JSON in the note of the state
// (pfn.Context.Save).
type StateSchema struct {
	// Format is [StateSchemaFormat].
	Format int `json:"format,omitempty"`
	// Program is the name and version of the program that saved the state.
	Program string `json:"pfnamp"`
	// Schema has the columns, their kinds and categories, and the labels of the target.
	Schema *tabular.Schema `json:"schema"`
	// Members is the requested number of ensemble members.
	Members     int      `json:"members"`
	Ignore      []string `json:"ignore"` // from FitOptions; metadata repeats it
	Categorical []string `json:"categorical"`
	Numeric     []string `json:"numeric"`
	// Scales are the scales of the features, which couple rows.
	Scales []Scale `json:"scales,omitempty"`
	// Subsample is FitOptions.Subsample, or the limit of the model where that has drawn rows.
	Subsample int    `json:"subsample,omitempty"`
	Seed      uint64 `json:"seed,omitempty"`
	// Dates is FitOptions.Dates.
	Dates tabular.Dates `json:"dates,omitempty"`
	// Values are the possible values of the target, as amp.ParseSupport reads them; "" means any.
	Values string `json:"values,omitempty"`
	// Donors are the rows of the context that lend cells to query rows with missing cells.
	Donors *reading.Saved `json:"donors,omitempty"`
}

// Save writes the fitted context, so that [State.Restore] can restore it without the training
// table. program is the name of the saving program. The state CONTAINS the training data: guard it
// like the table. It does not contain the table's folder. Save fails with a *tabular.Error on names
// that are not UTF-8, with the errors of w, and with pfn.ErrClosed.
func (f *Fitted) Save(w io.Writer, program string) error {
	return f.save(w, program, f.context.Save)
}

// SaveHalf is Save at about half the size: it stores the encoded context in half precision, so
// predictions differ a little from those of f. It also fails with the errors of
// [pfn.Context.SaveHalf].
func (f *Fitted) SaveHalf(w io.Writer, program string) error {
	return f.save(w, program, f.context.SaveHalf)
}

func (f *Fitted) save(w io.Writer, program string, to func(io.Writer, []byte) error) error {
	note, err := f.note(program)
	if err != nil {
		return err
	}
	return to(w, note)
}

// note returns the StateSchema of a state.
func (f *Fitted) note(program string) ([]byte, error) {
	schema := *f.schema
	schema.File = filepath.Base(schema.File)
	o := f.options
	values, seed := "", uint64(0)
	if o.Subsample > 0 {
		seed = o.Seed
	}
	if !f.support.Any() {
		values = f.support.String()
	}
	note, err := json.Marshal(StateSchema{
		Format: StateSchemaFormat, Program: program, Schema: &schema,
		Members: f.members, Ignore: o.Ignore,
		Categorical: o.Categorical, Numeric: o.Numeric, Scales: f.scales,
		Subsample: o.Subsample, Seed: seed, Values: values, Dates: o.Dates,
		Donors: reading.Save(f.lending),
	})
	if table, ok := errors.AsType[*tabular.Error](err); ok {
		return nil, table
	}
	return note, err
}

// State is a saved state whose beginning was read. Restore can be called once.
type State struct {
	*pfn.State
	StateSchema
	name    string
	file    io.Closer
	support amp.Support  // of Values
	rows    pfn.Training // of Donors
}

// IsState reports whether a path is a regular file that begins like a saved state. No table begins
// like this.
func IsState(path string) bool {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return false
	}
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer file.Close()
	magic := make([]byte, len(pfn.StateMagic))
	_, err = io.ReadFull(file, magic)
	return err == nil && string(magic) == pfn.StateMagic
}

// OpenState reads the beginning of a state file. The caller must close the state. Errors wrap a
// *pfn.StateError and name the file.
func OpenState(path string) (*State, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	s, err := ReadState(file, path)
	if err != nil {
		file.Close()
		return nil, err
	}
	s.file = file
	return s, nil
}

// ReadState reads the beginning of a state; errors call it name. The reader must stay open until
// Restore has returned.
func ReadState(r io.Reader, name string) (*State, error) {
	s := &State{name: name}
	var err error
	if s.State, err = pfn.ReadState(r); err == nil {
		err = s.readSchema()
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return s, nil
}

// readSchema reads the note, which must fit the rest.
func (s *State) readSchema() error {
	decoder := json.NewDecoder(bytes.NewReader(s.Note))
	decoder.DisallowUnknownFields()
	err := decoder.Decode(&s.StateSchema)
	switch {
	case err != nil:
	case s.Format != StateSchemaFormat:
		return &pfn.StateError{Other: true, Msg: fmt.Sprintf("its schema has format %d, and this "+
			"version of pfnamp reads format %d: fit again", s.Format, StateSchemaFormat)}
	case s.Schema == nil || s.Donors == nil:
		err = errors.New("it has no schema")
	case s.Schema.Width() != s.Columns || len(s.Scales) != s.Columns || s.Members < 0:
		err = errors.New("its schema is that of another table")
	case s.Values != "":
		s.support, err = amp.ParseSupport(s.Values)
	}
	if err == nil {
		s.rows, err = s.Donors.Lenders(s.Schema.Categorical(), len(s.Task().Classes()))
		s.rows.Trees = s.Trees
	}
	if err != nil {
		return &pfn.StateError{Msg: "not a state that `pfnamp fit` has saved",
			Err: strictjson.Worded(err)}
	}
	return nil
}

// Keep sets the columns of query tables that pass through, instead of the saved ones.
func (s *State) Keep(columns []string) { s.Schema.Kept = columns }

// Check refuses a model with another task than the state's, before the model is opened. The error
// wraps a *pfn.StateError.
func (s *State) Check(m models.Manifest) error {
	if s.Task().Name() == m.Task {
		return nil
	}
	return fmt.Errorf("%s: %w", s.name, &pfn.StateError{Other: true, Msg: fmt.Sprintf(
		"the state was made with model %s %s, whose task differs from that of %s",
		s.Model, s.Version, m.Name)})
}

// Task returns the task of the target.
func (s *StateSchema) Task() Task { return Task{s.Schema.Labels} }

// Support returns the possible values of the target.
func (s *State) Support() amp.Support { return s.support }

// Options returns the options of the state's fit.
func (s *State) Options() FitOptions {
	o := FitOptions{Target: s.Schema.TargetName, Ignore: s.Ignore, Keep: s.Schema.Kept,
		Categorical: s.Categorical, Numeric: s.Numeric, Subsample: s.Subsample, Seed: s.Seed,
		Dates: s.Dates}
	if s.Values != "" {
		o.Values = &s.support
	}
	return o
}

// Restore restores the fitted context. The model must be of the state's bundle. Errors wrap a
// *pfn.StateError and name the state.
func (s *State) Restore(m *pfn.Model) (*Fitted, error) {
	if err := s.Check(m.Bundle().Manifest); err != nil {
		return nil, err
	}
	c, err := m.Restore(s.State)
	if err == nil && len(s.Task().Classes()) != c.Classes() {
		err = errors.Join(&pfn.StateError{
			Msg: "not a state that `pfnamp fit` has saved: its labels and classes differ"}, c.Close())
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.name, err)
	}
	f := &Fitted{model: m, context: c, schema: s.Schema, options: s.Options(),
		members: s.Members, scales: s.Scales, support: s.support, lending: s.rows}
	if whole, _, known := f.WholeContext(); known && s.Trees == nil {
		f.read = rows.NewIndex(whole.X, whole.Y)
	}
	return f, nil
}

// Close closes the file of the state.
func (s *State) Close() error {
	if s.file == nil {
		return nil
	}
	return s.file.Close()
}

// ContextRows returns the rows of the context in the state, up to 1,024; do not change them.
func (s *State) ContextRows() pfn.Training { return s.rows }

// LoadOptions are the options for loading a saved state. The zero value suits most states.
type LoadOptions struct {
	Model pfn.Options // of the network; Members always come from the state
	// Bundles are the bundles in which Load looks for the state's bundle, named as in [Open]. nil
	// means the embedded and all imported ones.
	Bundles []string
}

// Load restores a fitted table from a state file. It finds the state's bundle and opens its
// network. [Fitted.Close] closes the network too. Load fails with a [*BundleError] if there is no
// such bundle, an *os.PathError about the file, or an error of [OpenState], [Open] and
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

// Bundle finds the state's bundle among the named ones, or without names among the embedded and all
// imported ones. It fails with a [*BundleError], or the error of a name.
func (s *State) Bundle(names ...string) (*models.Bundle, error) {
	b, err := models.FindHash(s.SHA256, names...)
	if b == nil && err == nil {
		err = &BundleError{State: s.name, Model: s.Model, Version: s.Version}
	}
	return b, err
}

// BundleError reports that the state's bundle is not here.
type BundleError struct {
	State          string // its file
	Model, Version string // of the bundle
}

// Error names the state and the bundle, with the remedy.
func (e *BundleError) Error() string {
	return fmt.Sprintf("%s was made with model %s %s, which is not installed: name the "+
		"folder of its bundle, or import it", e.State, e.Model, e.Version)
}
