// Package workbook reads the sheets of Excel workbooks (Office Open XML, ECMA-376 part 1) row by
// row, and writes workbooks of one sheet. It returns the values of cells as text, formulas with
// their saved values, and dates in ISO 8601. It checks everything that a file declares and skips
// nothing silently: an index without a text, cells out of order and a sheet without its end are
// errors.
//
// A part may unpack to 64 MiB, or else to 500 times its size, and a sheet is never held as a whole.
// The texts that cells share may take 64 MiB.
package workbook

import (
	"archive/zip"
	"encoding/xml"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/pfnamp/pfnamp/tabular/internal/ground"
)

// Book is a workbook, read except for its cells.
type Book struct {
	Sheets []Sheet // with cells, in their order

	files    map[string]*zip.File // by their names in lower case
	strings  []string             // that cells share
	dates    []bool               // whether a style shows a date
	from1904 bool                 // dates are counted from 1904
}

// Sheet is a sheet with cells.
type Sheet struct {
	Name   string
	Hidden bool

	part string
}

// Kinds of relationships, by the ends of their types.
const (
	isWorkbook = "/officeDocument"
	isSheet    = "/worksheet"
	isStrings  = "/sharedStrings"
	isStyles   = "/styles"
)

// Open reads the description of a workbook of this size.
func Open(in io.ReaderAt, size int64) (*Book, error) {
	archive, err := zip.NewReader(in, size)
	if err != nil {
		return nil, err
	}
	b := &Book{files: make(map[string]*zip.File, len(archive.File))}
	for _, f := range archive.File {
		b.files[partName("", f.Name)] = f
	}
	root, err := b.relations("_rels/.rels", "")
	if err != nil {
		return nil, err
	}
	main := "xl/workbook.xml"
	for _, r := range root {
		if strings.HasSuffix(r.Kind, isWorkbook) {
			main = r.Target
		}
	}
	folder, file := path.Split(main)
	links, err := b.relations(folder+"_rels/"+file+".rels", folder)
	if err == nil {
		err = b.readSheets(main, links)
	}
	for _, r := range links {
		switch {
		case err != nil:
			return nil, err
		case strings.HasSuffix(r.Kind, isStrings):
			err = b.readStrings(r.Target)
		case strings.HasSuffix(r.Kind, isStyles):
			err = b.readStyles(r.Target)
		}
	}
	return b, err
}

// partName returns the name of a part, relative to a folder, as a key of files.
func partName(folder, name string) string {
	name = strings.ReplaceAll(name, `\`, "/")
	if !strings.HasPrefix(name, "/") {
		name = folder + "/" + name
	}
	return strings.ToLower(strings.TrimPrefix(path.Clean("/"+name), "/"))
}

// relation is a link between parts.
type relation struct {
	ID     string `xml:"Id,attr"`
	Kind   string `xml:"Type,attr"`
	Mode   string `xml:"TargetMode,attr"`
	Target string `xml:"Target,attr"`
}

// relations reads the links of the part name in a folder; none if there is no such part.
func (b *Book) relations(name, folder string) ([]relation, error) {
	var part struct {
		Links []relation `xml:"Relationship"`
	}
	if b.files[partName("", name)] == nil {
		return nil, nil
	}
	err := b.decode(name, &part)
	var links []relation
	for _, r := range part.Links {
		if r.Mode != "External" {
			r.Target = partName(folder, r.Target)
			links = append(links, r)
		}
	}
	return links, err
}

func (b *Book) readSheets(name string, links []relation) error {
	var part struct {
		Properties struct {
			From1904 string `xml:"date1904,attr"`
		} `xml:"workbookPr"`
		Sheets []struct {
			Name  string `xml:"name,attr"`
			State string `xml:"state,attr"`
			Link  string `xml:"id,attr"`
		} `xml:"sheets>sheet"`
	}
	if err := b.decode(name, &part); err != nil {
		return err
	}
	b.from1904 = part.Properties.From1904 == "1" || part.Properties.From1904 == "true"
	targets := map[string]string{}
	for _, r := range links {
		if strings.HasSuffix(r.Kind, isSheet) {
			targets[r.ID] = r.Target
		}
	}
	for _, sheet := range part.Sheets {
		if target, ok := targets[sheet.Link]; ok {
			hidden := strings.Contains(strings.ToLower(sheet.State), "hidden")
			b.Sheets = append(b.Sheets, Sheet{sheet.Name, hidden, target})
		}
	}
	return nil
}

// maxTexts is the most bytes that the shared texts take; each counts 32 more.
const maxTexts = 64 << 20

func (b *Book) readStrings(name string) error {
	p, err := b.open(name)
	if err != nil {
		return err
	}
	defer p.Close()
	text := textReader{spelled: "t"}
	for size := 0; size <= maxTexts; {
		token, err := p.RawToken()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		text.take(token)
		if end, ok := token.(xml.EndElement); ok && end.Name.Local == "si" {
			size += text.Len() + 32
			b.strings = append(b.strings, unescape(text.String()))
			text.Reset()
		}
	}
	return fmt.Errorf("the texts take more than %d MiB", maxTexts>>20)
}

// readStyles finds the styles of cells that show a date.
func (b *Book) readStyles(name string) error {
	var part struct {
		Formats []struct {
			ID   string `xml:"numFmtId,attr"`
			Code string `xml:"formatCode,attr"`
		} `xml:"numFmts>numFmt"`
		Styles []struct {
			Format string `xml:"numFmtId,attr"`
		} `xml:"cellXfs>xf"`
	}
	if err := b.decode(name, &part); err != nil {
		return err
	}
	own := map[string]bool{}
	for _, f := range part.Formats {
		own[f.ID] = dateFormat(f.Code)
	}
	for _, style := range part.Styles {
		shows, known := own[style.Format]
		b.dates = append(b.dates, known && shows || !known && builtinDate(style.Format))
	}
	return nil
}

// maxDescription is the limit of a part that describes others. The others have the limits of
// unpacked text.
const maxDescription = 16 << 20

// decode reads a part that describes others into a struct.
func (b *Book) decode(name string, into any) error {
	p, err := b.open(name)
	if err != nil {
		return err
	}
	defer p.Close()
	if p.size > maxDescription {
		return fmt.Errorf("the part %s unpacks to more than %d bytes", name, maxDescription)
	}
	return p.Decode(into)
}

type part struct {
	io.Closer
	*xml.Decoder
	size uint64 // unpacked
}

// open opens a part. Package zip unpacks no more than the size that the archive lists.
func (b *Book) open(name string) (*part, error) {
	f := b.files[partName("", name)]
	if f == nil {
		return nil, fmt.Errorf("the workbook has no part %s", name)
	}
	most := max(ground.ExpandFree, ground.MaxExpand*min(f.CompressedSize64, 1<<40))
	if f.UncompressedSize64 > most {
		return nil, fmt.Errorf("the part %s unpacks to more than %d bytes", f.Name, most)
	}
	in, err := f.Open()
	if err != nil {
		return nil, err
	}
	return &part{in, xml.NewDecoder(in), f.UncompressedSize64}, nil
}
