package pfn

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/pfnamp/pfnamp/models"
)

// probabilityTolerance is that of class probabilities in Verify: the reference computes them in
// float32, and the logits of a network differ by up to networkTolerance between processors.
const probabilityTolerance = 1e-5

// goldenClasses lists the cases of a classification bundle.
func goldenClasses(b *models.Bundle) ([]goldenCase, error) {
	golden, err := b.GoldenClasses()
	if err != nil {
		return nil, err
	}
	var cases []goldenCase
	for i := range golden.Cases {
		g := &golden.Cases[i]
		cases = append(cases, goldenCase{g.Name,
			func(ctx context.Context, m *Model) (CaseReport, error) {
				return m.replayClasses(ctx, g)
			}})
	}
	return cases, nil
}

// replayClasses runs one golden case the way Fit and PredictClasses do.
func (m *Model) replayClasses(
	ctx context.Context, g *models.GoldenClassesCase,
) (CaseReport, error) {
	r := replayedClasses{report: CaseReport{Name: g.Name}, golden: g}
	train := Training{X: cells(g.XTrain), Categorical: g.Categorical, Y: g.YTrain}
	c, err := m.fit(ctx, train, len(g.Members))
	if err != nil {
		return CaseReport{}, err
	}
	defer c.Close()
	if c.encoder == nil {
		return CaseReport{}, fmt.Errorf("the network is not needed for this table")
	}
	query := cells(g.XTest)
	if !r.pipelines(c, train, query) {
		return r.report, nil
	}
	if err := r.network(ctx, c, query); err != nil {
		return CaseReport{}, err
	}
	rows, err := c.PredictClasses(ctx, query)
	if err != nil {
		return CaseReport{}, err
	}
	var worst float64
	for i, p := range rows {
		worst = math.Max(worst, difference(p, g.Expect.Probabilities[i]))
	}
	r.add("result: probabilities", worst, probabilityTolerance)
	r.postprocessing(c)
	return r.report, nil
}

// replayedClasses collects the stages of one case.
type replayedClasses struct {
	report CaseReport
	golden *models.GoldenClassesCase
}

func (r *replayedClasses) add(name string, diff, tolerance float64) {
	r.report.Stages = append(r.report.Stages, StageReport{name, diff, tolerance, diff <= tolerance})
}

// pipelines compares members, classes and encoded features, and reports whether the members are
// those of the golden case, without which no tensor can be compared.
func (r *replayedClasses) pipelines(c *Context, train Training, query Matrix) bool {
	g, members := r.golden, c.encoder.Members
	same := len(members) == len(g.Members)
	for i := 0; same && i < len(members); i++ {
		same = members[i].Norm == g.Members[i].Norm &&
			slices.Equal(members[i].Permutation, g.Members[i].Permutation) &&
			slices.Equal(members[i].Classes, g.Members[i].Classes)
	}
	if !same {
		r.add("members", math.Inf(1), 0)
		return false
	}
	r.add("members", 0, 0)
	labels, err := c.model.checkClasses(train.Y)
	if err != nil {
		return false // Fit has accepted them
	}
	var worst float64
	for i, member := range members {
		worst = math.Max(worst, difference(widen(shown(labels, member.Classes)), g.Stages.YTrain[i]))
	}
	r.add("y_train", worst, 0)
	r.add("x_train", difference(widen(c.encoder.Transform(train.X)),
		flatten(g.Stages.XTrain)), pipelineTolerance)
	r.add("x_test", difference(widen(c.encoder.Transform(query)),
		flatten(g.Stages.XTest)), pipelineTolerance)
	return true
}

// network compares the logits of every member, as far as they are of classes of the table.
func (r *replayedClasses) network(ctx context.Context, c *Context, query Matrix) error {
	blocks, err := c.raw(ctx, query, 1)
	if err != nil {
		return err
	}
	var worst float64
	levels, size := c.model.heads[0].levels, c.blockRows(query.Rows)
	for i := range query.Rows {
		members := blocks[i/size][0]
		at := i % size * levels
		for b, raw := range members {
			want := r.golden.Stages.Logits[b][i]
			worst = math.Max(worst, difference(widen(raw[at:at+len(want)]), want))
		}
	}
	r.add("network", worst, networkTolerance)
	return nil
}

// postprocessing compares what is made of the golden logits.
func (r *replayedClasses) postprocessing(c *Context) {
	var logits, probabilities float64
	for i, want := range r.golden.Expect.Logits {
		var members [][]float32
		for _, all := range r.golden.Stages.Logits {
			raw := make([]float32, len(all[i]))
			for k, v := range all[i] {
				raw[k] = float32(v)
			}
			members = append(members, raw)
		}
		mean := c.meanLogits(members, 0)
		logits = math.Max(logits, difference(mean, want))
		probabilities = math.Max(probabilities,
			difference(c.softmax(mean), r.golden.Expect.Probabilities[i]))
	}
	r.add("post-processing: logits", logits, pipelineTolerance)
	r.add("post-processing: probabilities", probabilities, pipelineTolerance)
}
