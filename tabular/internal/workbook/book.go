// Package workbook reads the sheets of Excel workbooks (Office Open XML, ECMA-376 part 1) row by
// row, and writes workbooks of one sheet. It returns the values of cells as text, formulas with
// their saved values, and dates in ISO 8601. It checks everything that a file declares and skips
// nothing silently: an index without a text, cells out of order and a sheet without its end are
// errors.
//
// Memory is limited: a part may unpack to 64 MiB, or else to 500 times its size, and is never held
// as a whole. The texts that cells share may take 64 MiB.
package workbook

import (
	"archive/zip"
	"encoding/xml"
	"fmt"
	"io"
	"path"
	"strings"
)

// Book is a workbook, read except for its cells.
type Book struct {
	Sheets []Sheet // with cells, in their order

	files    map[string]*zip.File // by their names in lower case
	size     int64
	strings  []string // that cells share
	dates    []bool   // whether a style shows a date
	from1904 bool     // dates are counted from 1904
}

// Sheet is a sheet with cells.
type Sheet struct {
	Name   string
	Hidden bool

	part string
}

// Limits of a workbook.
const (
	maxSheets = 10_000
	maxStyles = 1 << 17
	maxTexts  = 64 << 20 // bytes of the shared texts; each counts 32 more
)

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
	b := &Book{files: make(map[string]*zip.File, len(archive.File)), size: size}
	for _, f := range archive.File {
		b.files[partName("", f.Name)] = f
	}
	root, err := b.relations("_rels/.rels", "")
	if err != nil {
		return nil, err
	}
	main := "xl/workbook.xml"
	for _, r := range root {
		if strings.HasSuffix(r.kind, isWorkbook) {
			main = r.target
		}
	}
	folder, file := path.Split(main)
	links, err := b.relations(folder+"_rels/"+file+".rels", strings.TrimSuffix(folder, "/"))
	if err == nil {
		err = b.readBook(main, links)
	}
	for _, r := range links {
		switch {
		case err != nil:
			return nil, err
		case strings.HasSuffix(r.kind, isStrings):
			err = b.readStrings(r.target)
		case strings.HasSuffix(r.kind, isStyles):
			err = b.readStyles(r.target)
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
type relation struct{ kind, target string }

// relations reads the links of the part name in a folder, by their names; none if there is no such
// part.
func (b *Book) relations(name, folder string) (map[string]relation, error) {
	links := map[string]relation{}
	if b.files[partName("", name)] == nil {
		return links, nil
	}
	err := b.eachElement(name, func(start xml.StartElement) error {
		if start.Name.Local == "Relationship" && attribute(start, "TargetMode") != "External" {
			links[attribute(start, "Id")] = relation{attribute(start, "Type"),
				partName(folder, attribute(start, "Target"))}
		}
		return nil
	})
	return links, err
}

// readBook reads the list of sheets.
func (b *Book) readBook(name string, links map[string]relation) error {
	return b.eachElement(name, func(start xml.StartElement) error {
		switch start.Name.Local {
		case "workbookPr":
			value := attribute(start, "date1904")
			b.from1904 = value == "1" || value == "true"
		case "sheet":
			if len(b.Sheets) == maxSheets {
				return fmt.Errorf("there are more than %d sheets", maxSheets)
			}
			link := links[attribute(start, "id")]
			if strings.HasSuffix(link.kind, isSheet) {
				hidden := strings.Contains(strings.ToLower(attribute(start, "state")), "hidden")
				b.Sheets = append(b.Sheets, Sheet{attribute(start, "name"), hidden, link.target})
			}
		}
		return nil
	})
}

// each calls f for every token of a part. Tokens are valid during the call.
func (b *Book) each(name string, f func(xml.Token) error) error {
	p, err := b.open(name)
	if err != nil {
		return err
	}
	defer p.Close()
	for {
		token, err := p.token()
		if err == nil {
			err = f(token)
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// eachElement calls f for every element that begins in a part.
func (b *Book) eachElement(name string, f func(xml.StartElement) error) error {
	return b.each(name, func(token xml.Token) error {
		if start, ok := token.(xml.StartElement); ok {
			return f(start)
		}
		return nil
	})
}

// attribute returns the value of an attribute, with any prefix, "" if it is missing.
func attribute(start xml.StartElement, name string) string {
	for _, a := range start.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// readStrings reads the texts that cells share.
func (b *Book) readStrings(name string) error {
	var text textReader
	size := 0
	return b.each(name, func(token xml.Token) error {
		text.take(token)
		if end, ok := token.(xml.EndElement); ok && end.Name.Local == "si" {
			if size += text.Len() + 32; size > maxTexts {
				return fmt.Errorf("the texts take more than %d MiB", maxTexts>>20)
			}
			b.strings = append(b.strings, unescape(text.String()))
			text.Reset()
		}
		return nil
	})
}

// readStyles finds the styles of cells that show a date.
func (b *Book) readStyles(name string) error {
	formats, inside := map[string]bool{}, false
	return b.eachElement(name, func(v xml.StartElement) error {
		switch id := attribute(v, "numFmtId"); v.Name.Local {
		case "numFmt":
			formats[id] = dateFormat(attribute(v, "formatCode"))
		case "cellXfs", "cellStyleXfs", "dxfs":
			inside = v.Name.Local == "cellXfs"
		case "xf":
			own, known := formats[id]
			if inside {
				b.dates = append(b.dates, known && own || !known && builtinDate(id))
			}
		}
		if len(formats)+len(b.dates) > maxStyles {
			return fmt.Errorf("there are more than %d styles", maxStyles)
		}
		return nil
	})
}

// Limits of an unpacked part: beyond expandFree bytes, at most maxExpand times its packed size. And
// the largest name, attribute or text in it.
const (
	maxExpand  = 500
	expandFree = 64 << 20
	maxToken   = 4 << 20
)

// part is an open part of a workbook.
type part struct {
	name   string
	in     io.ReadCloser
	xml    *xml.Decoder
	n      int64 // bytes read
	token0 int64 // bytes read before this token
	most   int64 // bytes that may be read
}

// open opens a part.
func (b *Book) open(name string) (*part, error) {
	f := b.files[partName("", name)]
	if f == nil {
		return nil, fmt.Errorf("the workbook has no part %s", name)
	}
	in, err := f.Open()
	if err != nil {
		return nil, err
	}
	packed := int64(min(f.CompressedSize64, uint64(b.size)))
	p := &part{name: f.Name, in: in, most: max(expandFree, maxExpand*packed)}
	p.xml = xml.NewDecoder(p)
	return p, nil
}

// Read reads until a limit is exceeded.
func (p *part) Read(b []byte) (int, error) {
	n, err := p.in.Read(b)
	p.n += int64(n)
	switch {
	case p.n > p.most:
		return 0, fmt.Errorf("the part %s unpacks to more than %d times its size", p.name, maxExpand)
	case p.n-p.token0 > maxToken:
		return 0, fmt.Errorf("the part %s has a text of more than %d bytes", p.name, maxToken)
	}
	return n, err
}

// token returns the next token, which is valid until the one after it. It does not notice that the
// part ends inside an element.
func (p *part) token() (xml.Token, error) {
	p.token0 = p.n
	return p.xml.RawToken()
}

// Close ends reading.
func (p *part) Close() error { return p.in.Close() }
