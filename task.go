package pfnamp

import (
	"context"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/heldout"
	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/tabular"
)

// Task is a kind of target, numbers or labels, with everything that differs between the two. No
// other code of this package distinguishes them.
type Task interface {
	// Name returns models.RegressionTask or models.ClassificationTask.
	Name() string
	// Classes lists the labels in the order of their probabilities, nil for numbers.
	Classes() []string

	// summary describes the targets of a table.
	summary(y []float64) TargetSummary
	// settle infers, from the labelled rows of a whole table, what holds for all predictions.
	settle(t *Training, y []float64) error
	// admit compares the rows of the context with the model.
	admit(t *Training, m models.Manifest) error

	// complete fills in the functionals of a question, and the task's other defaults.
	complete(q Question) (Question, error)
	// chains returns the posterior that [Auto] means if the network has none of its own.
	chains() Posterior
	// names returns the names of the estimates.
	names(functionals []amp.Functional) []string
	// checkLabel refuses impossible questions about the distribution of the label itself.
	checkLabel(q Question) error
	// everyClass reports whether a promise holds for every class.
	everyClass(by string) bool

	// predict reads query rows with the network.
	predict(ctx context.Context, p *Predictor, a *Answer) error
	// predictive adds the predictive intervals or sets of every row, from the network's
	// predictions.
	predictive(ctx context.Context, p *Predictor, a *Answer, said []amp.Prediction, groups []int) error
	// heldOut returns the target for predictions of context rows by models that have not read them.
	heldOut() heldout.Target

	// before and after return the columns of answers around those of the estimates.
	before(l Layout) []column
	after(l Layout) []column
	// cell and cells return the type and the values of a column of labels.
	cell() arrow.DataType
	cells(n int, label func(i int) float64) (arrow.Array, error)
}

// taskOf returns the task of a target with these labels; numbers have none.
func taskOf(labels *tabular.Labels) Task {
	if labels == nil {
		return numbers{}
	}
	return classes{labels}
}

// TaskOf returns the task of a training table's target: models.ClassificationTask if it holds texts
// or true and false, or if FitOptions.Categorical names it, otherwise models.RegressionTask (see
// tabular.TargetKind). It fails with a *tabular.Error about the options.
func TaskOf(table *tabular.Table, opt FitOptions) (string, error) {
	kind, err := tabular.TargetKind(table, opt.schema(true))
	if err == nil && (kind == tabular.Categorical || kind == tabular.Boolean) {
		return classes{}.Name(), nil
	}
	return numbers{}.Name(), err
}
