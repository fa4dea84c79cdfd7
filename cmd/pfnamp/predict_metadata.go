package main

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/tabular"
)

// metadata lets a Parquet or Arrow output explain itself. What cannot change
// a result (workers, threads, batch, paths of outputs) is left out, so that
// equal results are equal files.
func (j *askJob) metadata() [][2]string {
	opt, q := j.opt, j.opt.question
	beta := q.Beta
	if beta == 0 {
		beta = amp.PaperBeta(j.varying())
	}
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	chains := [][2]string{
		{"pfnamp.seed", strconv.FormatUint(q.Seed, 10)},
		{"pfnamp.chains", strconv.Itoa(q.Chains)},
		{"pfnamp.steps", strconv.Itoa(q.Steps)},
		{"pfnamp.rho", number(max(0, q.Rho))}, // amp.Independence is 0
		{"pfnamp.beta", number(beta)},
	}
	if q.Posteriors[0] == pfnamp.Direct {
		chains = nil
	}
	if opt.shard.count > 0 {
		chains = append(chains, [2]string{"pfnamp.shard", opt.shard.String()})
	}
	if opt.joint.bands {
		chains = append(chains, j.jointMetadata()...)
	}
	if opt.sql {
		chains = append(chains, [2]string{"pfnamp.names", sqlNames})
	}
	chains = append(append(chains, conformalMetadata(q, j.from.fit)...), labelMetadata(q)...)
	return append([][2]string{
		{"pfnamp.version", version()},
		{"pfnamp.model", j.bundle.Manifest.Name + " " + j.bundle.Manifest.Version},
		{"pfnamp.model.sha256", j.bundle.SHA256()},
		{"pfnamp.level", number(q.Level)},
		{"pfnamp.target", opt.fit.Target},
		{"pfnamp.functional", strings.Join(j.layout.Names, ",")},
		{"pfnamp.interval", q.Interval.String()},
		{"pfnamp.posterior", posteriors(q)},
		{"pfnamp.members", strconv.Itoa(j.model.Members())},
		{"pfnamp.arguments", strings.Join([]string{
			filepath.Base(j.schema.File), baseName(opt.test),
			"ignore=" + strings.Join(opt.fit.Ignore, ","),
			"keep=" + strings.Join(opt.fit.Keep, ","),
			"categorical=" + strings.Join(opt.fit.Categorical, ","),
			"numeric=" + strings.Join(opt.fit.Numeric, ","),
		}, " ") + j.readAs()},
		{"pfnamp.context", j.subsampled()},
	}, chains...)
}

// baseName is the name of a file without its folders, "" for none.
func baseName(path string) string {
	if path == "" {
		return ""
	}
	return filepath.Base(path)
}

// readAs says how dates and the target are read where that is not as numbers of any kind.
func (j *askJob) readAs() (text string) {
	if dates := j.opt.fit.Dates; dates != tabular.CalendarDates {
		text += " dates=" + string(dates)
	}
	if values := j.support(); !values.Any() {
		text += " target-values=" + values.String()
	}
	return text
}

// fileMetadata is the metadata of a table of a format: with the hashes of the files that were read,
// where it has a place for them. Pipes have none.
func (j *askJob) fileMetadata(format tabular.Format) ([][2]string, error) {
	pairs := j.metadata()
	if !format.Metadata() {
		return pairs, nil
	}
	context := "pfnamp.train.sha256"
	if j.state != nil {
		context = "pfnamp.state.sha256"
	}
	for _, read := range [][2]string{{context, j.from.train}, {"pfnamp.test.sha256", j.opt.test}} {
		facts, err := j.readFacts(read[1])
		if err != nil {
			return nil, err
		}
		if facts.SHA256 != "" {
			pairs = append(pairs, [2]string{read[0], facts.SHA256})
		}
	}
	return pairs, nil
}

// posteriors lists the posteriors in force.
func posteriors(q pfnamp.Question) string {
	names := make([]string, len(q.Posteriors))
	for i, p := range q.Posteriors {
		names[i] = string(p)
	}
	return strings.Join(names, ",")
}

// subsampled is what metadata says of the context rows: "all", or how they were drawn.
func (j *contextJob) subsampled() string {
	o := j.from.fit // those of the state
	if j.training != nil {
		o = j.training.Options
	}
	if o.Subsample <= 0 {
		return "all"
	}
	return fmt.Sprintf("at most %d, seed %d", o.Subsample, o.Seed)
}
