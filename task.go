package pfnamp

import (
	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/tabular"
)

// TaskOf tells which task the target of a training table asks for: models.ClassificationTask if it
// holds texts or true and false, or if FitOptions.Categorical names it, otherwise
// models.RegressionTask (see tabular.TargetKind). Errors are a *tabular.Error about the options.
func TaskOf(table *tabular.Table, opt FitOptions) (string, error) {
	kind, err := tabular.TargetKind(table, opt.schema(true))
	if err == nil && (kind == tabular.Categorical || kind == tabular.Boolean) {
		return models.ClassificationTask, nil
	}
	return models.RegressionTask, err
}

// OpenFor loads the bundle that stands for a task, models.RegressionTask or
// models.ClassificationTask, such as [TaskOf] tells. Errors are those of models.ForTask and [Open].
func OpenFor(task string, opt pfn.Options) (*pfn.Model, error) {
	bundle, err := models.ForTask(task)
	if err != nil {
		return nil, err
	}
	return openBundle(bundle, opt)
}
