package workbook

import (
	"archive/zip"
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"
)

// Limits of an Excel sheet (specifications and limits of Excel 2007 and later).
const (
	MaxRows    = 1 << 20
	MaxColumns = 1 << 14
	MaxText    = 32767 // UTF-16 units of a cell
)

// shown are formats of numbers with more digits than six, of which six are shown: with 0 to 6
// decimals, and with an exponent.
var shown = []string{"0", "0.0", "0.00", "0.000", "0.0000", "0.00000", "0.000000", "0.00000E+00"}

// firstShown is the style of the first format.
const firstShown = 4

// styleOf returns the attribute of a cell with a number, whose text has these many characters.
func styleOf(x float64, length int) string {
	size := math.Abs(x)
	format := len(shown) - 1
	if size >= 1e-3 {
		format = max(0, min(6, 5-int(math.Floor(math.Log10(size)))))
	}
	if length <= 7 || size >= 1e15 {
		return ""
	}
	return fmt.Sprintf(` s="%d"`, firstShown+format)
}

// formats repeats XML with a number from first on and with a format of shown.
func formats(xml string, first int) (all string) {
	for i, code := range shown {
		all += strings.NewReplacer("ID", strconv.Itoa(first+i), "CODE", code).Replace(xml)
	}
	return all
}

// parts are the parts of a workbook with one sheet, except the sheet. Style 1 shows a day, 2 a
// time, 3 a column name, those from firstShown on a number.
var parts = [][2]string{
	{"[Content_Types].xml",
		`<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
			`<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
			`<Default Extension="xml" ContentType="application/xml"/>` +
			`<Override PartName="/xl/workbook.xml" ContentType="` + contentType + `sheet.main+xml"/>` +
			`<Override PartName="/xl/worksheets/sheet1.xml" ContentType="` + contentType +
			`worksheet+xml"/>` +
			`<Override PartName="/xl/styles.xml" ContentType="` + contentType + `styles+xml"/></Types>`},
	{"_rels/.rels", `<Relationships xmlns="` + packageRelations + `">` +
		`<Relationship Id="rId1" Type="` + relations + `/officeDocument" Target="xl/workbook.xml"/>` +
		`</Relationships>`},
	{"xl/workbook.xml", `<workbook xmlns="` + spreadsheet + `" xmlns:r="` + relations + `">` +
		`<sheets><sheet name="predictions" sheetId="1" r:id="rId1"/></sheets></workbook>`},
	{"xl/_rels/workbook.xml.rels", `<Relationships xmlns="` + packageRelations + `">` +
		`<Relationship Id="rId1" Type="` + relations + `/worksheet" Target="worksheets/sheet1.xml"/>` +
		`<Relationship Id="rId2" Type="` + relations + `/styles" Target="styles.xml"/></Relationships>`},
	{"xl/styles.xml", `<styleSheet xmlns="` + spreadsheet + `"><numFmts>` +
		`<numFmt numFmtId="164" formatCode="yyyy\-mm\-dd"/>` +
		`<numFmt numFmtId="165" formatCode="yyyy\-mm\-dd\ hh:mm:ss"/>` +
		formats(`<numFmt numFmtId="ID" formatCode="CODE"/>`, 166) + `</numFmts>` +
		`<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>` +
		`<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>` +
		`<fills count="2"><fill><patternFill patternType="none"/></fill>` +
		`<fill><patternFill patternType="gray125"/></fill></fills>` +
		`<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>` +
		`<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>` +
		`<cellXfs><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>` +
		`<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>` +
		`<xf numFmtId="165" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>` +
		`<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>` +
		formats(`<xf numFmtId="ID" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`,
			166) + `</cellXfs>` +
		`<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`},
}

const (
	declaration      = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\n"
	contentType      = "application/vnd.openxmlformats-officedocument.spreadsheetml."
	spreadsheet      = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
	relations        = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	packageRelations = "http://schemas.openxmlformats.org/package/2006/relationships"
)

