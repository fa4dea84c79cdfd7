package run

import (
	"encoding/csv"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/urfave/cli/v2"
)

// OneColumn is the value of a flag that takes one column. A name may be quoted as in a list, in
// which form hints write it.
func OneColumn(c *cli.Context, flag string) string {
	name := c.String(flag)
	if !strings.HasPrefix(name, `"`) {
		return name
	}
	if parts, err := csv.NewReader(strings.NewReader(name)).Read(); err == nil && len(parts) == 1 {
		return parts[0]
	}
	return name
}

// List splits the values of a flag at commas; a part that holds a comma is quoted as in CSV.
func List(c *cli.Context, name string) ([]string, error) {
	var parts []string
	for _, value := range c.StringSlice(name) {
		reader := csv.NewReader(strings.NewReader(value))
		reader.TrimLeadingSpace = true
		fields, err := reader.Read()
		if err != nil && err != io.EOF {
			return nil, fault.Option(name, strconv.Quote(value)+" is not a list",
				`separate names by commas, and quote a name with a comma: 'a,"b,c"'`)
		}
		for _, part := range fields {
			if slices.Contains(parts, part) {
				return nil, fault.Option(name, "lists "+strconv.Quote(part)+" twice", "")
			}
			parts = append(parts, part)
		}
	}
	return parts, nil
}

func parseDelimiter(s string) (rune, error) {
	switch s {
	case "":
		return 0, nil
	case "tab", `\t`:
		return '\t', nil
	}
	if runes := []rune(s); len(runes) == 1 && !strings.ContainsAny(s, "\"\r\n") {
		return runes[0], nil
	}
	return 0, fault.Option("delimiter", strconv.Quote(s)+" is not one character",
		`for example --delimiter ';' or --delimiter tab`)
}
