package tabular

import "github.com/pfnamp/pfnamp/tabular/internal/workbook"

// workbookFormat returns the workbook of Excel.
func workbookFormat() fileFormat {
	const media = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
	return fileFormat{format: Excel, name: "xlsx", also: []string{"xlsm"}, ends: true, whole: true,
		files:  []fileName{{extension: ".xlsx", media: media}, {extension: ".xlsm", readOnly: true}},
		begins: isWorkbook, open: openSheet, create: newSheetEncoder}
}

// openSheet opens a sheet of a workbook.
func openSheet(in input, name string, opt ReadOptions) (source, error) {
	s, err := workbook.OpenTable(in.file, opt.ground())
	return apartFrom(s, name, err)
}
