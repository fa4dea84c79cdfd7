package workbook

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"errors"
	"fmt"
	"io"
	"maps"
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/tabular/internal/ground"
)

const types = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"

// usual are the parts of a workbook but for its one sheet.
var usual = map[string]string{
	"_rels/.rels": `<Relationships><Relationship Id="a" Type="` + types +
		`/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
	"xl/_rels/workbook.xml.rels": `<Relationships>` +
		`<Relationship Id="r1" Type="` + types + `/worksheet" Target="/xl/worksheets/s.xml"/>` +
		`<Relationship Id="r2" Type="` + types + `/sharedStrings" Target="sharedStrings.xml"/>` +
		`<Relationship Id="r3" Type="` + types + `/styles" Target="styles.xml"/></Relationships>`,
	"xl/workbook.xml": `<workbook><sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>`,
	"xl/sharedStrings.xml": `<sst><si><t>plain</t></si><si><r><t xml:space="preserve">two </t></r>` +
		`<r><t>runs</t></r><rPh><t>x</t></rPh></si></sst>`,
	"xl/styles.xml": `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="[Red]dd/mm/yyyy"/>` +
		`<numFmt numFmtId="165" formatCode="0.0 &quot;days&quot;"/></numFmts>` +
		`<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>` +
		`<xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs></styleSheet>`,
}

// pack is a workbook of one sheet; parts replace those of the usual one.
func pack(t testing.TB, sheet string, parts map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(w, flate.BestSpeed)
	})
	all := maps.Clone(usual)
	all["xl/worksheets/s.xml"] = sheet
	maps.Copy(all, parts)
	for name, text := range all {
		w, err := z.Create(name)
		if err == nil {
			_, err = io.WriteString(w, text)
		}
		must.Succeed(t, err)
	}
	must.Succeed(t, z.Close())
	return b.Bytes()
}

// read lists the cells of the first sheet, rows between bars.
func read(data []byte) (string, error) {
	b, err := Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return "", err
	}
	if len(b.Sheets) == 0 {
		return "", errors.New("no sheets")
	}
	p, err := b.open(b.Sheets[0].part)
	if err != nil {
		return "", err
	}
	rows := &Table{book: b, part: p}
	var s strings.Builder
	for {
		row, err := rows.read()
		if err == io.EOF {
			return fmt.Sprintf("%s %d %s", s.String(), rows.merged, rows.firstMerged), nil
		}
		if err != nil {
			return s.String(), err
		}
		fmt.Fprintf(&s, "%d:", row.Line)
		for _, c := range row.Cells {
			fmt.Fprintf(&s, " %s=%s", Letters(c.Column), c.Text)
		}
		s.WriteString("|")
	}
}

func rowsOf(rows string) string {
	return "<worksheet><sheetData>" + rows + "</sheetData></worksheet>"
}

func TestCells(t *testing.T) {
	for sheet, want := range map[string]string{
		`<x:worksheet><x:sheetData><x:row r="2"><x:c r="A2"><x:v>1</x:v></x:c><x:c r="AB2" t="s">` +
			`<x:v>1</x:v></x:c></x:row></x:sheetData></x:worksheet>`: "2: A=1 AB=two runs| 0 ",
		strings.Replace(rowsOf(`<row><c><v> -1.5E-3 </v></c><c t="b"><v>1</v></c><c/><c t="b"><v>0</v></c>`+
			`</row><row/><row><c t="e"><v>#N/A</v></c></row>`), "</worksheet>", `<mergeCells>`+
			`<mergeCell ref="A1:B2"/><mergeCell ref="C1:C2"/></mergeCells></worksheet>`, 1): "1: A=-1.5E-3 " +
			"B=true D=false|3: A=#N/A| 2 A1:B2",
		rowsOf(`<row><c t="inlineStr"><is><t>in</t><r><t>line</t></r></is></c><c t="str">` +
			`<f>A1&amp;1</f><v>a_x000D__x005F_x</v></c><c><f>1+1</f><v>2</v></c>` +
			`<c t="str"><f>""</f><v></v></c></row>`): "1: A=inline B=a\r_x C=2| 0 ",
		rowsOf(`<row><c s="1"><v>44118</v></c><c s="2"><v>44118.0625</v></c><c s="3"><v>44118</v></c>` +
			`<c s="1"><v>59</v></c><c s="1"><v>61</v></c><c t="d"><v>2020-01-02</v></c>` +
			`<c s="9"><v>7</v></c></row>`): "1: A=2020-10-14 B=2020-10-14T01:30:00 C=44118 D=1900-02-28 " +
			"E=1900-03-01 F=2020-01-02 G=7| 0 ",
		`<worksheet><sheetData/></worksheet>`: " 0 ",
	} {
		got, err := read(pack(t, sheet, nil))
		if err != nil || got != want {
			t.Errorf("got  %q, %v\nwant %q", got, err, want)
		}
	}
	mac := strings.Replace(usual["xl/workbook.xml"], "<sheets>", `<workbookPr date1904="1"/><sheets>`,
		1)
	sheet := rowsOf(`<row><c s="1"><v>1.999999999</v></c></row>`)
	got, err := read(pack(t, sheet, map[string]string{"xl/workbook.xml": mac}))
	if got != "1: A=1904-01-03| 0 " {
		t.Errorf("%q, %v", got, err)
	}
}

