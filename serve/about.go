package serve

import (
	"math"
	"net/http"
	"slices"

	"github.com/pfnamp/pfnamp/serve/internal/oip"
	"github.com/pfnamp/pfnamp/serve/internal/oippb"
)

// extensions of the protocol that the server has.
var extensions = []string{"binary_tensor_data"}

func (s *Server) about(w http.ResponseWriter, _ *http.Request, _ *request) error {
	return writeJSON(w, http.StatusOK, map[string]any{
		"name": "pfnamp", "version": s.options.Version, "extensions": extensions})
}

func (s *Server) live(w http.ResponseWriter, _ *http.Request, _ *request) error {
	return writeJSON(w, http.StatusOK, map[string]bool{"live": true})
}

func (s *Server) isReady(w http.ResponseWriter, _ *http.Request, _ *request) error {
	return writeJSON(w, s.readyStatus(), map[string]bool{"ready": s.Ready()})
}

func (s *Server) readyStatus() int {
	if s.Ready() {
		return http.StatusOK
	}
	return http.StatusServiceUnavailable
}

func (s *Server) list(w http.ResponseWriter, _ *http.Request, _ *request) error {
	names := []string{}
	for _, m := range s.models() {
		if !slices.Contains(names, m.Name) { // which another version has
			names = append(names, m.Name)
		}
	}
	return writeJSON(w, http.StatusOK, map[string][]string{"models": names})
}

func (s *Server) modelReady(w http.ResponseWriter, _ *http.Request, _ *request, m *model) error {
	return writeJSON(w, s.readyStatus(), map[string]any{"name": m.Name, "ready": s.Ready()})
}

func (s *Server) metadata(w http.ResponseWriter, _ *http.Request, _ *request, m *model) error {
	return writeJSON(w, http.StatusOK, s.metadataOf(m)) // its fields have the names of the protocol
}

// platform is that of all models.
const platform = "pfnamp"

// metadataOf are the features of a model, and the columns of predict.
func (s *Server) metadataOf(m *model) *oippb.ModelMetadataResponse {
	about := &oippb.ModelMetadataResponse{Name: m.Name, Versions: s.versions(m.Name),
		Platform: platform}
	tensor := func(name string, d oip.Datatype) *oippb.ModelMetadataResponse_TensorMetadata {
		return &oippb.ModelMetadataResponse_TensorMetadata{Name: name, Datatype: string(d),
			Shape: []int64{-1}}
	}
	for _, c := range m.schema.Columns {
		about.Inputs = append(about.Inputs, tensor(c.Name, datatype(&c)))
	}
	for _, field := range m.outputs {
		about.Outputs = append(about.Outputs, tensor(field.Name, oip.DatatypeOf(field.Type)))
	}
	return about
}

// columnAbout says what a feature holds.
type columnAbout struct {
	Name       string   `json:"name"`
	Kind       string   `json:"kind"`
	Categories []string `json:"categories,omitempty"`
	Lo         string   `json:"lo,omitempty"` // range in the training table
	Hi         string   `json:"hi,omitempty"`
}

// columns answers with what the page needs to make a form: features with their categories and
// ranges, and what the outputs are.
func (s *Server) columns(w http.ResponseWriter, _ *http.Request, _ *request, m *model) error {
	features := []columnAbout{}
	for _, c := range m.schema.Columns {
		about := columnAbout{Name: c.Name, Kind: c.Kind.String(), Categories: c.Categories}
		if c.Categories == nil && c.Lo <= c.Hi && !math.IsInf(c.Hi-c.Lo, 0) {
			about.Lo, about.Hi = c.Text(c.Lo), c.Text(c.Hi)
		}
		features = append(features, about)
	}
	q, estimates := m.Predictor.Question(), []map[string]string{} // functionals, or classes
	for i, name := range q.Names(m.schema) {                      // the unit is target or probability
		estimates = append(estimates,
			map[string]string{"name": name, "unit": q.Functionals[i].Unit().String()})
	}
	return writeJSON(w, http.StatusOK, map[string]any{"name": m.Name, "version": m.Version,
		"target": m.schema.TargetName, "rows": m.Predictor.Fitted().Context().Rows(),
		"classes": m.Predictor.Fitted().Classes(), "level": q.Level,
		"estimates": estimates, "features": features})
}
