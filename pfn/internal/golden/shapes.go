package golden

import (
	"errors"
	"fmt"

	"github.com/pfnamp/pfnamp/models"
)

// shaped reports whether a list has its required shape.
type shaped struct {
	name string
	ok   bool
}

// check compares all lengths of a case with each other and with the manifest.
func (c *Case) check(manifest *models.Manifest) error {
	if c.Name == "" || len(c.Members) == 0 || len(c.XTrain) == 0 || len(c.XTest) == 0 {
		return errors.New("name, members, x_train and x_test must not be empty")
	}
	n, m, f := len(c.XTrain), len(c.XTest), len(c.Categorical)
	width, classes := manifest.Head.Levels, true
	if manifest.Classifier() {
		width = len(c.Members[0].Classes)
		classes = width >= 2 && width <= manifest.MostClasses()
	}
	for _, b := range c.Members {
		classes = classes && (!manifest.Classifier() || len(b.Classes) == width)
	}
	parts := []shaped{
		{"categorical", f == len(c.XTrain[0])},
		{"x_train", hasShape(c.XTrain, n, f)},
		{"x_test", hasShape(c.XTest, m, f)},
		{"y_train", len(c.YTrain) == n},
		{"members.classes", classes},
		{"the output of the network", hasShape3(c.Raw(), [3]int{len(c.Members), m, width})},
	}
	for _, s := range append(parts, c.results(manifest, width)...) {
		if !s.ok {
			return fmt.Errorf("%s has the wrong shape", s.name)
		}
	}
	return c.checkOwn(manifest)
}

// results lists what the head of the model gives, with so many outputs for a row.
func (c *Case) results(manifest *models.Manifest, width int) []shaped {
	e, m := &c.Expect, len(c.XTest)
	probabilities := shaped{"expect.probabilities", hasShape(e.Probabilities, m, width)}
	if manifest.Classifier() {
		return []shaped{probabilities}
	}
	parts := []shaped{{"expect.sd", e.SD > 0}}
	switch {
	case manifest.Head.Kind == models.BarHead:
		parts = append(parts, probabilities)
	case len(e.QuantileLevels) == 0: // a network of quantiles alone
		return append(parts, shaped{"expect.quantiles", hasShape(e.Quantiles, m, width)})
	default:
		parts = append(parts, shaped{"expect.knots", hasShape(e.Knots, m, width)},
			shaped{"expect.beta_left", len(e.BetaLeft) == m},
			shaped{"expect.beta_right", len(e.BetaRight) == m},
			shaped{"expect.cdf_at", len(e.CDFAt) == m})
	}
	return append(parts, shaped{"expect.mean", len(e.Mean) == m},
		shaped{"expect.quantiles", hasShape(e.Quantiles, m, len(e.QuantileLevels))})
}

// checkOwn checks the vectors of the network's own posterior, which exist if and only if the
// manifest announces one.
func (c *Case) checkOwn(manifest *models.Manifest) error {
	m := len(c.XTest)
	if s := manifest.Surface; s != nil {
		err := c.checkPosterior("surface", c.Stages.Surface, c.Expect.Surface,
			[3]int{m, len(s.Levels) + 1, len(s.PosteriorLevels)})
		if err != nil {
			return err
		}
	} else if c.Stages.Surface != nil || c.Expect.Surface != nil {
		return errors.New("there are vectors of a surface, but the manifest does not announce one")
	}
	if p := manifest.ClassPosterior; p != nil {
		return c.checkPosterior("class_posterior", c.Stages.Posterior, c.Expect.Posterior,
			[3]int{m, len(c.Members[0].Classes), len(p.PosteriorLevels)})
	} else if c.Stages.Posterior != nil || c.Expect.Posterior != nil {
		return errors.New("there are vectors of a class posterior, but the manifest does not " +
			"announce one")
	}
	return nil
}

// checkPosterior checks the lengths of a posterior. Every member and the result has one.
func (c *Case) checkPosterior(
	field string, members [][][][]float64, expect [][][]float64, shape [3]int,
) error {
	if members == nil || expect == nil {
		return fmt.Errorf("stages.%s or expect.%s is missing, but the manifest announces it", field,
			field)
	}
	ok := len(members) == len(c.Members)
	for _, matrices := range members {
		ok = ok && hasShape3(matrices, shape)
	}
	switch {
	case !ok:
		return fmt.Errorf("stages.%s has the wrong shape", field)
	case !hasShape3(expect, shape):
		return fmt.Errorf("expect.%s has the wrong shape", field)
	}
	return nil
}

func hasShape[T any](a [][]T, rows, cols int) bool {
	if len(a) != rows {
		return false
	}
	for _, row := range a {
		if len(row) != cols {
			return false
		}
	}
	return true
}

func hasShape3(a [][][]float64, dims [3]int) bool {
	if len(a) != dims[0] {
		return false
	}
	for _, matrix := range a {
		if !hasShape(matrix, dims[1], dims[2]) {
			return false
		}
	}
	return true
}