// Nothing that a sheet says is left out, or read as something else, in silence.
func TestDamage(t *testing.T) {
	row := func(cells string) string { return rowsOf(`<row r="3">` + cells + `</row>`) }
	long := strings.Repeat("x", ground.MaxCell+1)
	for sheet, want := range map[string]string{
		row(`<c r="B3"><v>1</v></c><c r="A3"><v>2</v></c>`):                      `the cell reference "A3" is invalid here`,
		row(`<c r="B4"><v>1</v></c>`):                                            `the cell reference "B4" is invalid here`,
		row(`<c r="XFE3"><v>1</v></c>`):                                          `the cell reference "XFE3" is invalid here`,
		row(`<c r="ZZZZZZZZZZZZZZZZ3"><v>1</v></c>`):                             "is invalid here",
		row(`<c r="3"><v>1</v></c>`):                                             `the cell reference "3" is invalid here`,
		row(`<c r="B3" t="s"><v>2</v></c>`):                                      `cell B3 refers to the text "2", which the workbook does not have`,
		row(`<c t="s"><v>-1</v></c>`):                                            "cell A3 refers to the text",
		row(`<c><v>0x1p3</v></c>`):                                               `cell A3 holds "0x1p3", which is not a number`,
		row(`<c><v>inf</v></c>`):                                                 "which is not a number",
		row(`<c t="b"><v>2</v></c>`):                                             "neither true nor false",
		row(`<c t="z"><v>2</v></c>`):                                             `has the unknown type "z"`,
		row(`<c s="1"><v>60</v></c>`):                                            "cell A3 60 is formatted as a date, but is not one",
		row(`<c s="1"><v>-1</v></c>`):                                            "is formatted as a date, but is not one",
		row(`<c><f>1+1</f></c>`):                                                 "cell A3 has a formula without a value",
		row(`<c><f>1+1</f><v/></c>`):                                             "cell A3 has a formula without a value",
		row(`<c t="str"><f>1+1</f></c>`):                                         "cell A3 has a formula without a value",
		row(`<c t="inlineStr"><is><t>` + long + `</t></is></c>`):                 "is longer than",
		`<worksheet><sheetData><row r="2"/><row r="2"/></sheetData></worksheet>`: `row "2" follows row 2`,
		`<worksheet><sheetData><row r="9999999"/></sheetData></worksheet>`:       `row "9999999" follows row 0`,
		`<worksheet><sheetData><row><c><v>1</v></c></row>`:                       "after row 1: the sheet ends early",
		`<worksheet><sheetData><row><c><v>1`:                                     "after row 1: ",
		`<worksheet><sheetData><row><c><v>1</v>&bad;</c></row></sheetData>`:      "after row 1: XML syntax error",
		`<worksheet></worksheet>`:                                                "the sheet ends early",
	} {
		_, err := read(pack(t, sheet, nil))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.80s: %v, want %s", sheet, err, want)
		}
	}
	for name, text := range map[string]string{"xl/sharedStrings.xml": "<sst><si><t>a</t></si>&",
		"xl/workbook.xml": "<", "xl/styles.xml": "<a b=>", "_rels/.rels": "<Relationships",
		"xl/_rels/workbook.xml.rels": ""} {
		if got, err := read(pack(t, row(`<c t="s"><v>0</v></c>`),
			map[string]string{name: text})); err == nil {
			t.Errorf("%s damaged: %s", name, got)
		}
	}
}

