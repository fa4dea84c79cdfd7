package main

import (
	"slices"
	"time"

	"github.com/urfave/cli/v2"
)

// serveFlags lists the flags in the order that --help shows them.
func serveFlags() []cli.Flag {
	question := slices.DeleteFunc(questionFlags(), func(f cli.Flag) bool {
		return f.Names()[0] == "target" || f.Names()[0] == "task"
	})
	const category = modelCategory
	model := append([]cli.Flag{
		&cli.StringSliceFlag{Name: "model", Category: category, DefaultText: "by the task of a state",
			EnvVars: []string{"PFNAMP_MODEL"},
			Usage:   "use `BUNDLES` other than the embedded ones: imported names, or folders"},
		memoryFlag(),
	}, engineFlags()...)
	return slices.Concat(listenFlags(), limitFlags(), question, posteriorFlags(), model,
		messageFlags())
}

// listenFlags say where the server listens and who may ask it.
func listenFlags() []cli.Flag {
	const category = "Server"
	return []cli.Flag{
		&cli.StringFlag{Name: "listen", Category: category, Value: "127.0.0.1:8080",
			Usage: "serve HTTP at `HOST:PORT`; port 0 takes a free port, which is logged"},
		&cli.StringFlag{Name: "grpc-listen", Category: category, Value: "127.0.0.1:8081",
			Usage: "serve gRPC at `HOST:PORT`, or none"},
		&cli.StringFlag{Name: "tls-cert", Category: category,
			Usage: "`FILE` of the TLS certificate (PEM)"},
		&cli.StringFlag{Name: "tls-key", Category: category, Usage: "`FILE` of its key (PEM)"},
		&cli.StringFlag{Name: "token-file", Category: category,
			Usage: "require a token: `FILE` holds those that are accepted, one a line"},
		&cli.BoolFlag{Name: "insecure", Category: category, DisableDefaultText: true,
			Usage: "listen to other machines without TLS or without tokens"},
		&cli.StringSliceFlag{Name: "allow-origin", Category: category,
			Usage: "answer pages of `ORIGIN` (CORS), such as https://app.example.org"},
		&cli.DurationFlag{Name: "reload", Category: category, Value: 10 * time.Second,
			Usage: "check for changed files every `TIME`, and reload them; 0s: only at SIGHUP"},
		&cli.IntFlag{Name: "check-rows", Category: category, Value: 1000,
			Usage: "compare the last `ROWS` with the training table, for /metrics; 0: do not compare"},
		&cli.StringFlag{Name: "probe", Category: category,
			Usage: "ask whether the server at `HOST:PORT` is ready, and exit: status 0 if it is"},
		&cli.DurationFlag{Name: "notice", Category: category, Value: time.Second,
			Usage: "at the end, take requests for `TIME` after ready has become false"},
		&cli.DurationFlag{Name: "grace", Category: category, Value: 30 * time.Second,
			Usage: "then wait at most `TIME` for open requests"},
	}
}

// limitFlags bound what clients can take.
func limitFlags() []cli.Flag {
	const category = "Limits"
	return []cli.Flag{
		&cli.StringFlag{Name: "max-body", Category: category, Value: "64M",
			Usage: "largest `SIZE` of a request, also after decompression"},
		&cli.IntFlag{Name: "max-rows", Category: category, Value: 100_000,
			Usage: "most `ROWS` in a request, except for streams"},
		&cli.IntFlag{Name: "max-requests", Category: category, Value: 1024,
			Usage: "most `REQUESTS` at the same time"},
		&cli.IntFlag{Name: "max-queue", Category: category, Value: 8192,
			Usage: "most `ROWS` that wait for a model"},
		&cli.IntFlag{Name: "batch", Category: category, Value: 256,
			Usage: "the network reads at most `ROWS` at once; results stay the same"},
		&cli.DurationFlag{Name: "wait", Category: category, Value: 2 * time.Millisecond,
			Usage: "wait at most `TIME` for the next request before the network runs"},
	}
}
