package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp/internal/must"
)

// writePageTables writes the files that commands of pages name: tables of houses with the targets
// of the commands, a series by month, rows that were tried and rows that are possible.
func writePageTables(t *testing.T, dir, root string, commands []pageCommand) {
	t.Helper()
	var targets []string
	for _, c := range commands {
		for _, match := range pageTarget.FindAllStringSubmatch(c.line, -1) {
			targets = append(targets, match[1])
		}
	}
	slices.Sort(targets)
	targets = slices.Compact(targets)
	put := func(name, text string) {
		path := filepath.Join(dir, name)
		must.Succeed(t, os.MkdirAll(filepath.Dir(path), 0o700))
		write(t, path, text)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	put("train.csv", houses(rng, 60, targets, 0))
	put("data.csv", houses(rng, 100, targets, 0))
	features := targets // of several, a target is a feature of the others
	if len(targets) == 1 {
		features = nil
	}
	put("test.csv", houses(rng, 12, features, 0))
	put("january.csv", houses(rng, 5, nil, 0))
	put("february.csv", houses(rng, 5, nil, 0))
	put("batch.csv", houses(rng, 40, nil, 0))
	put("all.csv", houses(rng, 60, targets, 10))
	put("sales.csv", sales(rng, 96))
	put("tried.csv", trials(rng, 20, "yield"))
	put("possible.csv", trials(rng, 30, ""))
	put("survey.csv", trials(rng, 20, "income"))
	put("villages.csv", trials(rng, 30, "days"))
	put("testdata/diabetes.csv", string(readFile(t, filepath.Join(root, "testdata", "diabetes.csv"))))
	if slices.ContainsFunc(commands, func(c pageCommand) bool {
		return strings.Contains(c.line, "./exported")
	}) {
		from := os.DirFS(filepath.Join(root, "models", "default"))
		must.Succeed(t, os.CopyFS(filepath.Join(dir, "exported"), from))
	}
}

// preparations are commands that make what commands of a page read and none of them writes.
func preparations(commands []pageCommand) []pageCommand {
	var all []pageCommand
	made := func(file string, lines ...string) {
		read := func(c pageCommand) bool { return c.skip == "" && strings.Contains(c.line, file) }
		i := slices.IndexFunc(commands, read)
		if i < 0 || strings.Contains(commands[i].line, "-o "+file) {
			return
		}
		for _, line := range lines {
			all = append(all, pageCommand{line: line})
		}
	}
	made("y.state", "pfnamp fit train.csv -y y -o y.state")
	made("test.parquet", "mkdir parts",
		"pfnamp predict train.csv test.csv -y y --keep all -o test.parquet")
	made(" data ", "mkdir data",
		"pfnamp predict train.csv test.csv -y y --keep all -o data/a.parquet")
	made("old/results.json", "pfnamp evaluate data.csv -y y -o old")
	return all
}

// houses is a table of made-up houses. The last rows lack their targets.
func houses(rng *rand.Rand, rows int, targets []string, unknown int) string {
	var b strings.Builder
	b.WriteString("id,area,age,airco,town,sex")
	for _, target := range targets {
		b.WriteString("," + target)
	}
	b.WriteString("\n")
	for i := range rows {
		area, age := 50+150*rng.Float64(), 90*rng.Float64()
		airco, town, sex := rng.IntN(2), rng.IntN(3), 1+rng.IntN(2)
		fmt.Fprintf(&b, "h%03d,%.1f,%.1f,%s,%s,%d", i, area, age, []string{"no", "yes"}[airco],
			[]string{"north", "south", "west"}[town], sex)
		value := area - age/2 + float64(20*airco) + float64(10*sex) + 10*rng.NormFloat64()
		for _, target := range targets {
			b.WriteString(",")
			switch {
			case i >= rows-unknown:
			case target == "label":
				b.WriteString([]string{"yes", "no"}[min(1, max(0, int(value/120)))])
			case target == "species":
				b.WriteString([]string{"ash", "beech", "oak"}[min(2, max(0, int(value/80)))])
			default:
				fmt.Fprintf(&b, "%.2f", value)
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

// sales is a series of one shop by month.
func sales(rng *rand.Rand, months int) string {
	var b strings.Builder
	b.WriteString("month,shop,sales\n")
	for i := range months {
		season := 20 * math.Sin(2*math.Pi*float64(i)/12)
		value := 100 + float64(i)/4 + season + 3*rng.NormFloat64()
		fmt.Fprintf(&b, "%d-%02d,north,%.1f\n", 2015+i/12, 1+i%12, value)
	}
	return b.String()
}

// trials is a table of settings, with one more column if it has a name.
func trials(rng *rand.Rand, rows int, column string) string {
	var b strings.Builder
	b.WriteString("heat,time" + strings.TrimSuffix(","+column, ",") + "\n")
	for range rows {
		heat, time := rng.Float64(), rng.Float64()
		fmt.Fprintf(&b, "%.3f,%.3f", heat, time)
		if column != "" {
			fmt.Fprintf(&b, ",%.2f", 100-80*(heat-.6)*(heat-.6)-20*time)
		}
		b.WriteString("\n")
	}
	return b.String()
}
