package run

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/self"
	"github.com/pfnamp/pfnamp/tabular"
)

// Metadata lets a Parquet or Arrow output explain itself. What cannot change
// a result (workers, threads, batch, paths of outputs) is left out, so that
// equal results are equal files. test is the query table, "" for none, own what a command adds.
func (j *AskJob) Metadata(test string, own ...[2]string) [][2]string {
	fit, q, asked := j.From.Fit, j.Question, j.Asked()
	beta := cmp.Or(q.Beta, amp.PaperBeta(j.varying))
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	chains := [][2]string{
		{"pfnamp.seed", strconv.FormatUint(q.Seed, 10)},
		{"pfnamp.chains", strconv.Itoa(q.Chains)},
		{"pfnamp.steps", strconv.Itoa(q.Steps)},
		{"pfnamp.rho", number(max(0, q.Rho))}, // amp.Independence is 0
		{"pfnamp.beta", number(beta)},
	}
	if q.Posteriors[0].Chainless() {
		chains = nil
	}
	chains = slices.Concat(chains, own, conformalMetadata(q, fit), labelMetadata(q))
	return append([][2]string{
		{"pfnamp.version", self.Version()},
		{"pfnamp.model", j.Bundle.Manifest.Name + " " + j.Bundle.Manifest.Version},
		{"pfnamp.model.sha256", j.Bundle.SHA256()},
		{"pfnamp.level", number(q.Level)},
		{"pfnamp.target", fit.Target},
		{"pfnamp.functional", strings.Join(j.Layout.Names, ",")},
		{"pfnamp.interval", q.Interval.String()},
		{"pfnamp.posterior", strings.Join(slices.Concat([]string{asked.Posterior}, asked.Others), ",")},
		{"pfnamp.members", strconv.Itoa(j.Model.Members())},
		{"pfnamp.arguments", strings.Join([]string{
			filepath.Base(j.Schema.File), baseName(test),
			"ignore=" + strings.Join(fit.Ignore, ","),
			"keep=" + strings.Join(fit.Keep, ","),
			"categorical=" + strings.Join(fit.Categorical, ","),
			"numeric=" + strings.Join(fit.Numeric, ","),
		}, " ") + j.readAs()},
		{"pfnamp.context", j.subsampled()},
	}, chains...)
}

func baseName(path string) string {
	if path == "" {
		return ""
	}
	return filepath.Base(path)
}

// readAs says how dates and the target are read where that is not as numbers of any kind.
func (j *AskJob) readAs() (text string) {
	if dates := j.From.Fit.Dates; dates != tabular.CalendarDates {
		text += " dates=" + string(dates)
	}
	if !j.support.Any() {
		text += " target-values=" + j.support.String()
	}
	return text
}

// FileMetadata is metadata for a table of a format: with the hashes of the files that were read,
// where the format has a place for them. Pipes have none.
func (j *AskJob) FileMetadata(
	format tabular.Format, test string, own ...[2]string,
) ([][2]string, error) {
	pairs := j.Metadata(test, own...)
	if !format.Metadata() {
		return pairs, nil
	}
	context := "pfnamp.train.sha256"
	if j.State != nil {
		context = "pfnamp.state.sha256"
	}
	for _, read := range [][2]string{{context, j.From.Train}, {"pfnamp.test.sha256", test}} {
		facts, err := j.ReadFacts(read[1])
		if err != nil {
			return nil, err
		}
		if facts.SHA256 != "" {
			pairs = append(pairs, [2]string{read[0], facts.SHA256})
		}
	}
	return pairs, nil
}

// MetadataFacts are metadata in the words of a page.
func MetadataFacts(pairs [][2]string) (facts [][2]string) {
	for _, pair := range pairs {
		name := strings.TrimPrefix(pair[0], "pfnamp.")
		if pair[1] != "" && name != "arguments" {
			facts = append(facts, [2]string{strings.ReplaceAll(name, ".", " "), pair[1]})
		}
	}
	return facts
}

// subsampled is what metadata says of the context rows: "all", or how they were drawn.
func (j *Job) subsampled() string {
	o := j.From.Fit // those of the state
	if j.Training != nil {
		o = j.Training.Options
	}
	if o.Subsample <= 0 {
		return "all"
	}
	return fmt.Sprintf("at most %d, seed %d", o.Subsample, o.Seed)
}

// JointMetadata says how rows were coupled.
func JointMetadata(q pfnamp.Question, length float64) [][2]string {
	return [][2]string{{"pfnamp.joint.draws", strconv.Itoa(q.Draws())},
		{"pfnamp.joint.length", strconv.FormatFloat(length, 'g', -1, 64)}}
}
