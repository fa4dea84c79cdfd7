// Studies is the laboratory of the publication behind package amp: Nagler and Rügamer,
// "Uncertainty Quantification for Prior-Data Fitted Networks using Martingale Posteriors" (arXiv
// 2505.11325). It repeats the experiments whose truth is known, additive data beside the analytic
// optimum, and those on tables, beside the published figures. Two more studies score the posteriors
// of all functionals and of classes on ten families of functions.
//
//	studies -ideal -o simulation simulation
//	studies -bootstrap 20 -o benchmark benchmark FOLDER
//
// The model is a network, or the exact Bayesian solution of the simulated model, whose own
// posterior is the optimal one. With -o, tables.md, results.json and figures appear in a folder. It
// keeps finished parts, so that the same command continues an interrupted run of the same program.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"log"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/evaluate"
	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/report"
	"github.com/pfnamp/pfnamp/tabular"
)

func main() {
	log.SetFlags(0)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		log.Fatal("studies: ", err)
	}
}

// job is one run of a study, and what it found.
type job struct {
	study study
	setting
	ideal   bool
	model   string            // a bundle; "" for the embedded one
	out     string            // folder, "" for none
	used    string            // the model, in words
	depends map[string]string // what the results of a part depend on

	cells    []evaluate.Cell
	outcomes []evaluate.Outcome
	results  []evaluate.Result // of a table, means over its splits
}

// run reads the command line, computes the study and writes what it found.
func run(ctx context.Context, args []string, w io.Writer) error {
	j, folder, err := parse(args)
	if err != nil {
		return err
	}
	if j.study.name == "benchmark" {
		if err := j.readTables(ctx, folder); err != nil {
			return err
		}
	}
	network, err := j.open()
	if err != nil {
		return err
	}
	if network != nil {
		defer network.Close()
	}
	var store *evaluate.Store
	if j.out != "" {
		if store, err = evaluate.OpenStore(j.out, j.depends); err != nil {
			return err
		}
	}
	j.cells = j.study.cells(j.setting)
	j.outcomes, err = evaluate.Run(ctx, j.cells, store, j.Workers, func(n int) {
		log.Printf("%d of %d parts", n, len(j.cells))
	})
	if err != nil {
		return err
	}
	if j.results = evaluate.Results(j.cells, j.outcomes); j.tables != nil {
		j.results = evaluate.Average(j.results, "split")
	}
	return j.write(w)
}

// parse reads the command line: flags, a study and, for the benchmark, a folder.
func parse(args []string) (j job, folder string, err error) {
	set := flag.NewFlagSet("studies", flag.ContinueOnError)
	set.BoolVar(&j.ideal, "ideal", false, "use the exact solution of the simulated model")
	set.StringVar(&j.model, "model", os.Getenv("PFNAMP_MODEL"), "bundle; empty for the embedded one")
	set.StringVar(&j.out, "o", "", "write results and figures to this folder")
	set.IntVar(&j.sets, "sets", 0, "simulated data sets of every kind; 0: set by the study")
	set.IntVar(&j.points, "points", 100, "query rows in a simulated data set")
	set.Float64Var(&j.Level, "level", amp.DefaultLevel, "probability of all intervals")
	set.IntVar(&j.Chains, "chains", amp.DefaultChains, "number of chains")
	set.IntVar(&j.Steps, "steps", amp.DefaultSteps, "forward samples in a chain")
	set.Uint64Var(&j.Seed, "seed", 1, "seed of splits, simulations and chains")
	set.IntVar(&j.Splits, "splits", 10, "random splits of a table")
	set.Float64Var(&j.Share, "train-share", 0.2, "share of the rows that the model reads in a split")
	set.IntVar(&j.Refits, "bootstrap", 50, "refits of the bootstrap; 0 skips it")
	set.Usage = func() {
		fmt.Fprintln(set.Output(), "studies [flags] STUDY [FOLDER]")
		for _, s := range studies() {
			fmt.Fprintf(set.Output(), "  %-12s %s\n", s.name, s.title)
		}
		set.PrintDefaults()
	}
	if err := set.Parse(args); err != nil {
		return j, "", err
	}
	at := slices.IndexFunc(studies(), func(s study) bool { return s.name == set.Arg(0) })
	if at < 0 {
		return j, "", fmt.Errorf("there is no study %q: studies -h lists them", set.Arg(0))
	}
	j.study = studies()[at]
	if tables := j.study.name == "benchmark"; tables != (set.NArg() == 2) || set.NArg() > 2 {
		return j, "", errors.New("only the study benchmark needs a folder of CSV files")
	}
	if j.ideal && j.study.network {
		return j, "", errors.New("this study needs a network: drop -ideal")
	}
	if j.sets == 0 {
		j.sets = j.study.sets
	}
	j.depends = map[string]string{"study": j.study.name}
	set.VisitAll(func(f *flag.Flag) {
		if f.Name != "o" && f.Name != "splits" { // more splits can be added later
			j.depends[f.Name] = f.Value.String()
		}
	})
	return j, set.Arg(1), nil
}

