package explain

import (
	"errors"
	"math"
	"testing"
	"time"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/tabular"
)

// house is a row with a column of every kind.
type house struct {
	Area  float64 `pfnamp:"area"`
	Long  float64 `pfnamp:"a-b*c"`
	Town  string  `pfnamp:"town"`
	Sold  time.Time
	Price float64
}

// houses is the schema of a table of houses.
func houses(t *testing.T) *tabular.Schema {
	t.Helper()
	var rows []house
	for i := range 60 {
		rows = append(rows, house{float64(20 + i%30), float64(i % 30), []string{"Bath", "York"}[i%2],
			time.Date(2020, time.January, 1+13*i, 0, 0, 0, 0, time.UTC), float64(i * i)})
	}
	table, err := pfnamp.Table("houses", rows)
	must.Succeed(t, err)
	schema, err := tabular.Learn(table, tabular.SchemaOptions{Target: "Price"})
	must.Succeed(t, err)
	return schema
}

// Expressions change the cell of their column by what they say, whatever signs its name has.
func TestExpressions(t *testing.T) {
	s := houses(t)
	for text, want := range map[string]float64{"area=50": 50, "area*1.1": 33, "area / 2": 15,
		"area+5": 35, "area-40": -10, "area = 7": 7, "a-b*c*2": 6, `"a-b*c"+1`: 4, "town=York": 1,
		"area=": math.NaN(), "town= ": tabular.Unseen} {
		e, err := ParseExpression(text, s)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		row := make([]float64, s.Width())
		row[0], row[1] = 30, 3
		got := &row[e.column.at]
		if e.apply(row); math.IsNaN(*got) != math.IsNaN(want) || math.Abs(*got-want) > 1e-9 {
			t.Errorf("%s gives %v, want %v", text, *got, want)
		}
		if out := row[0] < 20 || row[0] > 49; e.column.Name == "area" && e.outside(row) != out {
			t.Errorf("%s outside: %v", text, !out)
		}
	}
	for text, place := range map[string]int{"": 1, "area": 5, "area*": 6, "area*x": 6, "=3": 1,
		`"area`: 6, `"area" 3`: 8, "town*2": 6, "area/0": 6, "Sold*2": 6, "area*Inf": 6} {
		_, err := ParseExpression(text, s)
		wrong, ok := errors.AsType[*ExpressionError](err)
		if !ok || wrong.Place != place || wrong.Hint == "" {
			t.Errorf("%q: %v", text, err)
		}
	}
	for text, hint := range map[string]string{"area+10%": "write area*1.1",
		"area-5%": "write area*0.95", "area*10%": "write area*0.1", "area*x": "write area*1.1"} {
		_, err := ParseExpression(text, s)
		if wrong, ok := errors.AsType[*ExpressionError](err); !ok || wrong.Hint != hint {
			t.Errorf("%q: %v, %q", text, err, wrong.Hint)
		}
	}
	for _, text := range []string{"aera=3", "town=Leeds", "area=big", "Price=3", "Sold=soon"} {
		_, err := ParseExpression(text, s)
		if _, ok := errors.AsType[*tabular.Error](err); !ok {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// A date that moves takes its month along.
func TestDatesMoveWithTheirCalendar(t *testing.T) {
	s := houses(t)
	e, err := ParseExpression("Sold+31", s)
	must.Succeed(t, err)
	set, err := ParseExpression("Sold=2020-03-05", s)
	must.Succeed(t, err)
	before, after := set.value, set.value+31
	if e.column.Kind == tabular.Timestamp {
		after = set.value + 31*24*60*60
	}
	row := make([]float64, s.Width())
	set.apply(row)
	e.apply(row)
	if row[e.column.at] != after || before == after {
		t.Errorf("%v, want %v", row[e.column.at], after)
	}
}
