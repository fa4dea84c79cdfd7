package serve

import (
	"cmp"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	gotoken "go/token"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/tabular"
)

// spellingTables lists the texts in the tables of a file of package tabular, by the name of the
// variable: the rows of texts of each.
func spellingTables(t *testing.T) map[string][][]string {
	t.Helper()
	const tablesFile = "../tabular/internal/spelling/spellings.go"
	tree, err := parser.ParseFile(gotoken.NewFileSet(), tablesFile, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	tables := map[string][][]string{}
	ast.Inspect(tree, func(n ast.Node) bool {
		of, ok := n.(*ast.ValueSpec)
		if !ok || len(of.Values) != 1 {
			return true
		}
		list, ok := of.Values[0].(*ast.CompositeLit)
		if !ok {
			return true
		}
		for _, e := range list.Elts {
			var row []string
			ast.Inspect(e, func(n ast.Node) bool {
				if text, ok := n.(*ast.BasicLit); ok {
					s, _ := strconv.Unquote(text.Value)
					row = append(row, s)
				}
				_, call := n.(*ast.CallExpr)
				return !call
			})
			tables[of.Names[0].Name] = append(tables[of.Names[0].Name], row)
		}
		return true
	})
	return tables
}

// A served model reads every line of the tables of spellings, signs of missing values, truth values
// and months as it reads the plain cell, and says so; or it refuses the cell and names its column.
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
	read, refused := 0, 0
	for way, ask := range map[string]func(map[string]string) *http.Response{"infer": infer,
		"table": table} {
		same := func(column, cell, want string) {
			t.Helper()
			row := map[string]string{}
			for name, text := range plain {
				row[name] = text
			}
			row[column] = cell
			r := ask(row)
			got := parse(t, content(t, r))
			if r.StatusCode == http.StatusBadRequest && strings.Contains(got.Error, strconv.Quote(column)) {
				refused++
				return
			}
			read++
			usual := strings.Contains("true false nan null", cell)
			if r.StatusCode != http.StatusOK || !usual && !strings.Contains(got.Parameters.Warnings,
				strconv.Quote(column)) {
				t.Errorf("%s: %q: %s %q", way, cell, r.Status, got.Parameters.Warnings)
			}
			row[column] = want
			if answer := parse(t, content(t, ask(row))); len(answer.Outputs) == 0 ||
				len(got.Outputs) == 0 || string(answer.Outputs[0].Data) != string(got.Outputs[0].Data) {
				t.Errorf("%s: %q is not read as %q", way, cell, want)
			}
		}
		tables := spellingTables(t)
		for _, s := range tables["Spellings"] {
			example := s[0] // a name that is a constant is no text
			if len(s) > 1 && !strings.ContainsAny(example, "15") || strings.HasPrefix(example, "with") {
				example = s[1]
			}
			same("area", example,
				cmp.Or(map[string]string{"1.5 DR": "1.5", "-1_500": "-1500"}[example], "-1.5"))
		}
		for _, sign := range tables["MissingSigns"] {
			same("area", sign[0], "")
			same("lift", sign[0], "")
		}
		for _, pair := range tables["Truths"] {
			same("lift", pair[0], "true")
			if pair[1] != "" {
				same("lift", pair[1], "false")
			}
		}
		for _, language := range tables["MonthNames"] {
			for i, name := range strings.Fields(language[0]) {
				if i == 12 || len(strings.Fields(language[0])) < 12 {
					break
				}
				same("built", "1 "+name+" 2002", fmt.Sprintf("2002-%02d-01", i+1))
			}
		}
	}
	if read < 300 || refused > read/5 {
		t.Errorf("%d are read, %d refused", read, refused)
	}
}

// Rows whose towns are mostly unknown are refused with the option that accepts them, and read where
// the question of the model accepts them.
func TestNewCategories(t *testing.T) {
	strict := fixed(t)[0]
	free, err := strict.Predictor.Fitted().Prepare(t.Context(),
		pfnamp.Question{Chains: 50, AllowNew: true})
	if err != nil {
		t.Fatal(err)
	}
	s, err := New([]Model{strict, {Name: "free", Version: "1", Predictor: free}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	rows := queries(12)
	for _, row := range rows {
		row["town"] = "Atlantis"
	}
	body := []byte(`{"inputs":[` + tensorsJSON(rows, "[%d]") + `]}`)
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
