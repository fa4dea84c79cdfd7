package report

import (
	"bytes"
	"html/template"
	"io"
	"strings"

	"github.com/pfnamp/pfnamp/internal/plain"
)

// Page is a self-contained HTML document: no scripts, no fetched fonts, pictures as inline SVG.
type Page struct {
	Title    string
	Lead     []string // paragraphs
	Sections []Section
}

// Section is a part of a page.
type Section struct {
	Title string
	Text  []string // paragraphs
	Table *Table   // nil for none
	Chart Drawing  // nil for none
}

// Drawing is a picture: a [Chart] or a [Figure].
type Drawing interface {
	Write(w io.Writer, format string) error
}

// Table has a header and rows of text; columns after the first Names are set flush right.
type Table struct {
	Names  int
	Header []string
	Rows   [][]string
}

// Write renders the page. Equal pages give equal bytes.
func (p Page) Write(w io.Writer) error {
	view := pageView{Title: p.Title, Lead: p.Lead}
	for _, s := range p.Sections {
		v := sectionView{Section: s}
		if s.Chart != nil {
			var svg bytes.Buffer
			if err := s.Chart.Write(&svg, "svg"); err != nil {
				return err
			}
			text := svg.Bytes()
			if at := bytes.Index(text, []byte("<svg")); at > 0 {
				text = text[at:] // without the XML declaration, which HTML does not know
			}
			v.SVG = template.HTML(text)
		}
		view.Sections = append(view.Sections, v)
	}
	return pageTemplate.Execute(&plain.Writer{To: w}, view)
}

// WriteTables writes title, lead and the tables as Markdown.
func (p Page) WriteTables(w io.Writer) error {
	var out strings.Builder
	out.WriteString("# " + markdown(p.Title) + "\n")
	for _, text := range p.Lead {
		out.WriteString("\n" + markdown(text) + "\n")
	}
	for _, s := range p.Sections {
		if s.Table != nil {
			out.WriteString("\n## " + markdown(s.Title) + "\n\n" + s.Table.Markdown())
		}
	}
	_, err := io.WriteString(w, out.String())
	return err
}

type pageView struct {
	Title    string
	Lead     []string
	Sections []sectionView
}

type sectionView struct {
	Section
	SVG template.HTML
}

// Right tells whether a column is set flush right.
func (t Table) Right(column int) bool { return column >= t.Names }

var pageTemplate = template.Must(template.New("page").Parse(`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{.Title}}</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; color: #222; max-width: 60rem;
  margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2rem; }
table { border-collapse: collapse; font-size: 0.9rem; font-variant-numeric: tabular-nums; }
th, td { padding: 0.15rem 0.8rem 0.15rem 0; text-align: left; white-space: nowrap; }
th { border-bottom: 1px solid #888; } .n { text-align: right; }
svg { max-width: 100%; height: auto; } .scroll { overflow-x: auto; }
</style>
</head>
<body>
<h1>{{.Title}}</h1>
{{range .Lead}}<p>{{.}}</p>
{{end}}{{range .Sections}}<h2>{{.Title}}</h2>
{{range .Text}}<p>{{.}}</p>
{{end}}{{with $t := .Table}}<div class="scroll"><table>
<thead><tr>{{range $i, $h := .Header -}}
<th{{if $t.Right $i}} class="n"{{end}}>{{$h}}</th>{{end}}</tr></thead>
<tbody>
{{range .Rows}}<tr>{{range $i, $c := . -}}
<td{{if $t.Right $i}} class="n"{{end}}>{{$c}}</td>{{end}}</tr>
{{end}}</tbody></table></div>
{{end}}{{with .SVG}}<div class="scroll">{{.}}</div>
{{end}}{{end}}</body>
</html>
`))
