package pfn

import (
	"encoding/json"
	"fmt"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/pfnamp/pfnamp/internal/orttest"
	"github.com/pfnamp/pfnamp/models"
)

// speedJob is what scripts/export/bundle/sidebyside.py asks for in PFNAMP_SPEED.
type speedJob struct {
	Bundle                   string
	Rows, Features, Queries  int
	Members, Threads, Single int
	Classes                  int    // 0 of a regression
	Precision                string // of Options
}

// lap is the wall and processor time of one step.
type lap struct{ Wall, CPU float64 }

// TestSpeed times opening a bundle, fitting a context, predicting a block of queries, and single
// queries one after the other. It runs for scripts/export/bundle/sidebyside.py alone.
func TestSpeed(t *testing.T) {
	text := os.Getenv("PFNAMP_SPEED")
	if text == "" {
		t.Skip("PFNAMP_SPEED is not set")
	}
	var job speedJob
	if err := json.Unmarshal([]byte(text), &job); err != nil {
		t.Fatal(err)
	}
	out, err := json.Marshal(timeJob(t, job))
	if err != nil {
		t.Fatal(err)
	}
	fmt.Printf("speed %s\n", out)
}

func timeJob(t *testing.T, job speedJob) map[string]lap {
	laps := map[string]lap{}
	var model *Model
	var fitted *Context
	laps["open"] = timed(t, func() error {
		bundle, err := models.Load(job.Bundle)
		if err != nil {
			return err
		}
		model, err = Open(bundle, Options{Library: orttest.Library(t),
			Members: job.Members, Threads: job.Threads, Precision: job.Precision})
		return err
	})
	defer model.Close()
	train, query := synthetic(1, job.Rows, job.Features), synthetic(2, job.Queries, job.Features)
	if job.Classes > 0 {
		train = classTable(1, job.Rows, job.Features, job.Classes)
	}
	ask := func(x Matrix) (err error) {
		if job.Classes > 0 {
			_, err = fitted.PredictClasses(t.Context(), x)
		} else {
			_, err = fitted.Predict(t.Context(), x)
		}
		return err
	}
	laps["fit"] = timed(t, func() (err error) {
		fitted, err = model.Fit(t.Context(), train)
		return err
	})
	laps["predict"] = timed(t, func() error { return ask(query.X) })
	if job.Single > 0 {
		one := Matrix{Rows: 1, Cols: job.Features, Data: query.X.Data[:job.Features]}
		laps["single"] = timed(t, func() error {
			for range job.Single {
				if err := ask(one); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return laps
}

// timed runs a step.
func timed(t *testing.T, step func() error) lap {
	t.Helper()
	start, before := time.Now(), processorTime(t)
	if err := step(); err != nil {
		t.Fatal(err)
	}
	return lap{time.Since(start).Seconds(), processorTime(t) - before}
}

// processorTime returns the seconds that this process has used.
func processorTime(t *testing.T) float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()).Seconds()
}
