package flags

import (
	"fmt"
	"strings"
	"time"

	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/tabular"
)

// runs are the commands that run a network.
const (
	runs    = reads + ", serve, " + replays
	replays = "models verify, models import, replay"
)

// model are those that say which model runs, and how.
var model = section{"Model", []Flag{
	{Name: "model", Kind: Text, For: reads, DefaultText: "by the task",
		Env: "PFNAMP_MODEL", Usage: "use `BUNDLE`: default, an imported name, or a folder", Files: true},
	{Name: "model", Kind: Repeated, For: "serve", Env: "PFNAMP_MODEL",
		DefaultText: "by the task of a state", Files: true,
		Usage: "use `BUNDLES` other than the embedded ones: imported names, or folders"},
	{Name: "members", Kind: Whole, For: reads, DefaultText: "the bundle's preset",
		Usage: "`NUMBER` of ensemble members", Hint: "drop --members: the bundle has a default"},
	{Name: "no-fingerprint", Kind: Switch, For: reads,
		Usage: "give members of a TabPFN bundle no hash of the row"},
	{Name: "memory", Option: tabular.OptionMaxBytes, Kind: Text, For: reads + ", serve",
		DefaultText: "memory of the machine or its control group",
		Usage:       "refuse a job that needs more memory than `SIZE`, such as 4G; none: no limit"},
	{Name: "device", Kind: Text, For: runs + ", doctor", Default: "auto", Env: "PFNAMP_DEVICE",
		Values: pfn.Devices(),
		Usage: "run on `DEVICE`: " + strings.Join(pfn.Devices(), ", ") + "; a number as in cuda:1 " +
			"selects a card"},
	{Name: "precision", Kind: Word, For: runs, Default: pfn.Float32,
		Usage: "`PRECISION` of the network: float32; int8: faster and less exact; auto: int8 on " +
			"processors made for it", Values: pfn.Precisions()},
	{Name: "threads", Kind: Whole, For: runs, DefaultText: "one per core", Env: "PFNAMP_THREADS",
		Least: 1, Most: pfn.MaxThreads, Hint: "drop --threads for one thread per core",
		Usage: fmt.Sprintf("run `NUMBER` onnxruntime threads, at most %d", pfn.MaxThreads)},
	{Name: "cpus", Kind: Whole, For: runs, DefaultText: "all", Least: 1, Env: "PFNAMP_CPUS",
		Usage: "use `NUMBER` processors, for --threads and --workers alike"},
	{Name: "time-limit", Kind: Text, For: reads + ", serve",
		DefaultText: "10m and 50ms per cell of the table", Values: []string{"none", "30m", "2h"},
		Usage: "stop a run of the network after `TIME`, such as 1h30m; none: no limit"},
	{Name: "time-limit", Kind: Text, For: replays, DefaultText: "10m",
		Values: []string{"none", "30m", "2h"},
		Usage:  "stop the replay of a bundle after `TIME`, such as 1h30m; none: no limit"},
	{Name: "ort-lib", Kind: Text, For: runs + ", doctor, version", DefaultText: "see pfnamp doctor",
		Files: true, Usage: "load the onnxruntime library from `FILE`"},
}}

// plain are those that have no heading.
var plain = section{"", []Flag{
	{Name: "probe", Kind: Switch, For: "doctor", Hidden: true, Usage: "this is the child"},
	{Name: "licence", Kind: Switch, For: "models show", Usage: "print the licence of the weights"},
	{Name: "name", Kind: Text, For: "models import", DefaultText: "the bundle's own",
		Usage: "import it as `NAME`"},
	{Name: "accept-licence", Kind: Switch, For: "models import",
		Usage: "accept the licence of the weights, if it asks for that"},
	{Name: "force", Kind: Switch, For: "models import", Usage: "overwrite a bundle of the same name"},
	{Name: "no-verify", Kind: Switch, For: "models import", Usage: "do not replay the golden vectors"},
	{Name: "quiet", Short: "q", Kind: Switch, For: one + ", forecast, serve, models verify",
		Usage: "print no notes"},
	{Name: "json", Kind: Switch,
		For:   reads + ", serve, models list, models show, models verify, doctor, replay",
		Usage: "print the result or the error as one JSON object, and no notes"},
}}

// server are those that say where the server listens and who may ask it.
var server = section{"Server", []Flag{
	{Name: "listen", Kind: Text, For: "serve", Default: "127.0.0.1:8080",
		Usage: "serve HTTP at `HOST:PORT`; port 0 takes a free port, which is logged"},
	{Name: "grpc-listen", Kind: Text, For: "serve", Default: "127.0.0.1:8081",
		Usage: "serve gRPC at `HOST:PORT`, or none"},
	{Name: "tls-cert", Kind: File, For: "serve", Usage: "`FILE` of the TLS certificate (PEM)"},
	{Name: "tls-key", Kind: File, For: "serve", Usage: "`FILE` of its key (PEM)"},
	{Name: "token-file", Kind: File, For: "serve",
		Usage: "require a token: `FILE` holds those that are accepted, one a line"},
	{Name: "insecure", Kind: Switch, For: "serve",
		Usage: "listen to other machines without TLS or without tokens"},
	{Name: "allow-origin", Kind: Repeated, For: "serve",
		Usage: "answer pages of `ORIGIN` (CORS), such as https://app.example.org"},
	{Name: "reload", Kind: Time, For: "serve", Default: 10 * time.Second,
		Usage: "check for changed files every `TIME`, and reload them; 0s: only at SIGHUP"},
	{Name: "check-rows", Kind: Whole, For: "serve", Default: 1000,
		Usage: "compare the last `ROWS` with the training table, for /metrics; 0: do not compare"},
	{Name: "probe", Kind: Text, For: "serve",
		Usage: "ask whether the server at `HOST:PORT` is ready, and exit: status 0 if it is"},
	{Name: "notice", Kind: Time, For: "serve", Default: time.Second,
		Usage: "at the end, take requests for `TIME` after ready has become false"},
	{Name: "grace", Kind: Time, For: "serve", Default: 30 * time.Second,
		Usage: "then wait at most `TIME` for open requests"},
}}

// limits are those that bound what clients can take.
var limits = section{"Limits", []Flag{
	{Name: "max-body", Kind: Text, For: "serve", Default: "64M",
		Usage: "largest `SIZE` of a request, also after decompression"},
	{Name: "max-rows", Kind: Whole, For: "serve", Default: 100_000, Least: 1,
		Usage: "most `ROWS` in a request, except for streams"},
	{Name: "max-requests", Kind: Whole, For: "serve", Default: 1024, Least: 1,
		Usage: "most `REQUESTS` at the same time"},
	{Name: "max-queue", Kind: Whole, For: "serve", Default: 8192, Least: 1,
		Usage: "most `ROWS` that wait for a model"},
	{Name: "batch", Kind: Whole, For: "serve", Default: 256, Least: 1,
		Usage: "the network reads at most `ROWS` at once; results stay the same"},
	{Name: "wait", Kind: Time, For: "serve", Default: 2 * time.Millisecond,
		Usage: "wait at most `TIME` for the next request before the network runs"},
}}
