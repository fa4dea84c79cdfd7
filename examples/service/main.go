// Service predicts rows with intervals over HTTP, from a state that `pfnamp fit` has saved:
//
//	pfnamp fit train.csv --target price -o price.state
//	go run . price.state 127.0.0.1:8000
//	curl -s 127.0.0.1:8000 -d '[{"area": 50, "town": "Bath"}]'
//
// To start a service of your own, copy this file into an empty folder, and there:
//
//	go mod init example.org/service
//	go mod edit -replace github.com/pfnamp/pfnamp=PATH/OF/THE/CLONE # until it is published
//	go mod tidy
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log"
	"net/http"
	"os/signal"
	"syscall"
	"time"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/batching"
	"github.com/pfnamp/pfnamp/tabular"
)

func main() {
	flag.Parse()
	if flag.NArg() != 2 {
		log.Fatal("usage: service STATE HOST:PORT")
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	if err := serve(ctx, flag.Arg(0), flag.Arg(1)); err != nil {
		log.Fatal(err)
	}
}

// serve answers until ctx ends, and then finishes the running requests.
func serve(ctx context.Context, state, address string) error {
	fitted, err := pfnamp.Load(state, pfnamp.LoadOptions{})
	if err != nil {
		return err
	}
	defer fitted.Close()
	predictor, err := fitted.Prepare(ctx, pfnamp.Question{Level: 0.9})
	if err != nil {
		return err
	}
	defer predictor.Close()
	batcher := batching.New(predictor, batching.Options{})
	defer batcher.Close()
	server := &http.Server{Addr: address, Handler: handler(batcher), ReadTimeout: 10 * time.Second,
		WriteTimeout: time.Minute}
	ended := make(chan error, 1)
	go func() {
		<-ctx.Done()
		last, stop := context.WithTimeout(context.Background(), 30*time.Second)
		defer stop()
		ended <- server.Shutdown(last)
	}()
	if err := server.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return <-ended
}

// handler answers a list of rows with their estimates of the first functional. Concurrent requests
// share runs of the network.
func handler(b *batching.Batcher) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var rows []map[string]any
		err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<20)).Decode(&rows)
		if err != nil {
			http.Error(w, fmt.Sprintf("the body is not a JSON list of rows: %v", err), http.StatusBadRequest)
			return
		}
		answer, err := b.Rows(r.Context(), rows)
		if err != nil {
			http.Error(w, err.Error(), statusOf(err))
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(answer.Posteriors[0].Estimates[0])
	})
}

// statusOf is the HTTP status of an error.
func statusOf(err error) int {
	if _, ok := errors.AsType[*tabular.Error](err); ok {
		return http.StatusBadRequest
	}
	if errors.Is(err, batching.ErrQueueFull) {
		return http.StatusTooManyRequests
	}
	return http.StatusInternalServerError
}
