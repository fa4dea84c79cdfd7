package joint

import (
	"cmp"
	"context"
	"fmt"

	"github.com/pfnamp/pfnamp"
)

// Compare returns the averages over the rows of an answer, over all and over every group, and then
// contrasts such as "Bath - York" (see [ParseContrast]). groups has the group of every row, "" for
// none; nil means that there are no groups. For rows whose cells you have set, use package explain.
// Errors are those of the coupling and of contrasts, and another number of groups than rows.
func Compare(
	ctx context.Context, p *pfnamp.Predictor, a *pfnamp.Answer, groups []string, contrasts ...string,
) ([]Effect, error) {
	by, list := "groups", make([]Contrast, len(contrasts))
	if groups == nil {
		by, groups = "", make([]string, a.Rows())
	}
	if len(groups) != a.Rows() {
		return nil, fmt.Errorf("joint: %d groups for %d rows", len(groups), a.Rows())
	}
	c, err := Couple(p, 0)
	for i, text := range contrasts {
		if err == nil {
			list[i], err = ParseContrast(text, by != "")
		}
	}
	if err != nil {
		return nil, err
	}
	c.Alike = true
	err = c.Correct(ctx)
	rows, lost := c.Rows(ctx, a, 0, a.Rows())
	averages := NewAverages(by, list)
	for i, row := range rows {
		err = cmp.Or(err, averages.Add(groups[i], row))
	}
	if err := cmp.Or(err, lost); err != nil {
		return nil, err
	}
	return averages.Effects()
}
