package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/pfnamp/pfnamp/internal/orttest"
)

// saved makes tables and the state y.state in a new working folder.
func saved(t *testing.T) {
	t.Helper()
	t.Setenv("PFNAMP_ORT_LIB", orttest.Library(t))
	writeReadmeTables(t)
	if status, _, message := runCommand(t, "fit train.csv --target y --members 1 -o y.state"); status != exitOK {
		t.Fatal(message)
	}
}

// TestServe starts a server, gets the bytes of predict from it, and stops it by a signal.
func TestServe(t *testing.T) {
	saved(t)
	const question = " --chains 50 -f mean,q0.9 --level 0.8"
	if status, _, message := runCommand(t, "predict y.state test.csv -o want.csv"+question); status != exitOK {
		t.Fatal(message)
	}
	ctx, stop := context.WithCancelCause(t.Context())
	from, to := io.Pipe()
	done := make(chan int, 1)
	go func() {
		args := strings.Fields("pfnamp serve price=y.state --listen 127.0.0.1:0 --grpc-listen 127.0.0.1:0 " +
			"--notice 0s --allow-fit" + question)
		done <- run(ctx, stdio{in: strings.NewReader(""), out: io.Discard, err: to}, args)
		to.Close()
	}()
	log := bufio.NewReader(from)
	var address string
	for address == "" {
		line, err := log.ReadString('\n')
		if err != nil {
			t.Fatalf("status %d", <-done)
		}
		if match := regexp.MustCompile(`msg=ready http=(\S+) grpc=`).FindStringSubmatch(line); match != nil {
			address = match[1]
		}
	}
	go io.Copy(io.Discard, log)
	r, err := http.Post("http://"+address+"/v2/models/price/table", "text/csv",
		bytes.NewReader(readFile(t, "test.csv")))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	got, err := io.ReadAll(r.Body)
	if want := readFile(t, "want.csv"); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%v\n%s\nwant\n%s", err, got, want)
	}
	if r, err := http.Post("http://"+address+"/predict", "application/json", strings.NewReader("{}")); err != nil || r.StatusCode != 400 {
		t.Errorf("POST /predict: %v %v", r, err)
	}
	stop(signalError{syscall.SIGTERM})
	if status := <-done; status != exitOK {
		t.Errorf("exit status %d", status)
	}
}

// TestServeRefuses: what is wrong with a command line is told before anything is opened.
func TestServeRefuses(t *testing.T) {
	saved(t)
	for path, text := range map[string]string{"tokens": "a-token-of-16-letters\n", "short": "x\n"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		line   string
		status int
		says   string
	}{
		{"serve", exitUsage, "at least one STATE"},
		{"serve none.state", exitInput, "none.state"},
		{"serve train.csv", exitInput, "not a"},
		{"serve y.state other/y.state", exitUsage, "two states have the name y"},
		{"serve =y.state", exitUsage, "cannot be the name"},
		{"serve y.state --listen 0.0.0.0:0", exitUsage, "lets other machines in"},
		{"serve y.state --listen :0 --token-file tokens", exitUsage, "lets other machines in"},
		{"serve y.state --grpc-listen :0", exitUsage, "--grpc-listen :0 lets other machines in"},
		{"serve y.state --listen nonsense", exitUsage, "--listen"},
		{"serve y.state --tls-cert c", exitUsage, "belong together"},
		{"serve y.state --max-rows 0", exitUsage, "--max-rows 0"},
		{"serve y.state --max-body x", exitUsage, "--max-body"},
		{"serve y.state --notice -1s", exitUsage, "--notice"},
		{"serve y.state --level 2", exitUsage, "--level 2"},
		{"serve y.state --predictive conformal", exitUsage, "training table"},
		{"serve y.state --target y", exitUsage, "unknown flag --target"},
		{"serve y.state --model ../nowhere", exitModel, "nowhere"},
		{"serve y.state --token-file short --chains 10", exitUsage, "at least 16"},
		{"serve y.state --tls-cert c --tls-key k --chains 10", exitUsage, "open c"},
	} {
		status, _, message := runCommand(t, c.line)
		if status != c.status || !strings.Contains(message, c.says) {
			t.Errorf("%s: status %d, want %d with %q: %s", c.line, status, c.status, c.says, message)
		}
	}
}
