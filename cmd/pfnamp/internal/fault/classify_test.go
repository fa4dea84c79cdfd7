package fault

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/tabular"
)

func TestExitStatus(t *testing.T) {
	for _, c := range []struct {
		err  error
		want int
	}{
		{errors.New("disk on fire"), ExitFailed},
		{Wrong("no", ""), ExitUsage},
		{&tabular.Error{File: "a.csv", Msg: "no"}, ExitInput},
		{&tabular.Error{File: "a.csv", Msg: "no", Limit: true}, ExitLimit},
		{Writing(&tabular.Error{File: "out.csv", Msg: "no"}), ExitFailed},
		{&pfn.LimitError{What: "rows", Got: 9, Min: 2, Max: 5}, ExitLimit},
		{&pfn.LimitError{What: "rows", Got: 1, Min: 2, Max: 5}, ExitInput},
		{&pfn.MemoryError{Rows: 9}, ExitLimit},
		{TooLarge(errors.New("no"), ""), ExitLimit},
		{&pfn.InputError{Msg: "no"}, ExitInput},
		{&models.Error{Msg: "no"}, ExitModel},
		{&pfn.LibraryError{}, ExitModel},
		{&pfn.ModelError{Msg: "no"}, ExitModel},
		{&pfn.NoDirectError{}, ExitModel},
		{&pfn.StateError{Msg: "no"}, ExitInput},
		{&pfn.StateError{Msg: "no", Other: true}, ExitModel},
		{New(Model, "no", ""), ExitModel},
		{New(Check, "no", ""), ExitCheck},
	} {
		wrapped := fmt.Errorf("doing: %w", c.err)
		if got := Classify(t.Context(), wrapped).Code; got != c.want {
			t.Errorf("%T: exit status %d, want %d", c.err, got, c.want)
		}
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(&Error{Kind: Interrupted, Code: ExitTerminated})
	if got := Classify(ctx, errors.New("stopped")).Code; got != ExitTerminated {
		t.Errorf("SIGTERM: exit status %d", got)
	}
}
