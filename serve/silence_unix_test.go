//go:build unix

package serve

import (
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
)

// 10,000 connections that send nothing, or as many as the process may have open, leave the server
// to those that do, on both ports.
func TestSilentConnections(t *testing.T) {
	var files syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &files); err != nil {
		t.Fatal(err)
	}
	const most = 200
	n := int(min(10_000, files.Cur-2*most-400))
	_, l, _ := running(t, Options{Limits: Limits{Silent: most}}, Listeners{})
	url := "http://" + l.HTTP.Addr().String() + "/v2/models/price/infer"
	body := `{"inputs":[` + tensorsJSON(queries(3), "[%d]") + `]}`
	for i := range n {
		address := l.HTTP.Addr().String()
		if i%4 == 0 {
			address = l.GRPC.Addr().String()
		}
		c, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatalf("connection %d: %v", i, err)
		}
		defer c.Close()
	}
	r, err := http.Post(url, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	compare(t, parse(t, content(t, r)), "price", queries(3))
	_, client := dial(t, l)
	if _, err := client.ModelInfer(t.Context(), inferPrice(queries(3), false)); err != nil {
		t.Error(err)
	}
	t.Logf("%d silent connections", n)
}
