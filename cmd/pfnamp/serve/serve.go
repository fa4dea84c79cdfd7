// Package serve has the command that serves states over HTTP and gRPC.
package serve

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/conditions"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/engine"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/flags"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/run"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/self"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/stdio"
	"github.com/pfnamp/pfnamp/drift"
	"github.com/pfnamp/pfnamp/serve"
)

const serveHelp = `Serves every STATE of pfnamp fit over HTTP and gRPC (Open Inference Protocol, version 2):
clients send rows and get the columns of predict, with the same bits. The flags of serve fix
functionals, levels and posteriors for all answers.

The model's name is the name of the file without its extension, or NAME in NAME=STATE. Its
version is the start of the file's hash, or VERSION in NAME@VERSION=STATE. If a name has
several versions, the last one answers requests without a version.

   pfnamp serve price.state
   curl -s localhost:8080/v2/models/price/infer -d '{"inputs": [
      {"name": "area", "datatype": "FP64", "shape": [2], "data": [50, 72]}]}'
   curl -s localhost:8080/v2/models/price/table -H 'Content-Type: text/csv' \
      --data-binary @test.csv

http://localhost:8080/ is a page for a browser. /metrics is for Prometheus: load, times, and
drift of the last --check-rows rows from the training table.

ACCESS: by default the server listens to this machine only. Other addresses need --tls-cert,
--tls-key and --token-file, or --insecure. Clients can read names, categories and ranges of
the columns of the training table.

RELOAD: at SIGHUP, or when a file has changed, the server reads states, certificate and tokens
again. Open requests finish with the old ones. If a file cannot be read, the old one stays.

SHUTDOWN: at a termination signal ready becomes false. After --notice the server takes no more
requests, answers the open ones and exits with status 0. A second signal stops it at once.`

// job is one run of `pfnamp serve`.
type job struct {
	question run.AskJob // of every state, which is its train
	named    []namedState
	bundles  []string // other than the embedded ones

	addresses map[string]string // by flag; gRPC may be none
	cert, key string
	tokenFile string
	insecure  bool
	reloads   time.Duration // between looks at the files; 0 leaves it to SIGHUP

	options     serve.Options
	listeners   serve.Listeners
	certificate *serve.Certificate // nil without one
	states      []*servedState
	networks    networks
	loaded      []os.FileInfo // of the watched files, just before they were last read
}

// namedState is a file with the name of its model, and the version that was given, "" for the hash
// of the file.
type namedState struct{ name, version, path string }

// Command returns the command serve.
func Command() *cli.Command {
	return &cli.Command{
		Name:        "serve",
		Usage:       "serve predictions over HTTP and gRPC",
		ArgsUsage:   "STATE...",
		Description: serveHelp + "\n\n" + fault.ExitHelp,
		Action: func(c *cli.Context) error {
			if address := c.String("probe"); address != "" {
				return askReady(c, address)
			}
			j := new(job)
			j.question.Std = stdio.Of(c)
			if err := j.parse(c); err != nil {
				return err
			}
			return j.run(c.Context)
		},
	}
}

// askReady asks a server that runs whether it takes requests.
func askReady(c *cli.Context, address string) (err error) {
	var certificate *serve.Certificate
	if path := c.String("tls-cert"); path != "" {
		if certificate, err = serve.ReadTLS(path, c.String("tls-key")); err != nil {
			return fault.Wrong("--tls-cert, --tls-key: "+err.Error(), "")
		}
	}
	const patience = 4 * time.Second
	ctx, stop := context.WithTimeout(c.Context, patience)
	defer stop()
	return serve.Probe(ctx, address, certificate)
}

func (j *job) parse(c *cli.Context) (err error) {
	j.bundles, j.insecure, j.reloads = c.StringSlice("model"), c.Bool("insecure"), c.Duration("reload")
	j.addresses = map[string]string{"listen": c.String("listen"),
		"grpc-listen": c.String("grpc-listen")}
	j.cert, j.key, j.tokenFile = c.String("tls-cert"), c.String("tls-key"), c.String("token-file")
	j.listeners = serve.Listeners{Notice: c.Duration("notice"), Grace: max(c.Duration("grace"), 1)}
	j.options = serve.Options{Version: self.Version(), Origins: c.StringSlice("allow-origin"),
		CheckRows: c.Int("check-rows"), Limits: serve.Limits{Rows: c.Int("max-rows"),
			Requests: c.Int("max-requests"), QueueRows: c.Int("max-queue"), BatchRows: c.Int("batch"),
			Wait: max(c.Duration("wait"), 1)}} // 0 would be the default
	from := &j.question.From
	from.Saved, from.JSON, from.Task = true, c.Bool("json"), flags.ByTarget
	from.Quiet = c.Bool("quiet") || from.JSON
	from.Read.BatchRows = c.Int("batch")
	j.options.Log = j.log()
	if from.Running, err = engine.Parse(c); err != nil {
		return err
	}
	return run.Each(c, j.parseStates, from.ParseMemory, j.question.ParseAsk, j.checkLimits,
		j.checkAddresses)
}