// readTables reads the CSV files of a folder, whose last column is the target.
func (j *job) readTables(ctx context.Context, folder string) error {
	files, err := filepath.Glob(filepath.Join(folder, "[^._]*.csv"))
	if err != nil || len(files) == 0 {
		return fmt.Errorf("%s is not a folder with CSV files", folder)
	}
	for _, file := range files {
		table, err := tabular.ReadAll(ctx, file, tabular.ReadOptions{})
		if err != nil {
			return err
		}
		names := table.Names()
		learned, err := pfnamp.Learn(table, models.Manifest{},
			pfnamp.FitOptions{Target: names[len(names)-1]})
		if err != nil {
			return err
		}
		one := evaluate.Table{Name: tabular.BaseName(file), Training: learned.Data}
		if _, err := j.Divide(one); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		hash := fnv.New64a()
		fmt.Fprint(hash, one.Training)
		j.depends["table "+one.Name] = fmt.Sprintf("%x", hash.Sum64())
		j.tables = append(j.tables, one)
	}
	return nil
}

// open opens the network, which the caller must close; nil of the exact model.
func (j *job) open() (*pfn.Model, error) {
	j.Workers, j.used = 1, "the exact Bayesian solution"
	if j.ideal {
		j.Workers = runtime.GOMAXPROCS(0)
		return nil, nil
	}
	task := models.RegressionTask
	if j.study.classes {
		task = models.ClassificationTask
	}
	open := func() (*pfn.Model, error) { return pfnamp.OpenFor(task, pfn.Options{Refit: true}) }
	if j.model != "" {
		open = func() (*pfn.Model, error) { return pfnamp.Open(j.model, pfn.Options{Refit: true}) }
	}
	network, err := open()
	if err != nil {
		return nil, err
	}
	m := network.Bundle().Manifest
	if m.Task != task {
		return nil, errors.Join(network.Close(), fmt.Errorf("this study needs a model for %s, and %s "+
			"is for %s", task, m.Name, m.Task))
	}
	j.used, j.depends["model sha256"] = m.Name+" "+m.Version, network.Bundle().SHA256()
	j.Model = evaluate.Network{Network: network}
	return network, nil
}

// write prints the tables, and writes tables, results and figures to the folder.
func (j *job) write(w io.Writer) error {
	page := report.Page{Title: j.study.title, Lead: []string{j.made()}, Sections: j.study.show(*j)}
	if err := page.WriteTables(w); err != nil || j.out == "" {
		return err
	}
	files := map[string]func(io.Writer) error{"tables.md": page.WriteTables,
		"results.json": func(w io.Writer) error {
			encoder := json.NewEncoder(w)
			encoder.SetIndent("", " ")
			return encoder.Encode(j.results)
		}}
	for _, s := range page.Sections {
		if s.Chart.Panels != nil {
			files[s.Title+".png"] = func(w io.Writer) error { return s.Chart.Write(w, "png") }
		}
	}
	for name, write := range files {
		file, err := os.Create(filepath.Join(j.out, name))
		if err != nil {
			return err
		}
		if err := errors.Join(write(file), file.Close()); err != nil {
			return err
		}
	}
	return nil
}

// made says how the results were made.
func (j *job) made() string {
	text := fmt.Sprintf("Model: %s. %d chains of %d forward samples, level %g, seed %d.", j.used,
		j.Chains, j.Steps, j.Level, j.Seed)
	if j.tables != nil {
		return text + fmt.Sprintf(" %d splits, training share %g, %d bootstrap refits.", j.Splits,
			j.Share, j.Refits)
	}
	return text + fmt.Sprintf(" %d data sets x %d query rows per cell; bars are two standard errors "+
		"over the data sets.", j.sets, j.points)
}