// A bomb is an error before it takes memory or time.
func TestBomb(t *testing.T) {
	zeros := strings.Repeat(" ", ground.ExpandFree+1<<20)
	for name, text := range map[string]string{
		"xl/worksheets/s.xml":  "<worksheet><sheetData>" + zeros,
		"xl/sharedStrings.xml": "<sst>" + strings.Repeat("<si/>", (maxTexts/32)+1),
		"xl/workbook.xml":      "<workbook>" + zeros[:maxDescription],
		"xl/styles.xml":        "<a>" + zeros[:maxDescription],
	} {
		_, err := read(pack(t, "", map[string]string{name: text}))
		if err == nil || !strings.Contains(err.Error(), "more than") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestFormats(t *testing.T) {
	for code, want := range map[string]bool{"General": false, "0.00": false, "dd.mm.yyyy": true,
		"h:mm:ss": false, "[h]:mm": false, "mmm": true, `0 "days"`: false, `\d0`: false,
		"[$-409]d-mmm;@": true, "[Red]0": false, "0_d": false, "mm:ss.0": false, "yyyy": true,
		"#,##0.00 [$€-407]": false} {
		if dateFormat(code) != want {
			t.Errorf("%s is a date: %v", code, !want)
		}
	}
	for column, want := range map[int]string{0: "A", 25: "Z", 26: "AA", 701: "ZZ", 702: "AAA",
		MaxColumns - 1: "XFD"} {
		if got := Letters(column); got != want {
			t.Errorf("%d is %s, want %s", column, got, want)
		}
	}
}

// FuzzParts reads any parts of a workbook: rows whose numbers and columns ascend, or an error.
func FuzzParts(f *testing.F) {
	f.Add(rowsOf(`<row r="2"><c r="A2" s="1"><v>44118</v></c><c r="C2" t="s"><v>1</v></c></row>`+
		`<row><c t="inlineStr"><is><t>x</t></is></c><c t="b"><v>1</v></c><c t="str"><f>A1</f><v/></c></row>`),
		usual["xl/sharedStrings.xml"], usual["xl/styles.xml"], usual["xl/workbook.xml"])
	f.Fuzz(func(t *testing.T, sheet, texts, styles, book string) {
		data := pack(t, sheet, map[string]string{"xl/sharedStrings.xml": texts, "xl/styles.xml": styles,
			"xl/workbook.xml": book})
		b, err := Open(bytes.NewReader(data), int64(len(data)))
		if err != nil || len(b.Sheets) == 0 {
			return
		}
		p, err := b.open(b.Sheets[0].part)
		must.Succeed(t, err)
		rows := &Table{book: b, part: p}
		for last := 0; ; {
			row, err := rows.read()
			if err != nil {
				return
			}
			if int(row.Line) <= last || len(row.Cells) == 0 {
				t.Fatalf("row %d of %d cells after row %d", row.Line, len(row.Cells), last)
			}
			last = int(row.Line)
			for i, c := range row.Cells {
				if c.Text == "" || c.Column < 0 || i > 0 && c.Column <= row.Cells[i-1].Column {
					t.Fatalf("row %d: cells %v", row.Line, row.Cells)
				}
			}
		}
	})
}
