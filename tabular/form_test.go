package tabular

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/tabular/internal/spelling"
)

// semicolons reads a table whose cells hold commas.
func semicolons(t testing.TB, text string, decimal byte) *Table {
	return readText(t, text, ReadOptions{Delimiter: ';', Decimal: decimal})
}

// Numbers and dates as people and Excel write them are read with a note that shows one.
func TestForms(t *testing.T) {
	for _, c := range []struct {
		name, text string // without its header x;y; y is read as a number
		decimal    byte
		want       string // values of x
		note       string
	}{
		{"decimal commas", "953,0;1\n-1,5e2;2\n,5;3\n7;4\n", 0, "[953 -150 0.5 7]",
			`column "x": numbers are written with decimal commas: "953,0" (line 2) is read as 953 ` +
				"(ReadOptions.Decimal changes the decimal sign)"},
		{"asked for", "953,0;1\n1.234,5;2\n", ',', "[953 1234.5]", ""},
		{"groups and commas", "1.200;1\n1.234.567,8;2\n", 0, "[1200 1.2345678e+06]", `"1.200" (line 2)`},
		{"groups settled", "1,234;1.5\n12,345;2\n", 0, "[1234 12345]",
			`column "x": numbers are written with grouped digits: "1,234" (line 2) is read as 1234`},
		{"commas settled", "1,234;1,5\n5,678;2\n", 0, "[1.234 5.678]",
			`column "x": numbers are written with decimal commas: "1,234" (line 2) is read as 1.234, as ` +
				"in other columns"},
		{"points settled", "1.234;1,5\n950;2\n", 0, "[1234 950]", `"1.234" (line 2) is read as 1234`},
		{"points unsettled", "1.234;1\n5.678;2\n", 0, "[1.234 5.678]", ""},
		{"groups certain", "1,234.5;1\n12;2\n1'000;3\n", 0, "[1234.5 12 1000]", "with grouped digits"},
		{"spaces", "1 200;1\n1\u202f234\u202f567,5;2\n", 0, "[1200 1.2345675e+06]", "decimal commas"},
		{"percentages", "20%;1\n12,5 %;2\n-3%;3\n", 0, "[20 12.5 -3]",
			`column "x": numbers are written as percentages: "20%" (line 2) is read as 20`},
		{"currency before", "€ 1.200,50;1\n-€5;2\n7;3\n", 0, "[1200.5 -5 7]", "as amounts in €"},
		{"currency behind", "5 EUR;1\n1 200,5 EUR;2\n", 0, "[5 1200.5]", "as amounts in EUR"},
		{"dollars", "$5;1\n$1,234.00;2\n", 0, "[5 1234]", "as amounts in $"},
		{"accounting", "$5;1\n($1,234.50);2\n($7);3\n", 0, "[5 -1234.5 -7]", "as amounts in $"},
		{"accounting without a currency", "5.25;1\n(1,234.50);2\n", 0, "[5.25 -1234.5]",
			"read as -1234.5"},
		{"target", "1;953,0\n2;1,5\n", 0, "[1 2]", `column "y": numbers are written with decimal commas`},
		{"days first", "14.10.1970;1\n01.02.1970;2\n", 0, "[286 31]",
			`column "x" holds dates with the day first: "14.10.1970" (line 2) is 1970-10-14; ` +
				"they become days since 1970-01-01"},
		{"strokes", "31/12/1969;1\n1/2/1970;2\n", 0, "[-1 31]",
			`day first: "1/2/1970" (line 3) is 1970-02-01`},
		{"months first", "12/31/1969;1\n01/02/1970;2\n", 0, "[-1 1]", "month first"},
		{"times", "01.01.1970 00:01;1\n2.1.1970;2\n", 0, "[60 86400]", "seconds since"},
		{"times before 1970", "31.12.1969 18:00;1\n2.1.1970;2\n", 0, "[-21600 86400]",
			`"31.12.1969 18:00" (line 2) is 1969-12-31`},
		{"same day", "1/1/1970;1\n02/02/1970;2\n", 0, "[0 32]", "holds dates: \"1/1/1970\""},
	} {
		t.Run(c.name, func(t *testing.T) {
			table := semicolons(t, "x;y\n"+c.text, c.decimal)
			s, x, _ := trained(t, table, SchemaOptions{Target: "y"})
			if got := fmt.Sprint(x.Data); got != c.want {
				t.Errorf("%v is read as %s, want %s", c.text, got, c.want)
			}
			notes := strings.Join(s.Notes, "; ")
			if !strings.Contains(notes, c.note) || c.note == "" && notes != "" {
				t.Errorf("notes %q, want %q", notes, c.note)
			}
			y, _, err := throughJSON(t, s).Training(table)
			if err != nil || fmt.Sprint(y.Data) != c.want {
				t.Errorf("stored and read as %v, %v", y.Data, err)
			}
		})
	}
}

