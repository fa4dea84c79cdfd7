package predict

import (
	"fmt"
	"regexp"
	"strings"
)

// sqlNames is the value of --names for names that need no quotes in SQL.
const sqlNames = "sql"

// sqlReserved are words of SQL that columns of tables beside that of the answers are called.
var sqlReserved = map[string]string{
	"of": "averaged_over", "rows": "row_count", "row": "row_no", "set": "label_set",
	"group": "group_name",
}

// sqlPatterns are parts of names and what becomes of them: the range p(100,150], minus before a
// number and in an exponent, plus there.
var sqlPatterns = []struct {
	pattern *regexp.Regexp
	by      string
}{
	{regexp.MustCompile(`p\(([^,]+),([^\]]+)\]`), "p>${1}<=${2}"},
	{regexp.MustCompile(`([<>=])-([0-9.])`), "${1}m${2}"},
	{regexp.MustCompile(`([0-9])e-([0-9])`), "${1}em${2}"},
	{regexp.MustCompile(`([0-9])e\+([0-9])`), "${1}e${2}"},
}

// sqlSigns are signs of functionals in words; the longer ones come first.
var sqlSigns = strings.NewReplacer("<=", "_le_", ">=", "_ge_", "<", "_lt_", ">", "_gt_")

// sqlName is the name of a computed column as an identifier of SQL that needs no quotes: lower-case
// ASCII letters, digits and underscores. q0.9_lo becomes q0_9_lo, p>-1.5 p_gt_m1_5, p(100,150]
// p_gt_100_le_150, and a letter beyond ASCII u and its code.
func sqlName(name string) string {
	if word, reserved := sqlReserved[name]; reserved {
		return word
	}
	for _, p := range sqlPatterns {
		name = p.pattern.ReplaceAllString(name, p.by)
	}
	name = sqlSigns.Replace(name)
	var b strings.Builder
	for _, r := range strings.ToLower(name) {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			b.WriteRune(r)
		case r > 127:
			fmt.Fprintf(&b, "_u%04x_", r)
		default:
			b.WriteByte('_')
		}
	}
	parts := strings.FieldsFunc(b.String(), func(r rune) bool { return r == '_' })
	made := strings.Join(parts, "_")
	if made == "" || made[0] >= '0' && made[0] <= '9' {
		made = "c_" + made
	}
	return made
}

// nameOf is the name that a computed column has in the tables.
func (j *predictJob) nameOf(column string) string {
	if j.sql {
		return sqlName(column)
	}
	return column
}
