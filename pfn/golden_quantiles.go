package pfn

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn/internal/tabicl"
)

// quantileCase is one table with N context rows, M query rows and F features, and what every stage
// of a prediction with B members must give. Missing features are NaN.
type quantileCase struct {
	Name        string           `json:"name"`
	XTrain      [][]cell         `json:"x_train"`     // [N][F]
	Categorical []bool           `json:"categorical"` // [F]
	YTrain      []float64        `json:"y_train"`     // [N]
	XTest       [][]cell         `json:"x_test"`      // [M][F]
	Members     []quantileMember `json:"members"`     // [B]
	Stages      quantileStages   `json:"stages"`
	Expect      quantileExpect   `json:"expect"`
}

// quantileMember is the composition of one ensemble member.
type quantileMember struct {
	Norm        string `json:"norm"`
	Permutation []int  `json:"permutation"`     // column j is the encoded column Permutation[j]
	Trend       string `json:"trend,omitempty"` // kind, or nothing
}

// quantileStages are the tensors at the boundary of the network, with H encoded features.
type quantileStages struct {
	XTrain [][][]float64 `json:"x_train"` // [B][N][H]
	YTrain []float64     `json:"y_train"` // [N], standardised
	// YTrend is what members with a trend read of the target, [N]; Trend is the trend at the query
	// rows, [M], and TrendScale the scale of what it leaves: all by the kind of the trend. Doubt, [M], are
	// the variances by which that of a kernel may be off.
	YTrend     map[string][]float64 `json:"y_trend,omitempty"`
	Trend      map[string][]float64 `json:"trend,omitempty"`
	TrendScale map[string]float64   `json:"trend_scale,omitempty"`
	Doubt      []float64            `json:"doubt,omitempty"`
	XTest      [][][]float64        `json:"x_test"`    // [B][M][H]
	Quantiles  [][][]float64        `json:"quantiles"` // [B][M][Q], as the network returned them
	// Surfaces is the second output, [B][M][K+1][J]; nil without Manifest.Surface.
	Surfaces [][][][]float64 `json:"surface,omitempty"`
}

// quantileExpect is the final result: the averaged distribution of every query row.
type quantileExpect struct {
	Mu             float64        `json:"mu"`              // mean of the target
	SD             float64        `json:"sd"`              // deviation of the target
	Knots          [][]float64    `json:"knots"`           // [M][Q], standardised
	BetaLeft       []float64      `json:"beta_left"`       // [M], standardised
	BetaRight      []float64      `json:"beta_right"`      // [M], standardised
	Mean           []float64      `json:"mean"`            // [M], units of the target
	QuantileLevels []float64      `json:"quantile_levels"` // [L]
	Quantiles      [][]float64    `json:"quantiles"`       // [M][L], units of the target
	CDFAt          [][][2]float64 `json:"cdf_at"`          // [M][..], pairs of y and P(Y <= y)
	// Surface is that of every query row, standardised, [M][K+1][J]; nil without Manifest.Surface.
	Surface [][][]float64 `json:"surface,omitempty"`
}

func (c *quantileCase) title() string { return c.Name }

// check compares all lengths of a case with each other.
func (c *quantileCase) check(manifest *models.Manifest) error {
	if c.Name == "" || len(c.Members) == 0 || len(c.XTrain) == 0 || len(c.XTest) == 0 {
		return fmt.Errorf("name, members, x_train and x_test must not be empty")
	}
	n, m, b := len(c.XTrain), len(c.XTest), len(c.Members)
	h := len(c.Members[0].Permutation)
	levels, s, e := manifest.Head.Levels, &c.Stages, &c.Expect
	err := firstWrong([]shaped{
		{"categorical", len(c.Categorical) == len(c.XTrain[0])},
		{"x_train", hasShape(c.XTrain, n, len(c.Categorical))},
		{"x_test", hasShape(c.XTest, m, len(c.Categorical))},
		{"y_train", len(c.YTrain) == n},
		{"stages.x_train", hasShape3(s.XTrain, [3]int{b, n, h})},
		{"stages.y_train", len(s.YTrain) == n},
		{"stages.x_test", hasShape3(s.XTest, [3]int{b, m, h})},
		{"stages.quantiles", hasShape3(s.Quantiles, [3]int{b, m, levels})},
		{"expect.knots", hasShape(e.Knots, m, levels)},
		{"expect.beta_left", len(e.BetaLeft) == m},
		{"expect.beta_right", len(e.BetaRight) == m},
		{"expect.mean", len(e.Mean) == m},
		{"expect.quantiles", hasShape(e.Quantiles, m, len(e.QuantileLevels))},
		{"expect.cdf_at", len(e.CDFAt) == m},
	})
	if err != nil {
		return err
	}
	if err := c.checkTrends(); err != nil {
		return err
	}
	return c.checkSurface(manifest.Surface)
}

