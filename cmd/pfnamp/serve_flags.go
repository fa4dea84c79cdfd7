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
			Usage:   "`BUNDLES` of the states, where they are others: imported names, or folders"},
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
			Usage: "`HOST:PORT` of HTTP; port 0 takes a free one, which the log tells"},
		&cli.StringFlag{Name: "grpc-listen", Category: category, Value: "127.0.0.1:8081",
			Usage: "`HOST:PORT` of gRPC, or none"},
		&cli.StringFlag{Name: "tls-cert", Category: category, Usage: "`FILE` of the certificate, PEM"},
		&cli.StringFlag{Name: "tls-key", Category: category, Usage: "`FILE` of its key, PEM"},
		&cli.StringFlag{Name: "token-file", Category: category,
			Usage: "`FILE` of tokens, one a line: clients must send one of them"},
		&cli.BoolFlag{Name: "insecure", Category: category, DisableDefaultText: true,
			Usage: "listen to other machines without TLS or without tokens"},
		&cli.StringSliceFlag{Name: "allow-origin", Category: category,
			Usage: "`ORIGIN` of pages that may ask, such as https://app.example.org"},
		&cli.DurationFlag{Name: "reload", Category: category, Value: 10 * time.Second,
			Usage: "`TIME` between looks at the files, which are read again when they have changed; " +
				"0s: only at SIGHUP"},
		&cli.IntFlag{Name: "check-rows", Category: category, Value: 1000,
			Usage: "`ROWS` of a window that is compared with the training table, for /metrics; 0 " +
				"compares nothing"},
		&cli.StringFlag{Name: "probe", Category: category,
			Usage: "only ask the server at `HOST:PORT` whether it is ready: exit status 0 if it is, " +
				"for health checks"},
		&cli.BoolFlag{Name: "allow-fit", Category: category, DisableDefaultText: true,
			Usage: "also answer POST /predict, by which clients fit tables of their own"},
		&cli.StringFlag{Name: "fit-cache", Category: category, Value: "1G",
			Usage: "`SIZE` of what is kept of these tables"},
		&cli.DurationFlag{Name: "notice", Category: category, Value: time.Second,
			Usage: "`TIME` between not being ready and not taking requests, at the end"},
		&cli.DurationFlag{Name: "grace", Category: category, Value: 30 * time.Second,
			Usage: "most `TIME` that requests may take after that"},
	}
}

// limitFlags bound what clients can take.
func limitFlags() []cli.Flag {
	const category = "Limits"
	return []cli.Flag{
		&cli.StringFlag{Name: "max-body", Category: category, Value: "64M",
			Usage: "`SIZE` of a request, also when it is unpacked"},
		&cli.IntFlag{Name: "max-rows", Category: category, Value: 100_000,
			Usage: "`ROWS` of a request, but for streams"},
		&cli.IntFlag{Name: "max-requests", Category: category, Value: 1024,
			Usage: "`NUMBER` of requests at the same time"},
		&cli.IntFlag{Name: "max-queue", Category: category, Value: 8192,
			Usage: "`ROWS` that wait for a model"},
		&cli.IntFlag{Name: "batch", Category: category, Value: 256,
			Usage: "`ROWS` that the network reads together; no effect on the results"},
		&cli.DurationFlag{Name: "wait", Category: category, Value: 2 * time.Millisecond,
			Usage: "most `TIME` that a run waits for the next request, where more are expected"},
	}
}
