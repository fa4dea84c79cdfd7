package pfn

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn/internal/ort"
	"github.com/pfnamp/pfnamp/pfn/internal/tabpfn"
)

// barContext is what a TabPFN network has read of a labelled table.
type barContext struct {
	transformer *tabpfn.Transformer
	members     []map[string]ort.Tensor // inputs of the query graph, by member
	borders     []float64               // in units of the target
	compat      bool
	training    Training // for Save
	fingerprint bool
}

// newBarContext is a context without the tensors of its members.
func (m *Model) newBarContext(t *tabpfn.Transformer, table Training, fingerprint bool) *barContext {
	return &barContext{transformer: t, borders: t.Borders(), training: table,
		fingerprint: fingerprint,
		compat:      m.bundle.Manifest.TabPFN.Tails == models.TailsCompat}
}

// barSchema says that columns of codes were declared to be categorical.
func barSchema(t Training) tabpfn.Schema {
	return tabpfn.Schema{Encoded: t.Categorical, Declared: t.Categorical}
}

// barPreset is the composition of a TabPFN ensemble.
func (m *Model) barPreset(members int) tabpfn.Preset {
	manifest := &m.bundle.Manifest
	return tabpfn.Preset{
		Members: members, Seed: manifest.Ensemble.Seed,
		Fingerprint: manifest.TabPFN.Fingerprint && !m.noFingerprint,
		Temperature: manifest.TabPFN.Temperature,
		FixedCDF:    manifest.TabPFN.CDF == models.CDFFixed,
		Borders:     m.bundle.Borders(),
		Recipe:      barRecipe(manifest),
	}
}

// barRecipe are the pipelines that a manifest describes, nil if its preset says them all.
func barRecipe(manifest *models.Manifest) *tabpfn.Recipe {
	given := manifest.TabPFN.Recipe
	if given == nil {
		return nil
	}
	r := &tabpfn.Recipe{Balanced: given.Subsets == "balanced", Products: given.Products,
		MaxCategories: given.MaxCategories, RowsToInfer: given.RowsToInfer,
		FewestForNumber: given.FewestForNumber}
	for i, p := range given.Pipelines {
		r.Pipelines = append(r.Pipelines, tabpfn.Ingredients{
			Name: tabpfn.Pipeline(manifest.Ensemble.Norms[i]), Transform: p.Transform,
			Append: p.Append, Categories: p.Categories, MaxOneHot: p.MaxOneHot,
			Components: p.Components, MaxColumns: p.MaxColumns,
		})
	}
	for _, target := range given.Targets {
		r.PowerTargets = append(r.PowerTargets, target == "safepower")
	}
	return r
}

// fitBars encodes a labelled table, whose target varies, for a TabPFN network.
func (m *Model) fitBars(ctx context.Context, c *Context, t Training, members int) error {
	t.X.Data, t.Y = slices.Clone(t.X.Data), slices.Clone(t.Y) // kept for Save
	t.Categorical = slices.Clone(t.Categorical)
	x, preset := t.X, m.barPreset(members)
	transformer := tabpfn.Fit(x, t.Y, barSchema(t), preset)
	if transformer == nil {
		c.fixed = []*Quantiles{c.rescale(marginal(c.target.Standardize(t.Y), m.heads[0].levels))}
		return nil
	}
	if transformer.Blind() {
		return &InputError{Table: "context", Row: -1, Col: -1, Msg: fmt.Sprintf(
			"a member of model %s reads a part of the features, and none of these varies; "+
				"drop features that do not vary", m.name())}
	}
	widest := m.bundle.Manifest.TabPFN.MaxWidth()
	for i := range transformer.Members {
		if width := transformer.Width(i); width > widest {
			return &InputError{Table: "context", Row: -1, Col: -1, Msg: fmt.Sprintf(
				"features and their categories spread over %d columns, model %s reads at most %d; "+
					"drop features or merge rare categories", width, m.name(), widest)}
		}
	}
	c.bars = m.newBarContext(transformer, t, preset.Fingerprint)
	return m.encodeBars(ctx, c.bars, x)
}

