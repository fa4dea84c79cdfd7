package golden

import "github.com/pfnamp/pfnamp/models"

// QuantileCase is one table with N context rows, M query rows and F features, and the expected
// result of every stage of a prediction with B members. Missing features are NaN.
type QuantileCase struct {
	Table
	Members []QuantileMember `json:"members"` // [B]
	Stages  QuantileStages   `json:"stages"`
	Expect  QuantileExpect   `json:"expect"`
}

// QuantileMember is the composition of one ensemble member.
type QuantileMember struct {
	Norm        string `json:"norm"`
	Permutation []int  `json:"permutation"`     // column j is the encoded column Permutation[j]
	Trend       string `json:"trend,omitempty"` // kind, or nothing
}

// QuantileStages are the tensors at the boundary of the network, with H encoded features.
type QuantileStages struct {
	XTrain [][][]float64 `json:"x_train"` // [B][N][H]
	YTrain []float64     `json:"y_train"` // [N], standardised
	// YTrend is the target of members with a trend, [N]. Trend is the trend at the query rows, [M],
	// and TrendScale the scale of its residuals. All are by the kind of the trend. Doubt holds the
	// variances of the error of a kernel trend, [M].
	YTrend     map[string][]float64 `json:"y_trend,omitempty"`
	Trend      map[string][]float64 `json:"trend,omitempty"`
	TrendScale map[string]float64   `json:"trend_scale,omitempty"`
	Doubt      []float64            `json:"doubt,omitempty"`
	// nil if trends continue beyond the context
	Beyond *Beyond       `json:"beyond,omitempty"`
	XTest  [][][]float64 `json:"x_test"` // [B][M][H]
	// [B][M][Q], as the network returned them
	Quantiles [][][]float64 `json:"quantiles"`
	// Surfaces is the second output, [B][M][K+1][J]; nil without Manifest.Surface.
	Surfaces [][][][]float64 `json:"surface,omitempty"`
}

// Beyond holds the distances of query rows from the context, [M] each.
type Beyond struct {
	Variance []float64 `json:"variance"` // in standardised units of the target
	Share    []float64 `json:"share"`
}

// QuantileExpect is the final result: the averaged distribution of every query row.
type QuantileExpect struct {
	Mu             float64        `json:"mu"`              // mean of the target
	SD             float64        `json:"sd"`              // deviation of the target
	Knots          [][]float64    `json:"knots"`           // [M][Q], standardised
	BetaLeft       []float64      `json:"beta_left"`       // [M], standardised
	BetaRight      []float64      `json:"beta_right"`      // [M], standardised
	Mean           []float64      `json:"mean"`            // [M], units of the target
	QuantileLevels []float64      `json:"quantile_levels"` // [L]
	Quantiles      [][]float64    `json:"quantiles"`       // [M][L], units of the target
	CDFAt          [][][2]float64 `json:"cdf_at"`          // [M][..], pairs of y and P(Y <= y)
	// Surface is the surface of every query row, standardised, [M][K+1][J]; nil without
	// Manifest.Surface.
	Surface [][][]float64 `json:"surface,omitempty"`
}

// Check compares all lengths of a case with each other.
func (c *QuantileCase) Check(manifest *models.Manifest) error {
	if err := c.check(len(c.Members)); err != nil {
		return err
	}
	n, m, b := len(c.XTrain), len(c.XTest), len(c.Members)
	h := len(c.Members[0].Permutation)
	levels, s, e := manifest.Head.Levels, &c.Stages, &c.Expect
	err := firstWrong([]shaped{
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

// checkTrends compares the lengths of the vectors of the members' trends.
func (c *QuantileCase) checkTrends() error {
	for _, m := range c.Members {
		if m.Trend == "" {
			continue
		}
		if err := firstWrong([]shaped{
			{"stages.y_trend." + m.Trend, len(c.Stages.YTrend[m.Trend]) == len(c.XTrain)},
			{"stages.trend." + m.Trend, len(c.Stages.Trend[m.Trend]) == len(c.XTest)},
			{"stages.trend_scale." + m.Trend, c.Stages.TrendScale[m.Trend] > 0},
			{"stages.doubt", m.Trend != "kernel" || len(c.Stages.Doubt) == len(c.XTest)},
		}); err != nil {
			return err
		}
	}
	return nil
}

// checkSurface checks the vectors of the surface.
func (c *QuantileCase) checkSurface(s *models.Surface) error {
	o := own{"surface", "surface", c.Stages.Surfaces, c.Expect.Surface}
	if s == nil {
		return o.absent()
	}
	return o.present(len(c.Members),
		[3]int{len(c.XTest), len(s.Levels) + 1, len(s.PosteriorLevels)})
}

// FlatSurfaces lists the exporter's network output as [B][M] lists of values.
func (c *QuantileCase) FlatSurfaces() [][][]float64 { return flat(c.Stages.Surfaces) }
