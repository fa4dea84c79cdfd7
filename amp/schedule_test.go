package amp

import (
	"math"
	"testing"

	"github.com/pfnamp/pfnamp/internal/must"
)

// The first learning rates of the reference table of the method's notes, to three decimals.
func TestPaperScheduleReference(t *testing.T) {
	for _, c := range []struct {
		d, n int
		want float64
	}{
		{1, 50, 0.086}, {1, 200, 0.041}, {1, 800, 0.022}, {1, 5000, 0.011}, {5, 200, 0.126},
		{10, 50, 0.313}, {10, 200, 0.224}, {10, 800, 0.177}, {20, 200, 0.381},
	} {
		rates, err := PaperSchedule{Rows: c.n, Features: c.d}.Rates(50)
		must.Succeed(t, err)
		if math.Abs(rates[0]-c.want) > 0.0005 {
			t.Errorf("d %d, n %d: first rate %.4f, want %.3f", c.d, c.n, rates[0], c.want)
		}
		for k := 1; k < len(rates); k++ {
			if rates[k] >= rates[k-1] {
				t.Fatalf("d %d, n %d: rate %d does not decrease", c.d, c.n, k+1)
			}
		}
	}
}

func TestPaperScheduleEdges(t *testing.T) {
	rates, err := PaperSchedule{Rows: 1, Features: 40}.Rates(50)
	if err != nil || rates[0] != 1 || rates[49] <= 0 || rates[49] > 1 {
		t.Errorf("n = 1: rates %v..%v, error %v", rates[0], rates[49], err)
	}
	rates, err = PaperSchedule{Rows: 99, Features: 3, Beta: 1}.Rates(100)
	c := math.Sqrt(1 - 1/(1+100./99))
	if err != nil || math.Abs(rates[1]-2./101/c) > 1e-15 {
		t.Errorf("beta 1: second rate %v, want %v, error %v", rates[1], 2./101/c, err)
	}
}

func TestScheduleErrors(t *testing.T) {
	for _, c := range []struct {
		schedule Schedule
		steps    int
		want     string
	}{
		{PaperSchedule{Rows: 0, Features: 1}, 5, "context row"},
		{PaperSchedule{Rows: 5, Features: 0}, 5, "feature"},
		{PaperSchedule{Rows: 5, Features: 1}, 0, "step"},
		{PaperSchedule{Rows: 5, Features: 1, Beta: 0.5}, 5, "beta"},
		{PaperSchedule{Rows: 5, Features: 1, Beta: math.NaN()}, 5, "beta"},
		{PaperSchedule{Rows: 5, Features: 1, Beta: math.Inf(1)}, 5, "beta"},
		{FixedSchedule{0.5}, 2, "lists 1 rates"},
		{FixedSchedule{0.5, 1.5}, 2, "rate 2 is 1.5"},
		{FixedSchedule{math.NaN()}, 1, "rate 1 is NaN"},
	} {
		_, err := c.schedule.Rates(c.steps)
		must.Fail(t, c.schedule, err, c.want)
	}
}