// What can be read in two ways, and what is written in several, is refused with a way out.
func TestFormsRefused(t *testing.T) {
	for _, c := range []struct {
		name, text string
		decimal    byte
		want, hint string
	}{
		{"one comma", "1,234;1\n7;2\n", 0,
			`stdin:2: column "x": "1,234" is 1234 with a decimal point but 1.234 with a decimal comma, ` +
				"and no other cell settles it", "ReadOptions.Decimal; or take the column as text with " +
				"SchemaOptions.Categorical x"},
		{"an amount", "€ 1.200;1\n€ 7;2\n", 0, `stdin:2: column "x": "€ 1.200" is 1.2 with a decimal ` +
			"point but 1200 with a decimal comma, and no other cell settles it", "ReadOptions.Decimal"},
		{"a target", "1;1,234\n2;7\n", 0, `stdin:2: column "y": "1,234" is 1234 with a decimal point ` +
			"but 1.234 with a decimal comma, and no other cell settles it", "ReadOptions.Decimal"},
		{"both signs", "1.5;1\n2,5;2\n", 0, `stdin:3: column "x": some numbers have a decimal ` +
			`comma, "2,5", and some a decimal point, "1.5" (line 2)`, "write all of them with a point"},
		{"other sign", "1.5;1\n2;2\n", ',', `stdin:2: column "x": "1.5" is not a number with a ` +
			"decimal comma", "drop ReadOptions.Decimal"},
		{"other sign", "7;1\n1,5;2\n", '.', `stdin:3: column "x": "1,5" is not a number with a ` +
			"decimal point", "drop ReadOptions.Decimal"},
		{"units", "$5;1\n€5;2\n", 0, `stdin:2: column "x": the amounts have different units: "$", "€"`,
			"write all cells in one unit"},
		{"some percent", "0.3;1\n20%;2\n", 0, `stdin:3: column "x": 1 cells have a percent sign and 1 ` +
			`have none; the first with one is "20%"`, "write all cells in one unit"},
		{"some day first", "31/12/2019;1\n12/31/2019;2\n", 0,
			`stdin:2: column "x": some dates have the ` +
				`day first and some the month first, for example "31/12/2019", "12/31/2019"`, "write dates as 2006-01-02"},
		{"any order", "01/02/2019;1\n3/3/2019;2\n", 0,
			`stdin:2: column "x": "01/02/2019" is 2019-02-01 ` +
				"with the day first but 2019-01-02 with the month first, and no other cell settles it",
			"set the order with SchemaOptions.Dates dmy or SchemaOptions.Dates mdy; or take the column " +
				"as text"},
		{"any order before 1970", "01/02/1969 12:00;1\n3/3/2019;2\n", 0, `stdin:2: column "x": ` +
			`"01/02/1969 12:00" is 1969-02-01 with the day first but 1969-01-02 with the month first, ` +
			"and no other cell settles it", "SchemaOptions.Dates dmy"},
	} {
		table := semicolons(t, "x;y\n"+c.text, c.decimal)
		_, err := Learn(table, SchemaOptions{Target: "y"})
		checkError(t, err, c.want)
		if e, ok := err.(*Error); !ok || !strings.Contains(e.Hint, c.hint) {
			t.Errorf("%s: hint of %v, want %q", c.name, err, c.hint)
		}
		asText := SchemaOptions{Categorical: []string{"x"}}
		if _, err := Learn(table, asText); err != nil && c.name != "a target" {
			t.Errorf("%s, as text: %v", c.name, err)
		}
	}
}

