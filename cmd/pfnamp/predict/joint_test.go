package predict

import (
	"testing"

	"github.com/pfnamp/pfnamp/internal/must"
)

// Too many rows are refused as limits.
func TestJointLimits(t *testing.T) {
	c := &together{job: &predictJob{joint: jointOptions{bands: true, draws: "x", perRow: 1000}}}
	must.Fail(t, "bands", c.checkRows(maxBandRows+1), "--bands")
	c.job.joint.bands = false
	must.Fail(t, "draws", c.checkRows(maxJointRows/1000+1), "with 1000 draws TEST may have")
}
