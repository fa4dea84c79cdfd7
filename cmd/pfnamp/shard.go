package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/urfave/cli/v2"
)

// shard is a part of the rows of TEST: number of count, number from 1. The zero value is all rows.
type shard struct{ number, count int64 }

// String is the value of --shard, "" for all rows.
func (s shard) String() string {
	if s.count == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", s.number, s.count)
}

// rows are the first row of the part and the one behind its last, of so many.
func (s shard) rows(all int64) (from, to int64) {
	// all·number/count without overflow
	cut := func(number int64) int64 {
		return all/s.count*number + all%s.count*number/s.count
	}
	return cut(s.number - 1), cut(s.number)
}

// maxShards is the largest number of parts.
const maxShards = 1 << 31

// parseShardText reads --shard, a part of what is named; without it the result is zero.
func parseShardText(c *cli.Context, of string) (s shard, err error) {
	if !c.IsSet("shard") {
		return s, nil
	}
	text := c.String("shard")
	number, count, _ := strings.Cut(text, "/")
	if s.number, err = strconv.ParseInt(number, 10, 64); err == nil {
		s.count, err = strconv.ParseInt(count, 10, 64)
	}
	if err != nil || s.count < 1 || s.count > maxShards || s.number < 1 || s.number > s.count {
		return s, fault.Option("shard", quote(text)+" is not I/N",
			"1/8 to 8/8 are the eight parts of "+of)
	}
	return s, nil
}

// parseShard reads --shard and refuses it where an answer needs all rows.
func (j *predictJob) parseShard(c *cli.Context) (err error) {
	j.shard, err = parseShardText(c, "TEST")
	switch {
	case err != nil || j.shard.count == 0:
		return err
	case j.test == "-" && !j.from.one:
		return fault.Option("shard", "reads TEST twice, so TEST cannot be standard input", "name a file")
	case j.joint.asked():
		return fault.Wrong("--joint, --summary and --bands need all rows of TEST together",
			"drop --shard")
	}
	return nil
}