// begin writes everything before the cells of the first row, which has the names and stays in view.
func (e *encoder) begin(names []string) error {
	for _, part := range parts {
		f, err := e.part(part[0])
		if err == nil {
			_, err = io.WriteString(f, declaration+part[1])
		}
		if err != nil {
			return err
		}
	}
	f, err := e.part("xl/worksheets/sheet1.xml")
	if err != nil {
		return err
	}
	e.sheet = bufio.NewWriter(f)
	e.print(declaration, `<worksheet xmlns="`, spreadsheet,
		`"><sheetViews><sheetView workbookViewId="0">`,
		`<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>`,
		`<cols>`)
	for i, name := range names { // wide enough for its name, or a day
		place := strconv.Itoa(i + 1)
		e.print(`<col min="`, place, `" max="`, place, `" customWidth="1" width="`,
			strconv.Itoa(max(11, min(40, 2+len(name)))), `"/>`)
	}
	e.print(`</cols><sheetData>`)
	return e.nextRow()
}

// part begins a part, with a fixed time.
func (e *encoder) part(name string) (io.Writer, error) {
	return e.zip.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate,
		Modified: time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)})
}

// print writes texts that are XML.
func (e *encoder) print(texts ...string) {
	for _, text := range texts {
		if e.err == nil {
			_, e.err = e.sheet.WriteString(text)
		}
	}
}

func (e *encoder) nextRow() error {
	if e.row++; e.row > MaxRows {
		return errors.New("a sheet holds up to 1,048,576 rows, with the row of names")
	}
	if e.row > 1 {
		e.print("</row>")
	}
	e.print(`<row r="`, strconv.Itoa(e.row), `">`)
	return e.err
}

func (e *encoder) openCell(column int, attributes string) {
	e.print(`<c r="`, Letters(column), strconv.Itoa(e.row), `"`, attributes, `>`)
}

// putNumber writes a number; text is a decimal or an exponent of XML Schema.
func (e *encoder) putNumber(column int, style, text string) {
	e.openCell(column, style)
	e.print("<v>", text, "</v></c>")
}

func (e *encoder) putText(column int, style, text string) error {
	if len(text) > MaxText && len(utf16.Encode([]rune(text))) > MaxText {
		return fmt.Errorf("a workbook cell holds up to %d characters, but this text is longer",
			MaxText)
	}
	e.openCell(column, style+` t="inlineStr"`)
	e.print(`<is><t xml:space="preserve">`, escape(text), `</t></is></c>`)
	return e.err
}

// putDate writes a time, without its zone, and reports whether it can: from March 1900 to 9999, to
// the millisecond. Before that, workbooks count a day that did not exist.
func (e *encoder) putDate(column int, at time.Time, day bool) bool {
	first := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
	if at.Before(first.AddDate(0, 0, 61)) || at.Year() > 9999 ||
		at.Nanosecond()%int(time.Millisecond) != 0 {
		return false
	}
	const perDay = 24 * 60 * 60 * 1000
	ms := at.UnixMilli() - first.UnixMilli()
	style := ` s="2"`
	if day {
		style = ` s="1"`
	}
	e.openCell(column, style)
	e.print("<v>", strconv.FormatFloat(float64(ms/perDay)+float64(ms%perDay)/perDay, 'f', -1, 64),
		"</v></c>")
	return true
}

// Close completes the workbook.
func (e *encoder) Close() error {
	e.print("</row></sheetData></worksheet>")
	if e.err != nil {
		return e.err
	}
	return errors.Join(e.sheet.Flush(), e.zip.Close())
}

// escape escapes a text for XML. Characters that XML cannot hold, and texts that look like their
// escapes, are written in the form of ECMA-376 (ST_Xstring).
func escape(text string) string {
	plain := func(r rune) bool { return r >= ' ' && !strings.ContainsRune("<>&\"_\uFFFE\uFFFF", r) }
	if !strings.ContainsFunc(text, func(r rune) bool { return !plain(r) }) && utf8.ValidString(text) {
		return text
	}
	var s strings.Builder
	for i, r := range text {
		switch {
		case r == '<':
			s.WriteString("&lt;")
		case r == '>':
			s.WriteString("&gt;")
		case r == '&':
			s.WriteString("&amp;")
		case r == '_' && escaped.MatchString(text[i:min(len(text), i+7)]):
			s.WriteString("_x005F_")
		case r == '\t' || r == '\n' || r == '_' || r == '"' || plain(r):
			s.WriteRune(r)
		default:
			fmt.Fprintf(&s, "_x%04X_", r)
		}
	}
	return s.String()
}
