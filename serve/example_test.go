package serve_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/serve"
)

// A table is fitted and served; a client asks for the bounds of the mean at one row.
func Example() {
	ctx := context.Background()
	model, err := pfnamp.Open("", pfn.Options{Members: 1})
	if err != nil {
		log.Fatal(err)
	}
	defer model.Close()
	var rows []map[string]any
	for i := range 40 {
		rows = append(rows, map[string]any{"area": 20 + i, "price": 60 + 3*i})
	}
	table, err := pfnamp.Table("flats", rows)
	if err != nil {
		log.Fatal(err)
	}
	fitted, err := pfnamp.Fit(ctx, model, table, pfnamp.FitOptions{Target: "price"})
	if err != nil {
		log.Fatal(err)
	}
	asked, err := fitted.Prepare(ctx, pfnamp.Question{Chains: 100})
	if err != nil {
		log.Fatal(err)
	}
	server, err := serve.New([]serve.Model{{Name: "flats", Version: "1", Predictor: asked}},
		serve.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer server.Close()
	web := httptest.NewServer(server.Handler()) // server.Run listens, and stops gracefully
	defer web.Close()

	question := `{"inputs": [{"name": "area", "datatype": "FP64", "shape": [1], "data": [35]}]}`
	answer, err := http.Post(web.URL+"/v2/models/flats/infer", "application/json",
		strings.NewReader(question))
	if err != nil {
		log.Fatal(err)
	}
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(answer.Status, strings.Count(string(body), `"FP64"`), "outputs")
	// Output:
	// 200 OK 5 outputs
}
