package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/stdio"
	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/internal/orttest"
)

// saved makes tables and the state y.state in a new working folder.
func saved(t *testing.T) {
	t.Helper()
	t.Setenv("PFNAMP_ORT_LIB", orttest.Library(t))
	writeReadmeTables(t)
	ends(t, "fit train.csv --target y --members 1 -o y.state", fault.ExitOK)
}

// startServe runs a server with more of its command line, and returns its address, what waits for a
// line of its log, and what ends it by a signal and returns its exit status.
func startServe(t *testing.T, line string) (address string, logged func(string) string,
	stop func() int) {
	t.Helper()
	ctx, cancel := context.WithCancelCause(t.Context())
	from, to := io.Pipe()
	done := make(chan int, 1)
	go func() {
		args := strings.Fields("pfnamp serve --listen 127.0.0.1:0 --grpc-listen " +
			"127.0.0.1:0 --notice 0s " + line)
		done <- program(ctx, stdio.Streams{In: strings.NewReader(""), Out: io.Discard, Err: to}, args)
		to.Close()
	}()
	lines := make(chan string, 1000)
	go func() {
		defer close(lines)
		log := bufio.NewScanner(from)
		for log.Scan() {
			lines <- log.Text()
		}
	}()
	logged = func(want string) string {
		t.Helper()
		found := regexp.MustCompile(want)
		for {
			select {
			case line, open := <-lines:
				if !open {
					t.Fatalf("no line %s; status %d", want, <-done)
				}
				if found.MatchString(line) {
					return line
				}
			case <-time.After(time.Minute):
				t.Fatalf("no line %s", want)
			}
		}
	}
	ready := regexp.MustCompile(`http=(\S+)`).FindStringSubmatch(logged("msg=ready http="))
	return ready[1], logged, func() int {
		cancel(stoppedBy(syscall.SIGTERM))
		for range lines { // so that nothing waits to log
		}
		return <-done
	}
}

// versionsAt asks a server for the versions of a model.
func versionsAt(t *testing.T, address, model string) []string {
	t.Helper()
	r, err := http.Get("http://" + address + "/v2/models/" + model)
	must.Succeed(t, err)
	defer r.Body.Close()
	var about struct{ Versions []string }
	must.Succeed(t, json.NewDecoder(r.Body).Decode(&about))
	return about.Versions
}

// put replaces a file at once.
func put(t *testing.T, path string, data []byte) {
	t.Helper()
	must.Succeed(t, os.WriteFile("new", data, 0o600))
	must.Succeed(t, os.Rename("new", path))
}

// A server has the bytes of predict. A state that changes is read again, and one that is damaged
// leaves what there was, also at a hangup.
func TestServeReloads(t *testing.T) {
	saved(t)
	ends(t, "fit test.csv --target y --members 1 -o other.state", fault.ExitOK)
	const asked = " --chains 10 -f mean,q0.9 --level 0.8"
	ends(t, "predict y.state test.csv -o want.csv"+asked, fault.ExitOK)
	address, logged, stop := startServe(t,
		"y@1=y.state y@2=other.state z=y.state --reload 20ms"+asked)
	r, err := http.Post("http://"+address+"/v2/models/z/table", "text/csv",
		bytes.NewReader(readFile(t, "test.csv")))
	must.Succeed(t, err)
	defer r.Body.Close()
	got, err := io.ReadAll(r.Body)
	if want := readFile(t, "want.csv"); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%v\n%s\nwant\n%s", err, got, want)
	}
	if got := versionsAt(t, address, "y"); !slices.Equal(got, []string{"1", "2"}) {
		t.Errorf("versions %v", got)
	}
	before := versionsAt(t, address, "z")
	put(t, "y.state", readFile(t, "other.state"))
	logged("msg=reloaded")
	after := versionsAt(t, address, "z")
	if slices.Equal(after, before) {
		t.Errorf("version %v after the state has changed", after)
	}
	put(t, "y.state", []byte("no state"))
	logged("states cannot be reloaded")
	if got := versionsAt(t, address, "z"); !slices.Equal(got, after) {
		t.Errorf("version %v after the state was damaged, want %v", got, after)
	}
	// a hangup does not end the server
	must.Succeed(t, syscall.Kill(os.Getpid(), syscall.SIGHUP))
	logged("states cannot be reloaded")
	if status := stop(); status != fault.ExitOK {
		t.Errorf("exit status %d", status)
	}
}

// A state that is cut, emptied or removed while it is served, at whatever place, leaves the old one
// answering. The server goes on watching: tokens that change afterwards count, and so does the
// state once it is whole again.
func TestServeCutStates(t *testing.T) {
	saved(t)
	whole := readFile(t, "y.state")
	token := func(n int) string { return fmt.Sprintf("token-%030d", n) }
	put(t, "tokens", []byte(token(0)))
	address, logged, stop := startServe(t, "y.state --chains 10 --reload 20ms --token-file tokens")
	status := func(token string) int {
		r, err := http.NewRequest("GET", "http://"+address+"/v2/models/y", nil)
		must.Succeed(t, err)
		r.Header.Set("Authorization", "Bearer "+token)
		answer, err := http.DefaultClient.Do(r)
		must.Succeed(t, err)
		answer.Body.Close()
		return answer.StatusCode
	}
	header := 20 + int(binary.LittleEndian.Uint32(whole[12:]))
	note := header + int(binary.LittleEndian.Uint32(whole[16:]))
	for n, length := range []int{0, 4, 15, header - 5, header + 7, note, note + 100, len(whole) / 2,
		len(whole) - 33, len(whole) - 32, len(whole) - 1} {
		put(t, "y.state", whole[:length])
		logged("level=ERROR msg=\"states cannot be reloaded")
		put(t, "tokens", []byte(token(n+1)))
		logged("level=ERROR msg=\"states cannot be reloaded")
		if old, now := status(token(n)), status(token(n+1)); old != 401 || now != 200 {
			t.Fatalf("state of %d bytes: status %d with the old token, %d with the new one", length,
				old, now)
		}
	}
	must.Succeed(t, os.Remove("y.state"))
	logged("level=ERROR msg=\"states cannot be reloaded")
	put(t, "y.state", whole)
	logged("msg=reloaded")
	if status := stop(); status != fault.ExitOK {
		t.Errorf("exit status %d", status)
	}
}

// A port in use is found before a state is opened.
func TestServePortInUse(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	must.Succeed(t, err)
	defer taken.Close()
	t.Chdir(t.TempDir())
	ends(t, "serve none.state --listen "+taken.Addr().String(), fault.ExitFailed,
		"port is in use: stop the program that uses it")
}