// stateName is the beginning of NAME=STATE and of NAME@VERSION=STATE.
var stateName = regexp.MustCompile(
	`^([A-Za-z0-9][A-Za-z0-9._-]*)(?:@([A-Za-z0-9][A-Za-z0-9._-]*))?=`)

func (j *job) parseStates(c *cli.Context) error {
	if c.NArg() == 0 {
		return fault.Wrong("serve needs at least one STATE",
			"make one: pfnamp fit TRAIN --target y -o STATE")
	}
	for _, argument := range c.Args().Slice() {
		s := namedState{path: argument}
		if match := stateName.FindStringSubmatch(argument); match != nil {
			s.name, s.version, s.path = match[1], match[2], argument[len(match[0]):]
		} else {
			base := filepath.Base(argument)
			s.name = strings.TrimSuffix(base, filepath.Ext(base))
		}
		if !stateName.MatchString(s.name + "=") {
			return fault.Wrong(strconv.Quote(s.name)+" cannot be the name of a model",
				"give the state a name of letters and digits: price="+s.path)
		}
		if slices.ContainsFunc(j.named, s.same) {
			return fault.Wrong("two states have the name "+s.name,
				"give one another name, other="+s.path+", or both a version: "+s.name+"@2="+s.path)
		}
		j.named = append(j.named, s)
	}
	return nil
}

// same reports whether clients could not tell two states apart: those of one name have versions.
func (s namedState) same(other namedState) bool {
	return s.name == other.name && (s.version == "" || other.version == "" ||
		s.version == other.version)
}

// origins are origins of pages.
var origins = regexp.MustCompile(`^https?://[A-Za-z0-9.-]+(?::[0-9]+)?$`)

// checkLimits refuses limits and origins that are none.
func (j *job) checkLimits(c *cli.Context) error {
	if n := j.options.CheckRows; n != 0 && (n < drift.LeastRows || n > conditions.MostChecked) {
		return fault.Option("check-rows", fmt.Sprintf("%d is not between %d and %d", n,
			drift.LeastRows, conditions.MostChecked), "to compare no rows, use --check-rows 0")
	}
	for _, origin := range j.options.Origins {
		if !origins.MatchString(origin) {
			return fault.Option("allow-origin", strconv.Quote(origin)+" is not the origin of a page",
				"write scheme and host only: https://app.example.org")
		}
	}
	size, err := engine.Size("max-body", c.String("max-body"), "")
	l := &j.options.Limits
	l.Body, l.Expanded, l.Held = size, size, max(512<<20, 8*size)
	return err
}

// checkAddresses refuses what would let other machines in without a token or let them be overheard.
func (j *job) checkAddresses(*cli.Context) error {
	for _, flag := range []string{"listen", "grpc-listen"} {
		address := j.addresses[flag]
		if flag == "grpc-listen" && address == "none" {
			continue
		}
		local, err := serve.Loopback(address)
		if err != nil {
			return fault.Option(flag, ": "+err.Error(), "write HOST:PORT, such as 127.0.0.1:8080")
		}
		if !local && !j.insecure && (j.cert == "" || j.tokenFile == "") {
			return fault.Option(flag, address+" lets other machines in without protection",
				"add --tls-cert, --tls-key and --token-file; if something else protects the port, add "+
					"--insecure")
		}
		if local && flag == "listen" && j.tokenFile == "" && !j.insecure {
			j.options.Hosts = serve.LocalHosts()
		}
	}
	return nil
}

// run opens the ports and the states, and serves them until a signal comes. A faulty state is an
// error before the first request.
func (j *job) run(ctx context.Context) (err error) {
	hangups := make(chan os.Signal, 1)
	signal.Notify(hangups, syscall.SIGHUP)
	defer signal.Stop(hangups)
	defer j.close()
	j.loaded = j.look()
	if err := j.listen(ctx); err != nil { // at once, as a port in use is
		return err
	}
	if j.states, err = j.openStates(ctx, nil); err != nil {
		return err
	}
	return j.serve(ctx, hangups)
}