// checkTrends compares the lengths of the vectors of the trends that members have.
func (c *quantileCase) checkTrends() error {
	for _, m := range c.Members {
		if m.Trend == "" {
			continue
		}
		if err := firstWrong([]shaped{
			{"stages.y_trend." + m.Trend, len(c.Stages.YTrend[m.Trend]) == len(c.XTrain)},
			{"stages.trend." + m.Trend, len(c.Stages.Trend[m.Trend]) == len(c.XTest)},
			{"stages.trend_scale." + m.Trend, c.Stages.TrendScale[m.Trend] > 0},
			{"stages.doubt", m.Trend != tabicl.Kernel || len(c.Stages.Doubt) == len(c.XTest)},
		}); err != nil {
			return err
		}
	}
	return nil
}

// replayed collects the stages of one case.
type replayed struct {
	CaseReport
	golden *quantileCase
	grain  float64 // float32 rounding of the raw target, in deviations of the target
}

func (c *quantileCase) replay(ctx context.Context, m *Model) (CaseReport, error) {
	r := replayed{CaseReport{Name: c.Name}, c, float32Grain(c)}
	train := Training{X: cells(c.XTrain), Categorical: c.Categorical, Y: c.YTrain}
	fitted, e, err := refit[tabiclEnsemble](ctx, m, train, len(c.Members))
	if err != nil {
		return CaseReport{}, err
	}
	defer fitted.Close()
	query := cells(c.XTest)
	if !r.pipelines(m, e, &table{train, fitted.target}, query) {
		return r.CaseReport, nil
	}
	if err := r.network(ctx, fitted, query); err != nil {
		return CaseReport{}, err
	}
	results, err := fitted.Results(ctx, query, true)
	if err != nil {
		return CaseReport{}, err
	}
	r.distributions("result", results, fitted.target.SD)
	if m.Own() {
		r.surfaces("result", results, fitted.target)
	}
	r.postprocessing(fitted)
	return r.CaseReport, nil
}

// float32Grain is how far rounding the target to float32 before it is centred, as the reference
// implementation does and this package does not, can move a standardised value.
func float32Grain(c *quantileCase) float64 {
	var largest float64
	for _, y := range c.YTrain {
		largest = math.Max(largest, math.Abs(float64(float32(y))-y))
	}
	return 2 * largest / c.Expect.SD
}

// pipelines compares members, target scaling and encoded features, and reports whether the members
// are those of the golden case, without which no tensor can be compared.
func (r *replayed) pipelines(m *Model, e tabiclEnsemble, train *table, query Matrix) bool {
	g := r.golden
	same := len(e.Members) == len(g.Members)
	for b := 0; same && b < len(g.Members); b++ {
		same = e.Members[b].Norm == g.Members[b].Norm &&
			slices.Equal(e.Members[b].Permutation, g.Members[b].Permutation) &&
			e.Members[b].Trend == cmp.Or(g.Members[b].Trend, tabicl.NoTrend)
	}
	if !same {
		r.add("members", math.Inf(1), 0)
		return false
	}
	r.add("members", 0, 0)
	t, tolerance := train.target, pipelineTolerance+r.grain
	r.add("mu", math.Abs(t.Mean-g.Expect.Mu)/g.Expect.SD, tolerance)
	r.add("sd", math.Abs(t.SD/g.Expect.SD-1), tolerance)
	r.add("y_train", difference(widen(t.Standardize(g.YTrain)), g.Stages.YTrain), tolerance)
	var left, x, z float64 // of what is left, in standard deviations of the target
	queries := e.Queries(query)
	for b, l := range lessonsOf(m, train, len(e.Members)) {
		if kind := g.Members[b].Trend; kind != "" {
			gap := difference(widen(l.y.Data), g.Stages.YTrend[kind])
			left = math.Max(left, gap*g.Stages.TrendScale[kind])
		}
		x = math.Max(x, difference(widen(l.x.Data), slices.Concat(g.Stages.XTrain[b]...)))
		z = math.Max(z, difference(widen(queries[b]), slices.Concat(g.Stages.XTest[b]...)))
	}
	if e.HasTrends() {
		worst := 0.0
		at, scales, doubt := e.Trends(query)
		for kind, scale := range scales {
			worst = math.Max(worst, difference(append(at[kind], scale),
				append(slices.Clip(g.Stages.Trend[kind]), g.Stages.TrendScale[kind])))
		}
		r.add("y_trend", left, tolerance)
		r.add("trend", worst, tolerance)
		if doubt != nil {
			r.add("doubt", difference(doubt, g.Stages.Doubt), tolerance)
		}
	}
	r.add("x_train", x, pipelineTolerance)
	r.add("x_test", z, pipelineTolerance)
	return true
}