// What only looks like a number or a date stays text.
func TestNoForms(t *testing.T) {
	for _, text := range []string{"1.2.3", "192.168.0.1", "030 123 456", "12,34,56",
		"1,2345,678", "5 x 3", "5 x9",
		"1 2", "0,123,456", "32.12.2019", "1.1.9", "10:30", "2019/13/31", "1.1-2019", "€", "%", "+-5",
		"1e", "--5", "12 345 6", strings.Repeat("1", 65) + ",5"} {
		s := learnText(t, "x;y\n"+text+";1\n"+text+";2\n", SchemaOptions{Target: "y"})
		if s.Columns[0].Kind != Categorical {
			t.Errorf("%q is %v: %q", text, s.Columns[0].Kind, s.Notes)
		}
	}
}

// A query table whose decimal sign is named is read with it, batch by batch; the error about one
// with another sign names the option.
func TestDecimalOfQueries(t *testing.T) {
	const points, commas = "x;y\n1.5;2.5\n2;3\n", "x;y\n1,5;2,5\n2;3\n"
	for _, c := range []struct {
		train, query string
		sign         byte
	}{{points, commas, ','}, {commas, points, '.'}, {points, "x;y\n1.5,5;2\n", 0}} {
		s := learned(t, semicolons(t, c.train, 0), SchemaOptions{Target: "y"})
		_, err := s.Features(semicolons(t, c.query, 0).Batches[0])
		e, _ := err.(*Error)
		if told := c.sign != 0; e == nil || strings.Contains(e.Hint, "ReadOptions.Decimal") != told {
			t.Errorf("%q: %v", c.query, err)
		}
		if c.sign == 0 {
			continue
		}
		table := semicolons(t, c.query, c.sign)
		some, err := table.Where(func(row int) bool { return row == 0 })
		must.Succeed(t, err)
		for _, b := range append(table.Batches, some.Batches...) {
			f, err := s.Features(b)
			if err != nil || f.Data[0] != 1.5 || s.Observed(b)[0] != 2.5 {
				t.Errorf("%q: %v, %v, %v", c.query, f.Data, s.Observed(b), err)
			}
		}
	}
}

// A number of a query table with a comma can mean two numbers, and the error says how to read each.
func TestGroupsOfQueries(t *testing.T) {
	s := learned(t, semicolons(t, "x;y\n1500;1\n200;2\n", 0), SchemaOptions{Target: "y"})
	const query = "x;y\n2,525;1\n12;3\n"
	_, err := s.Features(semicolons(t, query, 0).Batches[0])
	e, _ := err.(*Error)
	if e == nil || !strings.HasSuffix(e.Hint, `if "2,525" is 2525 here, add ReadOptions.Decimal .; `+
		`if "2,525" is 2.525 here, add ReadOptions.Decimal ,`) {
		t.Error(err)
	}
	for sign, want := range map[byte]float64{'.': 2525, ',': 2.525} {
		f, err := s.Features(semicolons(t, query, sign).Batches[0])
		if err != nil || f.Data[0] != want || f.Data[1] != 12 {
			t.Errorf("%c: %v, %v", sign, f.Data, err)
		}
	}
}

// A query table is read as the training table is: its numbers and dates have the same form.
func TestFormsOfQueries(t *testing.T) {
	const train = "x;d;y\n953,0;31/12/2019;1,5\n7;1/2/2020;2\n"
	s := learned(t, semicolons(t, train, 0), SchemaOptions{Target: "y"})
	query := semicolons(t, "x;d;y\n1.234;2/1/1970;1.000\n", 0)
	f, err := s.Features(query.Batches[0])
	if err != nil || fmt.Sprint(f.Data) != "[1234 1]" {
		t.Errorf("%v, %v", f.Data, err)
	}
	if got := s.Observed(query.Batches[0]); got[0] != 1000 {
		t.Errorf("target %v", got)
	}
	for text, want := range map[string]string{
		"1.5;1/1/2000;1":  `stdin:2: column "x": "1.5" is not a number`,
		"1;12/31/2000;1":  `stdin:2: column "d": "12/31/2000" is not a date (2006-01-02)`,
		"1%;2000-01-01;1": `stdin:2: column "x": "1%" is not a number`,
	} {
		_, err := s.Features(semicolons(t, "x;d;y\n"+text+"\n", 0).Batches[0])
		checkError(t, err, want)
		if e, _ := err.(*Error); e == nil || !strings.Contains(e.Hint, ", written ") {
			t.Errorf("%s: hint of %v", text, err)
		}
	}
}

