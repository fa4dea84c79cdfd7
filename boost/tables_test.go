package boost

import (
	"context"
	"encoding/csv"
	"flag"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp/internal/matrix"
	"github.com/pfnamp/pfnamp/internal/must"
)

var tables = flag.String("tables", "", "folder of tables of scripts/evaluation/trees.py")

// BenchmarkTables logs what trees leave of tables: scripts/evaluation/trees.py writes them and
// reads the log. A file has codes and numbers, a column "part" of 0 (read), 1 (held) or 2
// (predicted), and last the target; names of categories end with "*".
func BenchmarkTables(t *testing.B) {
	paths, _ := filepath.Glob(filepath.Join(*tables, "*.csv"))
	for _, path := range paths {
		table, parts := tableOf(t, path)
		f, _, err := Fit(context.Background(), table, []Fold{{parts[0], parts[1]}}, 1<<20)
		must.Succeed(t, err)
		said, err := f.Beside(table.X.Take(parts[2]))
		must.Succeed(t, err)
		var whole Table
		for _, i := range parts[2] {
			whole.Y = append(whole.Y, table.Y[i])
		}
		whole.Classes = table.Classes
		left, unit := 0.0, 1.0
		for _, y := range table.Y {
			unit = max(unit, math.Abs(y))
		}
		for i, y := range whole.Y {
			z := said.Row(i)[table.X.Cols]
			if table.Classes == 0 {
				left += (unit*z - y) * (unit*z - y) / float64(len(whole.Y))
				continue
			}
			value, _, _ := loss(true).of(z, y)
			left += value / float64(len(whole.Y))
		}
		if table.Classes == 0 {
			left = math.Sqrt(left)
		}
		t.Logf("table %s %.6g %d", strings.TrimSuffix(filepath.Base(path), ".csv"), left,
			len(f.Scores[0].Trees))
	}
}

func tableOf(t testing.TB, path string) (table Table, parts [3][]int) {
	t.Helper()
	file, err := os.Open(path)
	must.Succeed(t, err)
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	must.Succeed(t, err)
	d := len(rows[0]) - 2
	for _, name := range rows[0][:d] {
		table.Categorical = append(table.Categorical, strings.HasSuffix(name, "*"))
	}
	table.X = matrix.New(len(rows)-1, d)
	for i, row := range rows[1:] {
		for j, cell := range row[:d] {
			v, err := strconv.ParseFloat(cell, 64)
			if cell == "" {
				v, err = math.NaN(), nil
			}
			must.Succeed(t, err)
			table.X.Row(i)[j] = v
		}
		part, _ := strconv.Atoi(row[d])
		parts[part] = append(parts[part], i)
		y, err := strconv.ParseFloat(row[d+1], 64)
		must.Succeed(t, err)
		table.Y = append(table.Y, y)
	}
	if rows[0][d+1] == "class" {
		table.Classes = int(slices.Max(table.Y)) + 1
	}
	return table, parts
}
