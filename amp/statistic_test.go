package amp

import (
	"math"
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp/internal/must"
)

// densePPD is a normal label that knows its density and its variance.
type densePPD struct{ normalPPD }

func (d densePPD) Density(y float64) float64 {
	z := (y - d.mu) / d.sd
	return math.Exp(-z*z/2) / (d.sd * math.Sqrt(2*math.Pi))
}

// A list is read back by its names, in its order, with the numbers of a normal label.
func TestStatistics(t *testing.T) {
	const list = "q0.9,mean,sd,density(12),p(10,14],p>12,es0.9"
	read, err := ParseStatistics(" q0.9, mean,sd ,density( 12 ),p(10,14],p>12,es0.9")
	must.Succeed(t, err)
	want := []float64{10 + 2*1.2815515655446004, 10, 2, 0.12098536225957168, 0.47724986805182085,
		0.15865525393145707, 10 + 2*1.7549833193248681}
	var names []string
	for i, s := range read {
		names = append(names, s.String())
		if got := s.Point(densePPD{normalPPD{10, 2}}); math.Abs(got-want[i]) > 1e-3*want[i] {
			t.Errorf("%s is %v, want %v", s, got, want[i])
		}
	}
	if got := strings.Join(names, ","); got != list {
		t.Errorf("%s, want %s", got, list)
	}
}

// Messages say what is wrong and what is allowed.
func TestStatisticErrors(t *testing.T) {
	for text, want := range map[string]string{
		"q0.1,q0.10": `"q0.1" is listed twice`, "q2": "sd, density(150)", "": "empty",
		"density(a)": "like density(150)", "density(1": "like density(150)", "var": "sd, density(150)",
	} {
		_, err := ParseStatistics(text)
		must.Fail(t, text, err, want)
	}
}

// Within a range the density and the deviation are those of the label that keeps to it; whole
// numbers have a deviation and no density.
func TestStatisticsOfASupport(t *testing.T) {
	label := densePPD{normalPPD{0, 1}}
	positive := Support{HasMin: true}.PPD(label)
	if got := (Density{-1}).Point(positive); got != 0 {
		t.Errorf("density %v below the range", got)
	}
	if got := (Density{1}).Point(positive); got != label.Density(1) {
		t.Errorf("density %v, want %v", got, label.Density(1))
	}
	// max{Y, 0} has the mean 1/√(2π) and the mean square 1/2.
	if got, want := (Deviation{}).Point(positive),
		math.Sqrt(0.5-1/(2*math.Pi)); math.Abs(got-want) > 2e-3 {
		t.Errorf("deviation %v, want %v", got, want)
	}
	whole := Support{Whole: true}
	// A normal label that is rounded has the variance 1 + 1/12.
	if got := (Deviation{}).Point(whole.PPD(label)); math.Abs(got-math.Sqrt(13./12)) > 2e-3 {
		t.Errorf("deviation of whole numbers %v", got)
	}
	if whole.Dense() || !math.IsNaN((Density{1}).Point(whole.PPD(label))) {
		t.Error("whole numbers have a density")
	}
	two := Support{Whole: true, HasMin: true, HasMax: true, Max: 1}.PPD(normalPPD{0.3, 0.1})
	if got := (Deviation{}).Point(two); math.Abs(got-math.Sqrt(0.3*0.7)) > 1e-4 {
		t.Errorf("deviation of two values %v", got)
	}
}
