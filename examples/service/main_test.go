package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/internal/orttest"
	"github.com/pfnamp/pfnamp/pfn"
)

func TestMain(m *testing.M) { orttest.Main(m, "") }

// saved writes a state of the embedded model and returns its path.
func saved(t *testing.T) string {
	t.Helper()
	library := orttest.Library(t)
	t.Setenv("PFNAMP_ORT_LIB", library)
	m, err := pfnamp.Open("", pfn.Options{Library: library, Members: 1})
	must.Succeed(t, err)
	defer m.Close()
	var rows []map[string]any
	for i := range 40 {
		area := 20 + 7*i%31
		rows = append(rows, map[string]any{"area": area, "town": []string{"Bath", "York"}[i%2],
			"price": 3 * area})
	}
	table, err := pfnamp.Table("flats", rows)
	must.Succeed(t, err)
	fitted, err := pfnamp.Fit(t.Context(), m, table, pfnamp.FitOptions{Target: "price"})
	must.Succeed(t, err)
	defer fitted.Close()
	path := filepath.Join(t.TempDir(), "price.state")
	file, err := os.Create(path)
	must.Succeed(t, err)
	defer file.Close()
	must.Succeed(t, fitted.Save(file, "test"))
	return path
}

// The service answers valid rows, refuses others with a reason, and ends at a signal.
func TestService(t *testing.T) {
	path := saved(t)
	free, err := net.Listen("tcp", "127.0.0.1:0")
	must.Succeed(t, err)
	address := free.Addr().String()
	free.Close()
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- serve(ctx, path, address) }()
	ask := func(body string) (*http.Response, error) {
		return http.Post("http://"+address, "application/json", strings.NewReader(body))
	}
	var r *http.Response
	for range 600 { // until it listens
		if r, err = ask(`[{"area": 35, "town": "Bath"}, {"area": 36, "town": "York"}]`); err == nil {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	must.Succeed(t, err)
	defer r.Body.Close()
	var list []amp.Estimate
	if err := json.NewDecoder(r.Body).Decode(&list); err != nil || len(list) != 2 {
		t.Fatalf("%v %v", list, err)
	}
	if one := list[0]; !(one.Lo <= one.Point && one.Point <= one.Hi && 60 < one.Lo && one.Hi < 180) {
		t.Errorf("%+v", one)
	}
	for body, status := range map[string]int{"{": 400, `[{"area": "wide", "town": "Bath"}]`: 400,
		`[{"area": 3}]`: 400, "[]": 200} {
		if r, err := ask(body); err != nil || r.StatusCode != status {
			t.Errorf("%s: %s %v", body, fmt.Sprint(r), err)
		}
	}
	stop()
	must.Succeed(t, <-ended)
	if err := serve(t.Context(), path+".none", address); err == nil {
		t.Error("a state that is not there is served")
	}
}
