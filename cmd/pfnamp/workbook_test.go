package main

import (
	"errors"
	"testing"

	"github.com/xuri/excelize/v2"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/internal/must"
)

// A workbook as TRAIN and JSON lines as TEST give the bytes that CSV gives.
func TestWorkbooks(t *testing.T) {
	besideTiny(t)
	f := excelize.NewFile()
	rows := [][]any{{"a", "b", "y"}, {1, "u", 1.5}, {2, "v", 2.5}, {3, "u", 3.25}, {4, "v", 4}}
	_, err := f.NewSheet("other")
	for i, row := range rows {
		err = errors.Join(err, f.SetSheetRow("Sheet1", string(rune('A'))+string(rune('1'+i)), &row))
	}
	_, more := f.NewSheet("new")
	err = errors.Join(err, more, f.SetSheetRow("new", "A1", &[]any{"a", "b"}),
		f.SetSheetRow("new", "A2", &[]any{1.5, "u"}), f.SetSheetRow("new", "A3", &[]any{nil, "v"}))
	must.Succeed(t, errors.Join(err, f.SaveAs("train.xlsx"), f.Close()))
	for name, text := range map[string]string{
		"train.csv":  "a,b,y\n1,u,1.5\n2,v,2.5\n3,u,3.25\n4,v,4\n",
		"test.csv":   "a,b\n1.5,u\n,v\n",
		"test.jsonl": "{\"b\":\"u\",\"a\":1.5}\n{\"b\":\"v\"}\n",
	} {
		write(t, name, text)
	}
	want, _ := ends(t, "predict train.csv test.csv -y y --chains 20 --steps 5", fault.ExitOK)
	for _, tables := range []string{
		"train.xlsx test.jsonl --sheet Sheet1", "train.xlsx train.xlsx --sheet Sheet1 --test-sheet new",
		"train.xlsx --sheet Sheet1 --test-sheet new",
	} {
		got, _ := ends(t, "predict "+tables+" -y y --chains 20 --steps 5", fault.ExitOK)
		if got != want || got == "" {
			t.Errorf("%s:\n%s\nwant\n%s", tables, got, want)
		}
	}
	ends(t, "predict train.xlsx test.jsonl -y y", fault.ExitInput, "choose one with --sheet Sheet1")
	ends(t, "predict - --test-sheet new -y y", fault.ExitUsage, "cannot both be standard input")
	for _, flag := range []string{"-o out.xlsm", "--to jsonl"} {
		ends(t, "predict train.csv test.csv -y y "+flag, fault.ExitUsage)
	}
}
