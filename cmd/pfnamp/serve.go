package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/engine"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
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

// serveOptions is the command line of `pfnamp serve`, parsed.
type serveOptions struct {
	question askJob // of every state, which is its train
	states   []namedState
	bundles  []string

	listen, grpc  string
	cert, key     string
	tokenFile     string
	insecure      bool
	origins       []string
	reload        time.Duration // between looks at the files; 0 leaves it to SIGHUP
	notice, grace time.Duration
	checkRows     int
	limits        serve.Limits
}

// namedState is a file with the name of its model, and the version that was given, "" for the hash
// of the file.
type namedState struct{ name, version, path string }

func serveCommand(std stdio.Streams) *cli.Command {
	return &cli.Command{
		Name:        "serve",
		Usage:       "serve predictions over HTTP and gRPC",
		ArgsUsage:   "STATE...",
		Description: serveHelp + "\n\n" + fault.ExitHelp,
		Action: func(c *cli.Context) error {
			if address := c.String("probe"); address != "" {
				return askReady(c, address)
			}
			opt, err := parseServe(c)
			if err != nil {
				return err
			}
			return runServe(c.Context, opt, std)
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

// parseServe turns flags into options and reports the first wrong one.
func parseServe(c *cli.Context) (serveOptions, error) {
	opt := serveOptions{bundles: c.StringSlice("model"),
		listen: c.String("listen"), grpc: c.String("grpc-listen"), cert: c.String("tls-cert"),
		key: c.String("tls-key"), tokenFile: c.String("token-file"), insecure: c.Bool("insecure"),
		origins: c.StringSlice("allow-origin"), reload: c.Duration("reload"),
		checkRows: c.Int("check-rows"),
		notice:    c.Duration("notice"), grace: c.Duration("grace"),
		limits: serve.Limits{Rows: c.Int("max-rows"), Requests: c.Int("max-requests"),
			QueueRows: c.Int("max-queue"), BatchRows: c.Int("batch"), Wait: c.Duration("wait")}}
	q := &opt.question
	from := &q.from
	from.saved, from.json, from.task = true, c.Bool("json"), byTarget
	from.quiet = c.Bool("quiet") || from.json
	from.read.BatchRows = c.Int("batch")
	var err error
	if from.running, err = engine.Parse(c); err != nil {
		return opt, err
	}
	for _, step := range []func(*cli.Context) error{
		opt.parseStates, from.parseMemory, q.parseAsk, opt.checkLimits,
		func(*cli.Context) error { return opt.checkAddresses() },
		func(*cli.Context) error { return opt.checkOrigins() },
	} {
		if err := step(c); err != nil {
			return opt, err
		}
	}
	return opt, nil
}

// stateName is the beginning of NAME=STATE and of NAME@VERSION=STATE.
var stateName = regexp.MustCompile(
	`^([A-Za-z0-9][A-Za-z0-9._-]*)(?:@([A-Za-z0-9][A-Za-z0-9._-]*))?=`)

// parseStates reads the arguments.
func (o *serveOptions) parseStates(c *cli.Context) error {
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
			return fault.Wrong(quote(s.name)+" cannot be the name of a model",
				"give the state a name of letters and digits: price="+s.path)
		}
		if slices.ContainsFunc(o.states, s.same) {
			return fault.Wrong("two states have the name "+s.name,
				"give one another name, other="+s.path+", or both a version: "+s.name+"@2="+s.path)
		}
		o.states = append(o.states, s)
	}
	return nil
}

// same reports whether clients could not tell two states apart: those of one name have versions.
func (s namedState) same(other namedState) bool {
	return s.name == other.name && (s.version == "" || other.version == "" ||
		s.version == other.version)
}

// checkOrigins refuses what is no origin of a page.
func (o *serveOptions) checkOrigins() error {
	for _, origin := range o.origins {
		if !origins.MatchString(origin) {
			return fault.Option("allow-origin", quote(origin)+" is not the origin of a page",
				"write scheme and host only: https://app.example.org")
		}
	}
	return nil
}

// origins are origins of pages.
var origins = regexp.MustCompile(`^https?://[A-Za-z0-9.-]+(?::[0-9]+)?$`)

// checkLimits refuses limits that let nothing in.
func (o *serveOptions) checkLimits(c *cli.Context) error {
	if n := o.checkRows; n != 0 && (n < drift.LeastRows || n > mostChecked) {
		return fault.Option("check-rows", fmt.Sprintf("%d is not between %d and %d", n,
			drift.LeastRows, mostChecked), "to compare no rows, use --check-rows 0")
	}
	text := c.String("max-body")
	size, err := engine.Size("max-body", text, "")
	if err != nil {
		return err
	}
	o.limits.Body, o.limits.Expanded = size, size
	o.limits.Held = max(512<<20, 8*size)
	if o.limits.Wait == 0 {
		o.limits.Wait = 1 // as good as none
	}
	return nil
}

// checkAddresses refuses what would let other machines in without a token or let them be overheard.
func (o *serveOptions) checkAddresses() error {
	for _, pair := range [][2]string{{"listen", o.listen}, {"grpc-listen", o.grpc}} {
		flag, address := pair[0], pair[1]
		if flag == "grpc-listen" && address == "none" {
			continue
		}
		local, err := serve.Loopback(address)
		if err != nil {
			return fault.Option(flag, ": "+err.Error(), "write HOST:PORT, such as "+"127.0.0.1:8080")
		}
		if !local && !o.insecure && (o.cert == "" || o.tokenFile == "") {
			return fault.Wrong(fmt.Sprintf("--%s %s lets other machines in without protection", flag,
				address), "add --tls-cert, --tls-key and --token-file; if something else protects the port, "+
				"add --insecure")
		}
	}
	return nil
}

// runServe opens the ports and the states, and serves them until a signal comes.
func runServe(ctx context.Context, opt serveOptions, std stdio.Streams) error {
	hangups := make(chan os.Signal, 1)
	signal.Notify(hangups, syscall.SIGHUP)
	defer signal.Stop(hangups)
	job := &serveJob{opt: opt, std: std, loaded: opt.stamps()}
	defer job.close()
	if err := job.listen(ctx); err != nil { // at once, as a port in use is
		return err
	}
	if err := job.open(ctx); err != nil {
		return err
	}
	return job.serve(ctx, hangups)
}

// of is the question of a state; what numbers only have is not asked of classes where there are
// both.
func (o *serveOptions) of(s namedState, bundle string, mixed bool) askJob {
	q := o.question
	q.from.train, q.from.model, q.from.fit = s.path, bundle, pfnamp.FitOptions{}
	if mixed {
		q.given = slices.DeleteFunc(slices.Clone(q.given), func(name string) bool {
			return name == "functional" || name == "ppd"
		})
	}
	return q
}
