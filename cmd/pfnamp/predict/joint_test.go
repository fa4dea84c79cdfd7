package predict

import (
	"strings"
	"testing"
)

// Too many rows are refused as limits.
func TestJointLimits(t *testing.T) {
	c := &together{job: &predictJob{joint: jointOptions{bands: true, draws: "x", perRow: 1000}}}
	if err := c.checkRows(maxBandRows + 1); err == nil || !strings.Contains(err.Error(), "--bands") {
		t.Errorf("bands: %v", err)
	}
	c.job.joint.bands = false
	if err := c.checkRows(maxJointRows/1000 + 1); err == nil ||
		!strings.Contains(err.Error(), "with 1000 draws TEST may have") {
		t.Errorf("draws: %v", err)
	}
}