// encodeBars runs the context graph once for every member, several at a time.
func (m *Model) encodeBars(ctx context.Context, c *barContext, x Matrix) (err error) {
	if err := m.acquire(); err != nil {
		return err
	}
	defer m.closing.RUnlock()
	session, err := m.takeContext()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, m.giveContext(session)) }()
	tables := c.transformer.Context(x)
	c.members = make([]map[string]ort.Tensor, len(tables))
	jobs, ctx := errgroup.WithContext(ctx)
	jobs.SetLimit(m.workers)
	for i, table := range tables {
		jobs.Go(func() (err error) {
			c.members[i], err = m.encodeBarMember(ctx, session, map[string]ort.Tensor{
				"X_train": {Shape: shape(1, x.Rows, c.transformer.Width(i)), Data: table},
				"y_train": {Shape: shape(1, x.Rows), Data: c.transformer.Labels(i)},
			})
			return err
		})
	}
	return jobs.Wait()
}

// encodeBarMember runs the context graph for one member.
func (m *Model) encodeBarMember(
	ctx context.Context, session *ort.Session, in map[string]ort.Tensor,
) (map[string]ort.Tensor, error) {
	out, err := session.Run(ctx, in)
	if err != nil {
		return nil, err
	}
	made := map[string]ort.Tensor{}
	for i, port := range session.Outputs() {
		if !finite(out[i].Data) {
			return nil, &ModelError{m.name(), "the encoded context contains NaN or Inf"}
		}
		made[port.Name] = out[i]
	}
	return made, nil
}

// predictBars returns the distributions of query rows.
func (c *Context) predictBars(ctx context.Context, x Matrix) ([]PPD, error) {
	if err := c.admit(x); err != nil {
		return nil, err
	}
	defer c.model.closing.RUnlock()
	ppds := make([]PPD, x.Rows)
	span := spanChunks * c.model.chunk
	for first := 0; first < x.Rows; first += span {
		last := min(first+span, x.Rows)
		if err := c.barSpan(ctx, ppds[first:last], x.Span(first, last)); err != nil {
			return nil, err
		}
	}
	return ppds, nil
}

// combineRows is how many rows one goroutine combines.
const combineRows = 8

// barSpan predicts up to spanChunks chunks of rows, members and blocks of rows side by side.
func (c *Context) barSpan(ctx context.Context, ppds []PPD, x Matrix) error {
	logits, err := c.logits(ctx, x)
	if err != nil {
		return err
	}
	var jobs errgroup.Group
	jobs.SetLimit(c.model.workers)
	for first := 0; first < x.Rows; first += combineRows {
		jobs.Go(func() error {
			for i := first; i < min(first+combineRows, x.Rows); i++ {
				mass := c.bars.transformer.Combine(rowOf(logits, i, c.model.heads[0].levels))
				ppds[i] = newBars(c.bars.borders, mass, c.bars.compat)
			}
			return nil
		})
	}
	return jobs.Wait()
}

// rowOf returns the logits of row i of every member.
func rowOf(logits [][]float32, i, bars int) [][]float32 {
	row := make([][]float32, len(logits))
	for b, all := range logits {
		row[b] = all[i*bars : (i+1)*bars]
	}
	return row
}

// logits runs the query graph and returns the logits [rows, K] of every member.
func (c *Context) logits(ctx context.Context, x Matrix) ([][]float32, error) {
	size, bars := c.blockRows(x.Rows), c.model.heads[0].levels
	out := make([][]float32, len(c.bars.members))
	for b := range out {
		out[b] = make([]float32, x.Rows*bars)
	}
	jobs, ctx := errgroup.WithContext(ctx)
	jobs.SetLimit(c.model.workers)
	for first := 0; first < x.Rows; first += size {
		rows := min(size, x.Rows-first)
		block := c.pad(x.Span(first, first+rows))
		tables := c.bars.transformer.Queries(block)
		for b, table := range tables {
			jobs.Go(func() error {
				in := map[string]ort.Tensor{"X_test": {
					Shape: shape(1, block.Rows, c.bars.transformer.Width(b)), Data: table}}
				for name, tensor := range c.bars.members[b] {
					in[name] = tensor
				}
				results, err := c.model.query.Run(ctx, in)
				if err != nil {
					return err
				}
				values, err := c.model.output(c.model.heads[0], results, block.Rows)
				if err == nil {
					copy(out[b][first*bars:], values[:rows*bars])
				}
				return err
			})
		}
	}
	return out, jobs.Wait()
}
