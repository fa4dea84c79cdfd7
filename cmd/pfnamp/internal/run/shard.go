package run

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/urfave/cli/v2"
)

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

// ParseShardText reads --shard, a part of what is named; without it the result is zero.
func ParseShardText(c *cli.Context, of string) (s Shard, err error) {
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
			"1/8 to 8/8 are the eight parts of "+of)
	}
	return s, nil
}
