package serve

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/batching"
	"github.com/pfnamp/pfnamp/check"
	"github.com/pfnamp/pfnamp/serve/internal/oip"
	"github.com/pfnamp/pfnamp/tabular"
)

// Model is a predictor with a name. The caller owns the predictor and closes it after the server.
type Model struct {
	Name      string // letters and digits, and after the first character also . _ -
	Version   string // the same characters; for example the hash of a state
	Predictor *pfnamp.Predictor
	// Done, if not nil, is called when the server no longer needs the predictor: after a
	// replacement, or at the end.
	Done func()
}

// plainName is what may stand in a path without being escaped.
var plainName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)

// model is a Model that is served.
type model struct {
	Model
	schema  *tabular.Schema
	outputs []arrow.Field
	batcher *batching.Batcher // from start on
	watch   *check.Watch      // likewise, nil where rows are not compared
	limits  Limits

	users   int  // requests; Server.mu guards it
	retired bool // likewise: the last user ends it
}

func newModel(m Model, l Limits) (*model, error) {
	for _, pair := range [][2]string{{"name", m.Name}, {"version", m.Version}} {
		if what, text := pair[0], pair[1]; !plainName.MatchString(text) {
			return nil, fmt.Errorf("serve: the %s %q of a model has a character that is not allowed: use "+
				"letters and digits, and after the first character also . _ -", what, text)
		}
	}
	outputs, err := m.Predictor.Layout().Fields()
	if err != nil {
		return nil, fmt.Errorf("serve: model %s: %w", m.Name, err)
	}
	return &model{Model: m, schema: m.Predictor.Fitted().Schema(), outputs: outputs, limits: l}, nil
}

// promises are what clients know of a model, sorted: its bundle, target, features, which they send
// by name, and outputs, which they may read by position.
func (m *model) promises() []string {
	bundle := m.Predictor.Fitted().Model().Bundle()
	all := []string{fmt.Sprintf("bundle %s %.12s", bundle.Manifest.Name, bundle.SHA256()),
		"target " + m.schema.TargetName}
	for _, c := range m.schema.Columns {
		all = append(all, fmt.Sprintf("feature %s %s", c.Name, datatype(&c)))
	}
	for i, f := range m.outputs {
		all = append(all, fmt.Sprintf("output %d %s", i+1, f.Name))
	}
	return slices.Sorted(slices.Values(all))
}

// datatype is what the metadata say of a feature; others that can be read as it are taken too.
func datatype(c *tabular.Column) oip.Datatype {
	switch c.Kind {
	case tabular.Boolean:
		return oip.Bool
	case tabular.Numeric, tabular.Empty:
		return oip.FP64
	}
	return oip.Bytes // dates and times by ISO 8601
}

// tooManyRows refuses a request whose answer is one response.
func tooManyRows(most int) error {
	return faultf(http.StatusRequestEntityTooLarge, "the request has more than the %d rows of a "+
		"response: send fewer rows at once, or a table with the header Accept: text/csv, which has no "+
		"limit", most)
}

// predict answers for a table in pieces of a run.
func (m *model) predict(ctx context.Context, record arrow.RecordBatch) (*collected, error) {
	rows, first := record.NumRows(), int64(-1)
	if rows > int64(m.limits.Rows) {
		return nil, tooManyRows(m.limits.Rows)
	}
	return m.collect(ctx, func(context.Context) (*tabular.Batch, error) {
		if first < 0 {
			first = 0 // one piece at least
		} else if first += int64(m.limits.BatchRows); first >= rows {
			return nil, io.EOF
		}
		return &tabular.Batch{File: "request", First: first,
			Record: record.NewSlice(first, min(first+int64(m.limits.BatchRows), rows))}, nil
	})
}

func (m *model) infer(ctx context.Context, r *oip.Request, of *request) (*oip.Response, error) {
	asked, err := m.asked(r)
	if err != nil {
		return nil, err
	}
	record, err := oip.Record(r.Inputs, m.schema.FeatureNames())
	if err != nil {
		return nil, err
	}
	a, err := m.predict(ctx, record)
	if err != nil {
		return nil, err
	}
	of.rows = a.rows
	return m.response(r, a, asked), nil
}

func (m *model) response(r *oip.Request, a *collected, asked []int) *oip.Response {
	response := &oip.Response{Model: m.Name, Version: m.Version, ID: r.ID,
		Warnings: strings.Join(a.notes(), "; ")}
	for _, at := range asked {
		field := m.outputs[at]
		out := oip.Result{Name: field.Name, Rows: a.rows, Binary: r.InBinary(field.Name)}
		out.Datatype = oip.DatatypeOf(field.Type)
		for _, record := range a.records {
			out.Pieces = append(out.Pieces, record.Column(at))
		}
		response.Outputs = append(response.Outputs, out)
	}
	return response
}

// asked lists the positions of the outputs that are asked for.
func (m *model) asked(r *oip.Request) ([]int, error) {
	var asked []int
	for at := range m.outputs {
		if len(r.Outputs) == 0 {
			asked = append(asked, at)
		}
	}
	for _, o := range r.Outputs {
		at := slices.IndexFunc(m.outputs, func(f arrow.Field) bool { return f.Name == o.Name })
		if at < 0 {
			return nil, faultf(http.StatusBadRequest,
				"model %s has no output %q: GET /v2/models/%s lists its outputs", m.Name, o.Name, m.Name)
		}
		if slices.Contains(asked, at) {
			return nil, faultf(http.StatusBadRequest, "the request names the output %q twice", o.Name)
		}
		asked = append(asked, at)
	}
	return asked, nil
}
