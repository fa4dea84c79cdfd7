package pfnamp

import (
	"context"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/heldout"
	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/tabular"
)

// Task is what a target holds, numbers or labels, with everything that differs between the two. No
// other code of this package asks which of them it is.
type Task interface {
	// Name is models.RegressionTask or models.ClassificationTask.
	Name() string
	// Classes lists the labels in the order of their probabilities, nil of numbers.
	Classes() []string

	// summary describes the targets of a table.
	summary(y []float64) TargetSummary
	// settle takes from the labelled rows of a whole table what holds for all predictions.
	settle(t *Training, y []float64) error
	// admit compares the rows of the context with the model.
	admit(t *Training, m models.Manifest) error

	// complete fills in the functionals of a question and what else has a default of its own.
	complete(q Question) (Question, error)
	// chains is the posterior that [Auto] stands for without a network's own.
	chains() Posterior
	// names are those of the estimates.
	names(functionals []amp.Functional) []string
	// checkLabel refuses what a question cannot ask of the distribution of the label itself.
	checkLabel(q Question) error
	// everyClass tells whether a promise is kept for every class.
	everyClass(by string) bool

	// predict reads query rows with the network.
	predict(ctx context.Context, p *Predictor, a *Answer) error
	// predictive adds what is likely of the label of every row, of which the network has said what is
	// given.
	predictive(ctx context.Context, p *Predictor, a *Answer, said []amp.Prediction, groups []int) error
	// heldOut is what predictions of rows of the context are made by, by models that have not read
	// them.
	heldOut() heldout.Target

	// before and after are the columns of answers around those of the estimates.
	before(l Layout) []column
	after(l Layout) []column
	// cell and cells are the type and the values of a column of labels.
	cell() arrow.DataType
	cells(n int, label func(i int) float64) (arrow.Array, error)
}

// taskOf is the task of a target with some labels; numbers have none.
func taskOf(labels *tabular.Labels) Task {
	if labels == nil {
		return numbers{}
	}
	return classes{labels}
}

// TaskOf tells which task the target of a training table asks for: models.ClassificationTask if it
// holds texts or true and false, or if FitOptions.Categorical names it, otherwise
// models.RegressionTask (see tabular.TargetKind). Errors are a *tabular.Error about the options.
func TaskOf(table *tabular.Table, opt FitOptions) (string, error) {
	kind, err := tabular.TargetKind(table, opt.schema(true))
	if err == nil && (kind == tabular.Categorical || kind == tabular.Boolean) {
		return classes{}.Name(), nil
	}
	return numbers{}.Name(), err
}
