package evaluate

import "context"

// Baseline is a simple model, beside which one sees what a network is worth.
type Baseline interface {
	Model
	Name() string // how tables call it
}

// Names of the baselines.
const (
	BaselineRidge         = "ridge"
	BaselineUnconditional = "unconditional"
)

// Baselines lists them for a table, of numbers or of classes.
func Baselines(t Table) []Baseline {
	if n := len(t.Classes); n > 0 {
		return []Baseline{Logistic{n}, Shares{n}}
	}
	return []Baseline{Ridge{}, Unconditional{}}
}

// Unconditional predicts the distribution of the training labels, whatever the features.
type Unconditional struct{}

// Name returns "unconditional".
func (Unconditional) Name() string { return BaselineUnconditional }

// Predict implements Model.
func (Unconditional) Predict(_ context.Context, train Data, query Matrix) (Prediction, error) {
	law := NewEmpirical(train.Y)
	p := Prediction{PPDs: make([]PPD, query.Rows)}
	for i := range p.PPDs {
		p.PPDs[i] = law
	}
	return p, nil
}
