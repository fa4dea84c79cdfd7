package report

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"regexp"
	"strings"

	"github.com/pfnamp/pfnamp/internal/numberscript"
	"github.com/pfnamp/pfnamp/internal/plain"
)

// Page is an HTML document in one file that loads nothing. It holds its numbers once, as JSON; a
// script in the page draws the pictures and lists the rows. Texts and tables are plain HTML, so
// they show without the script too.
type Page struct {
	Title    string
	Verdict  []string // the conclusions, shown first, one paragraph each
	Lead     []string // introductory paragraphs
	Sections []Section
}

// Section is a part of a page.
type Section struct {
	Title string
	Text  []string // paragraphs
	Table *Table   // nil for none
	Chart Chart    // without panels for none
	Rows  *Answers // nil for none; at most one section of a page has rows
	List  []string // items of a bulleted list

	Folded bool // the section is collapsed to its title until the reader opens it
}

// Table has a header and rows of text. Its first Names columns are aligned left, the others right.
type Table struct {
	Names  int
	Header []string
	Rows   [][]string
}

// Right reports whether a column is aligned right.
func (t Table) Right(column int) bool { return column >= t.Names }

// With adds notes, and names and values that describe question and model, at the end of a page.
func (p Page) With(notes []string, facts [][2]string) Page {
	if len(notes) > 0 {
		p.Sections = append(p.Sections, Section{Title: "Notes", List: notes})
	}
	table := &Table{Names: 2}
	for _, fact := range facts {
		table.Rows = append(table.Rows, fact[:])
	}
	p.Sections = append(p.Sections,
		Section{Title: "Settings and versions", Table: table, Folded: true})
	return p
}

//go:embed web
var web embed.FS

func webFile(names ...string) string {
	var all []byte
	for _, name := range names {
		text, err := web.ReadFile("web/" + name)
		if err != nil {
			panic(err) // the file is part of the program
		}
		all = append(all, text...)
	}
	return string(all)
}

var (
	pageStyle  = webFile("page.css")
	pageScript = numberscript.Script + webFile("dom.js", "axes.js", "chart.js", "detail.js",
		"rows.js", "page.js")
	pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{
		"readable": readable}).Parse(webFile("page.html")))

	// unbroken keeps numbers and what belongs to them on one line.
	unbroken = strings.NewReplacer(" %", "\u00a0%", "± ", "±\u00a0")

	// A number of five digits or more, if the whole token is one, as no name or version is.
	token = regexp.MustCompile(`[\pL\pN_.]+`)
	long  = regexp.MustCompile(`^(\d{1,3})((?:\d{3})+)(\.\d*)?$`)
	three = regexp.MustCompile(`\d{3}`)
)

// readable is a text as HTML, whose long numbers have gaps between thousands. The gaps are no
// characters, so that the numbers can be copied.
func readable(text string) template.HTML {
	text = template.HTMLEscapeString(unbroken.Replace(text))
	return template.HTML(token.ReplaceAllStringFunc(text, func(word string) string {
		part := long.FindStringSubmatch(word)
		if len(part) == 0 || len(part[1])+len(part[2]) < 5 {
			return word
		}
		return part[1] + three.ReplaceAllString(part[2], `<span class="k">$0</span>`) + part[3]
	}))
}

// pageView is what the template reads.
type pageView struct {
	Page
	Policy string // what a browser may load and run: this style and this script
	Style  template.CSS
	Script template.JS
	Data   template.JS
	Views  []sectionView
}

// sectionView is a section with the number of its picture, -1 for none.
type sectionView struct {
	Section
	Picture int
}

// pageData is what the script reads.
type pageData struct {
	Charts []chartData `json:"charts"`
	Rows   *rowsData   `json:"rows,omitempty"`
}

// Write renders the page as HTML. Equal pages give equal bytes.
func (p Page) Write(w io.Writer) error {
	view := pageView{Page: p, Style: template.CSS(pageStyle), Script: template.JS(pageScript),
		Policy: fmt.Sprintf("default-src 'none'; script-src %s; style-src %s; base-uri 'none'; "+
			"form-action 'none'", hashSource(pageScript), hashSource(pageStyle))}
	data := pageData{Charts: []chartData{}}
	for _, s := range p.Sections {
		v := sectionView{s, -1}
		if s.Chart.Panels != nil {
			v.Picture = len(data.Charts)
			data.Charts = append(data.Charts, newChartData(s.Chart))
		}
		if s.Rows != nil {
			data.Rows = newRowsData(s.Rows)
		}
		view.Views = append(view.Views, v)
	}
	text, err := json.Marshal(data) // with <, >, & and line separators escaped
	if err != nil {
		return err
	}
	view.Data = template.JS(text)
	return pageTemplate.Execute(&plain.Writer{To: w}, view)
}

// hashSource names a text in a content security policy.
func hashSource(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// WriteTables writes title, verdict, lead and tables as Markdown, without the other texts and the
// charts.
func (p Page) WriteTables(w io.Writer) error {
	var out strings.Builder
	out.WriteString("# " + markdown(p.Title) + "\n")
	for _, text := range append(p.Verdict[:len(p.Verdict):len(p.Verdict)], p.Lead...) {
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

// marks are the characters by which a text could become something else in Markdown: a cell, code, a
// link or a picture, an HTML element.
var marks = strings.NewReplacer("|", `\|`, "`", "\\`", "[", `\[`, "<", "&lt;")

// markdown is a text of one line as Markdown shows it.
func markdown(text string) string { return marks.Replace(plain.Text(text)) }

// Markdown renders the table in the syntax of GitHub.
func (t Table) Markdown() string {
	var out strings.Builder
	line := func(cells []string) {
		out.WriteString("|")
		for _, c := range cells {
			out.WriteString(" " + markdown(c) + " |")
		}
		out.WriteString("\n")
	}
	line(t.Header)
	rule := make([]string, len(t.Header))
	for i := range rule {
		if rule[i] = "---"; t.Right(i) {
			rule[i] = "---:"
		}
	}
	line(rule)
	for _, row := range t.Rows {
		line(row)
	}
	return out.String()
}
