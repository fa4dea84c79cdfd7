package run

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
)

// Each reads a command line in steps, up to the first error.
func Each(c *cli.Context, steps ...func(*cli.Context) error) error {
	for _, step := range steps {
		if err := step(c); err != nil {
			return err
		}
	}
	return nil
}

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

// Refuse is the error of the first of the flags that is given, nil for none. Without a hint it says
// to drop the flag.
func Refuse(c *cli.Context, why, hint string, flags ...string) error {
	for _, name := range flags {
		if c.IsSet(name) {
			return fault.Option(name, why, cmp.Or(hint, "drop --"+name))
		}
	}
	return nil
}

// IsState refuses a saved state where a command reads a table.
func IsState(path, hint string) error {
	return fault.Wrong(path+" is a saved state, not a table", hint)
}

// Shard is a part of the rows of TEST: number of count, number from 1. The zero value is all rows.
type Shard struct{ Number, Count int64 }

// String is the value of --shard, "" for all rows.
func (s Shard) String() string {
	if s.Count == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", s.Number, s.Count)
}

// Rows are the first row of the part and the one behind its last, of so many.
func (s Shard) Rows(all int64) (from, to int64) {
	// all·number/count without overflow
	cut := func(number int64) int64 {
		return all/s.Count*number + all%s.Count*number/s.Count
	}
	return cut(s.Number - 1), cut(s.Number)
}

// maxShards is the largest number of parts.
const maxShards = 1 << 31

// ParseShard reads --shard; without it the result is zero.
func ParseShard(c *cli.Context) (s Shard, err error) {
	if !c.IsSet("shard") {
		return s, nil
	}
	text := c.String("shard")
	number, count, _ := strings.Cut(text, "/")
	if s.Number, err = strconv.ParseInt(number, 10, 64); err == nil {
		s.Count, err = strconv.ParseInt(count, 10, 64)
	}
	if err != nil || s.Count < 1 || s.Count > maxShards || s.Number < 1 || s.Number > s.Count {
		return s, fault.Option("shard", strconv.Quote(text)+" is not I/N",
			"1/8 to 8/8 are the eight parts of TEST")
	}
	return s, nil
}