// FuzzForms: amounts and dates are read as plain numbers and ISO 8601 write the same.
func FuzzForms(f *testing.F) {
	for _, text := range []string{"1.234,5", "€ -1 200", "12,5 %", "31.12.2019",
		"1/2/1970 10:30", "CHF"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		digits, unit := spelling.CutUnit(text)
		for _, decimal := range []byte{'.', ','} {
			plain, ok := spelling.PlainNumber(digits, decimal)
			if !ok {
				continue
			}
			if _, err := spelling.ParseNumber(text); err == nil && decimal == ',' && unit == "" &&
				strings.Contains(text, ".") && !strings.ContainsAny(text, "eE") && !oneGroup(text) {
				t.Errorf("%q may have groups", text)
			}
			x, err := spelling.ParseNumber(plain)
			if y, other := (spelling.Form{Decimal: decimal, Unit: unit}).Number(text); x != y ||
				(err == nil) != (other == nil) {
				t.Errorf("%q is %q, read as %v and %v", text, plain, x, y)
			}
		}
		for _, order := range []DayOrder{DayFirst, MonthFirst} {
			order.Parse(text)
		}
		if form, err := spelling.ReadForm(text); err == nil && form.String() != text {
			t.Errorf("%q is stored as %q", text, form)
		}
	})
}

func TestEncodings(t *testing.T) {
	const text = "\x80;Gr\xf6\xdfe\n1,5;2\n" // €;Größe of Windows
	_, err := OpenReader(strings.NewReader(text), "t.csv", ReadOptions{})
	checkError(t, err, "t.csv:1: the text is not valid UTF-8 (byte offset 0)")
	if e, ok := err.(*Error); !ok || e.Hint != "save the file as UTF-8; or, if an older program "+
		"wrote it, add ReadOptions.Encoding windows-1252, windows-1250 for Central Europe, windows-1251 "+
		"for Cyrillic, gbk or shift_jis" {
		t.Errorf("hint %q", e.Hint)
	}
	utf16 := "a\x00,\x00\xf6\x00\n\x00"
	for _, c := range []struct {
		encoding, text, want string
	}{
		{"cp1252", text, "[€ Größe]"}, {"ISO-8859-1", text, "[€ Größe]"},
		{"CP1250", "\xa3\xf3d\x9f;b\n", "[Łódź b]"}, {"windows-1251", "\xd6\xe5\xed\xe0;b\n", "[Цена b]"},
		{"gbk", "\xbc\xdb\xb8\xf1,b\n", "[价格 b]"}, {"Shift_JIS", "\x89\xbf\x8ai,b\n", "[価格 b]"},
		{"utf-16be", "\x00a\x00,\x00b\x00\n", "[a b]"},
		{"UTF-16", utf16, "[a ö]"}, {"latin1", "\xff\xfe" + utf16, "[a ö]"},
		{"windows-1252", "\xef\xbb\xbfa,ö\n", "[a ö]"}, {"utf8", "a,ö\n", "[a ö]"},
	} {
		encoding, err := ParseEncoding(c.encoding)
		must.Succeed(t, err)
		r, err := OpenReader(strings.NewReader(c.text), "t.csv", ReadOptions{Encoding: encoding})
		if err != nil || fmt.Sprint(r.Names()) != c.want {
			t.Errorf("%s: %v, %v", c.encoding, r, err)
		}
	}
	_, err = OpenReader(strings.NewReader("a\x81,b\n"), "t.csv", ReadOptions{Encoding: "windows-1252"})
	checkError(t, err, "t.csv:1: the text is not valid WINDOWS-1252")
	_, err = ParseEncoding("ebcdic")
	checkError(t, err, `unknown encoding "ebcdic"`)
}
