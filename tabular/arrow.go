package tabular

import (
	arrowreader "github.com/pfnamp/pfnamp/tabular/internal/arrow"
)

// arrowFileFormat returns the Arrow IPC file, also known as Feather version 2.
func arrowFileFormat() fileFormat {
	return fileFormat{format: ArrowFile, name: "arrow", also: []string{"feather", "ipc"}, ends: true,
		whole: true, keeps: true,
		files: []fileName{{extension: ".arrow", media: "application/vnd.apache.arrow.file"},
			{extension: ".feather"}, {extension: ".ipc"}},
		begins: arrowreader.BeginsFile,
		open:   openArrowFile, create: newArrowFileEncoder}
}

// arrowStreamFormat returns the Arrow IPC stream.
func arrowStreamFormat() fileFormat {
	return fileFormat{format: ArrowStream, name: "arrows", whole: true, steady: true, keeps: true,
		files:  []fileName{{extension: ".arrows", media: "application/vnd.apache.arrow.stream"}},
		begins: arrowreader.BeginsStream,
		open:   openArrowStream, create: newArrowStreamEncoder}
}

// openArrowStream opens an Arrow IPC stream.
func openArrowStream(in input, name string, opt ReadOptions) (source, error) {
	s, err := arrowreader.OpenStream(in.stream, opt.ground())
	return apartFrom(s, name, err)
}

// openArrowFile opens an Arrow IPC file.
func openArrowFile(in input, name string, opt ReadOptions) (source, error) {
	s, err := arrowreader.OpenFile(in.file, opt.ground())
	return apartFrom(s, name, err)
}
