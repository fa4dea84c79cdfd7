package joint

import (
	"cmp"
	"context"

	"github.com/pfnamp/pfnamp"
)

// Compare returns the averages over the rows of an answer, over all and over every group, and then
// contrasts such as "Bath - York" (see [ParseContrast]). groups has the group of every row, "" for
// none; nil means that there are no groups. The rows should come as those of the context did; for
// rows whose cells you have set, there is package explain. Errors are those of [Couple],
// [Coupling.Correct], [ParseContrast] and [Averages].
func Compare(
	ctx context.Context, p *pfnamp.Predictor, a *pfnamp.Answer, groups []string, contrasts ...string,
) ([]Effect, error) {
	by, list := "groups", make([]Contrast, len(contrasts))
	if groups == nil {
		by, groups = "", make([]string, a.Rows())
	}
	var err error
	for i, text := range contrasts {
		if list[i], err = ParseContrast(text, by != ""); err != nil {
			return nil, err
		}
	}
	c, err := Couple(p, 0)
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
