package serve

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/tabular"
)

// A served model reads cells that are spelled otherwise as it reads the plain cell, and says so; or
// it refuses the cell and names its column. Package tabular tests all spellings.
func TestDirtyCells(t *testing.T) {
	h := newServer(t, Options{}).Handler()
	plain := map[string]string{"area": "31.5", "rooms": "2", "town": "York", "lift": "true",
		"built": "2001-01-01"}
	// infer and table are the two ways to send a row: texts as JSON, and CSV.
	infer := func(row map[string]string) *http.Response {
		var inputs []string
		for name, cell := range row {
			inputs = append(inputs, fmt.Sprintf(
				`{"name":%q,"datatype":"BYTES","shape":[1],"data":[%s]}`, name, jsonText(cell)))
		}
		return send(h, "POST", "/v2/models/price/infer",
			[]byte(`{"inputs":[`+strings.Join(inputs, ",")+`]}`))
	}
	table := func(row map[string]string) *http.Response {
		var names, cells []string
		for name, cell := range row {
			names = append(names, name)
			cells = append(cells, `"`+strings.ReplaceAll(cell, `"`, `""`)+`"`)
		}
		return send(h, "POST", "/v2/models/price/table", []byte(strings.Join(names, ",")+"\n"+
			strings.Join(cells, ",")+"\n"), "Content-Type", "text/csv", "Accept", mediaJSON)
	}
	read := 0
	for way, ask := range map[string]func(map[string]string) *http.Response{"infer": infer,
		"table": table} {
		for _, c := range []struct{ column, cell, plain string }{
			{"area", "31,5", "31.5"}, {"area", "1 031.5", "1031.5"}, {"area", "€31.5", "31.5"},
			{"area", "n/a", ""}, {"area", "-", ""}, {"lift", "n/a", ""}, {"lift", "yes", "true"},
			{"lift", "nein", "false"}, {"built", "1 March 2002", "2002-03-01"},
			{"built", "1 mars 2002", "2002-03-01"},
		} {
			row := maps.Clone(plain)
			row[c.column] = c.cell
			r := ask(row)
			got := parse(t, content(t, r))
			if r.StatusCode == http.StatusBadRequest &&
				strings.Contains(got.Error, strconv.Quote(c.column)) {
				continue
			}
			read++
			if r.StatusCode != http.StatusOK ||
				!strings.Contains(got.Parameters.Warnings, strconv.Quote(c.column)) {
				t.Errorf("%s: %q: %s %q", way, c.cell, r.Status, got.Parameters.Warnings)
			}
			row[c.column] = c.plain
			if answer := parse(t, content(t, ask(row))); len(answer.Outputs) == 0 ||
				len(got.Outputs) == 0 || string(answer.Outputs[0].Data) != string(got.Outputs[0].Data) {
				t.Errorf("%s: %q is not read as %q", way, c.cell, c.plain)
			}
		}
	}
	if read < 14 {
		t.Errorf("%d of 20 cells are read", read)
	}
}

// Rows whose towns are mostly unknown are refused with the option that accepts them, and read where
// the question of the model accepts them.
func TestNewCategories(t *testing.T) {
	strict := fixed(t)[0]
	free, err := strict.Predictor.Fitted().Prepare(t.Context(),
		pfnamp.Question{Chains: 50, AllowNew: true})
	must.Succeed(t, err)
	s, err := New([]Model{strict, {Name: "free", Version: "1", Predictor: free}}, Options{})
	must.Succeed(t, err)
	t.Cleanup(s.Close)
	rows := queries(12)
	for _, row := range rows {
		row["town"] = "Atlantis"
	}
	body := rowsJSON(rows)
	csv := written(t, tabular.CSV, tableOf(t, rows).Batches[0].Record)
	for name, status := range map[string]int{"price": http.StatusBadRequest, "free": http.StatusOK} {
		path := "/v2/models/" + name
		for way, r := range map[string]*http.Response{
			"infer": send(s.Handler(), "POST", path+"/infer", body),
			"table": send(s.Handler(), "POST", path+"/table", csv, "Content-Type", "text/csv",
				"Accept", mediaJSON),
		} {
			got := parse(t, content(t, r))
			if said := got.Error + got.Parameters.Warnings; r.StatusCode != status ||
				!strings.Contains(said, `"town"`) || !strings.Contains(said, "Atlantis") {
				t.Errorf("%s of %s: %s, %q", way, name, r.Status, said)
			}
		}
	}
}

// jsonText is a cell as JSON, null for an empty one.
func jsonText(cell string) string {
	if cell == "" {
		return "null"
	}
	text, _ := json.Marshal(cell)
	return string(text)
}