// lessonsOf is what so many members read of a context.
func lessonsOf(m *Model, train *table, members int) []lesson {
	if train.Categorical == nil {
		train.Categorical = make([]bool, train.X.Cols)
	}
	_, lessons, err := m.family.fit(m, train, members)
	if err != nil {
		panic(err) // the context has been fitted
	}
	return lessons
}

// network compares what the network returns for every member.
func (r *replayed) network(ctx context.Context, c *Context, query Matrix) error {
	worst, err := c.rawDifference(ctx, query, ofLabel, r.golden.Stages.Quantiles)
	if err != nil {
		return err
	}
	r.add("network", worst, networkTolerance)
	if c.model.Own() {
		if worst, err = c.rawDifference(ctx, query, ofOwn, r.golden.flatSurfaces()); err != nil {
			return err
		}
		r.add("network: surface", worst, networkTolerance)
	}
	return nil
}

// postprocessing compares the distributions made from the golden raw quantiles.
func (r *replayed) postprocessing(c *Context) {
	s := &r.golden.Stages
	trends := trendsOf(c.ensemble, cells(r.golden.XTest))
	label, weights := r.said(trends, s.Quantiles), make([]weighing, len(r.golden.XTest))
	results := make([]Result, len(label))
	for i, members := range label {
		weights[i] = trends.weigh(i, members)
		c.voices[ofLabel].combine(members, weights[i]).into(&results[i])
	}
	r.distributions("post-processing", results, c.target.SD)
	if c.model.Own() {
		for i, members := range r.said(trends, r.golden.flatSurfaces()) {
			c.voices[ofOwn].combine(members, weights[i]).into(&results[i])
		}
		r.surfaces("post-processing", results, c.target)
	}
}

// said is what the network returned to the exporter, [B][M], with the trends, by row and member.
func (r *replayed) said(trends trends, raw [][][]float64) [][][]float32 {
	rows := make([][][]float32, len(r.golden.XTest))
	for i := range rows {
		for b := range raw {
			rows[i] = append(rows[i], narrow(raw[b][i]))
		}
		trends.add(i, rows[i])
	}
	return rows
}

// distributions compares knots, tails and what is read from the distributions, all in standard
// deviations of the target (probabilities as they are).
func (r *replayed) distributions(stage string, rows []Result, sd float64) {
	e, tolerance := &r.golden.Expect, resultTolerance+r.grain
	var knots, tails, mean, quantiles, cdf float64
	for i, row := range rows {
		d := row.PPD.(*Quantiles)
		knots = math.Max(knots, difference(d.Knots, e.Knots[i]))
		tails = math.Max(tails, difference([]float64{d.Left, d.Right},
			[]float64{e.BetaLeft[i], e.BetaRight[i]}))
		mean = math.Max(mean, math.Abs(d.Mean()-e.Mean[i])/sd)
		for k, p := range e.QuantileLevels {
			quantiles = math.Max(quantiles, math.Abs(d.Quantile(p)-e.Quantiles[i][k])/sd)
		}
		for _, at := range e.CDFAt[i] {
			cdf = math.Max(cdf, math.Abs(d.CDF(at[0])-at[1]))
		}
	}
	r.add(stage+": knots", knots, tolerance)
	r.add(stage+": tails", tails, tolerance)
	r.add(stage+": mean", mean, tolerance)
	r.add(stage+": quantiles", quantiles, tolerance)
	r.add(stage+": cdf", cdf, tolerance)
}
