package predict

import (
	"regexp"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
)

// TestSQLName: every name is an identifier that no database wants quotes around.
func TestSQLName(t *testing.T) {
	identifier := regexp.MustCompile(`^[a-z][a-z0-9_]*$`)
	for name, want := range map[string]string{
		"mean_lo": "mean_lo", "q0.9": "q0_9", "q0.9_paper_hi": "q0_9_paper_hi", "es0.05": "es0_05",
		"p>150": "p_gt_150", "p<=-1.5_lo": "p_le_m1_5_lo", "p(100,150]": "p_gt_100_le_150",
		"p(-1,1e-06]_hi": "p_gt_m1_le_1em06_hi", "p>1e+20": "p_gt_1e20",
		"p=New York": "p_new_york", "p=self-employed_lo": "p_self_employed_lo", "p=-1": "p_m1",
		"p=Köln": "p_k_u00f6_ln", "p=18-25": "p_18_25", "p=?": "p", "ppd_q0.1": "ppd_q0_1",
		"pi_lo": "pi_lo", "class": "class", "set": "label_set", "set_size": "set_size",
		"of":   "averaged_over",
		"rows": "row_count", "row": "row_no", "group": "group_name", "2024 mean": "c_2024_mean",
	} {
		if got := sqlName(name); got != want || !identifier.MatchString(got) {
			t.Errorf("%q becomes %q, wanted is %q", name, got, want)
		}
	}
	o := predictJob{sql: true}
	if _, err := o.named([]arrow.Field{{Name: "p=Yes"}, {Name: "p=yes"}}); err == nil {
		t.Error("two columns have one name")
	}
}
