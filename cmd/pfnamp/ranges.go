package main

import (
	"fmt"
	"math"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
)

// numberRange is what a flag of whole numbers takes, and what to write instead of another number.
type numberRange struct {
	flag        string
	least, most int
	hint        string
}

// ranges are flags of whole numbers; a command checks those that it has.
var ranges = []numberRange{
	{"chains", 2, amp.MaxChains, fmt.Sprintf("the default is %d; more chains are more accurate and "+
		"slower", amp.DefaultChains)},
	{"steps", 1, amp.MaxSteps, fmt.Sprintf("the default is %d, as in the publication",
		amp.DefaultSteps)},
	{"batch", 1, math.MaxInt, "drop --batch: results stay the same"},
	{"splits", 1, math.MaxInt, "drop --splits, or name the number of random splits"},
	{"sets", 1, math.MaxInt, "drop --sets, or name the number of simulated tables"},
	{"points", 1, math.MaxInt, "drop --points, or name the number of query rows of every table"},
	{"workers", 0, math.MaxInt, "drop --workers: the default is one per core"},
	{"members", 0, math.MaxInt, "drop --members: the bundle has a default"},
	{"rows", 0, math.MaxInt, "drop --rows for all rows"},
}

// checkRanges refuses numbers that a flag does not take.
func checkRanges(c *cli.Context, flags ...string) error {
	for _, r := range ranges {
		for _, flag := range flags {
			if _, has := c.Value(flag).(int); r.flag != flag || !has { // a command may lack the flag
				continue
			}
			switch n := c.Int(flag); {
			case n < r.least:
				return fault.Wrong(fmt.Sprintf("--%s %d is less than %d", flag, n, r.least), r.hint)
			case n > r.most:
				return fault.Wrong(fmt.Sprintf("--%s %d is more than %d", flag, n, r.most), r.hint)
			}
		}
	}
	return nil
}

// checkDraws refuses more draws of all chains than a posterior holds.
func checkDraws(c *cli.Context) error {
	chains, steps := c.Int("chains"), c.Int("steps")
	if chains <= amp.MaxRanks/steps {
		return nil
	}
	return fault.Option("chains", fmt.Sprintf("%d with --steps %d makes more than %d draws", chains,
		steps, amp.MaxRanks), fmt.Sprintf("use at most --chains %d, or fewer --steps",
		amp.MaxRanks/steps))
}

// checkLevel refuses a level of intervals that is none.
func checkLevel(level float64) error {
	if amp.ValidLevel(level) {
		return nil
	}
	wrong := fault.Option("level", fmt.Sprintf("%v is not between 0 and 1, at most 1-1e-12", level),
		"the default is 0.9")

	if share := level / 100; level > 1 && amp.ValidLevel(share) {
		wrong.Hint = fmt.Sprintf("%v %% is --level %v", level, share)
	}
	return wrong
}
