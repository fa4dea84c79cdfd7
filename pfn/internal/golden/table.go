package golden

import "errors"

// Table is what every case has: a table with N context rows, M query rows and F features, NaN where
// one is missing.
type Table struct {
	Name        string    `json:"name"`
	XTrain      [][]Cell  `json:"x_train"`     // [N][F]
	Categorical []bool    `json:"categorical"` // [F]
	YTrain      []float64 `json:"y_train"`     // [N]; of a classifier classes 0..K-1
	XTest       [][]Cell  `json:"x_test"`      // [M][F]
}

// Title returns the name of the case.
func (t *Table) Title() string { return t.Name }

// check compares the lengths of the table of a case with so many members.
func (t *Table) check(members int) error {
	if t.Name == "" || members == 0 || len(t.XTrain) == 0 || len(t.XTest) == 0 {
		return errors.New("name, members, x_train and x_test must not be empty")
	}
	n, m, f := len(t.XTrain), len(t.XTest), len(t.Categorical)
	return firstWrong([]shaped{
		{"categorical", f == len(t.XTrain[0])},
		{"x_train", hasShape(t.XTrain, n, f)},
		{"x_test", hasShape(t.XTest, m, f)},
		{"y_train", len(t.YTrain) == n},
	})
}
