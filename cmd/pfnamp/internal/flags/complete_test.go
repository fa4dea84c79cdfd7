package flags

import (
	"os"
	"strings"
	"testing"
)

// TestCompletions lists what words may become, with columns of the table that is named.
func TestCompletions(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("t.csv", []byte("Weight kg,\"a,b\",y\n1,2,3\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	models := func() []string { return []string{"default", "classifier"} }
	app := program()
	for _, c := range []struct{ words, want string }{
		{"predi", "predict"},
		{"models sh", "show"},
		{"models show ", "default|classifier|:files"},
		{"completion ", "bash|fish|zsh"},
		{"predict --post", "--posterior"},
		{"predict --posterior ", "auto|paper|limit|direct|companion"},
		{"predict --posterior auto,p", "auto,paper"},
		{"predict --posterior=l", "--posterior=limit"},
		{"fit --task ", "auto|classification|regression"},
		{"predict --interval h", "hpd"},
		{"predict t.csv u.csv --target ", "Weight kg|a,b|y"},
		{"predict t.csv u.csv --ignore y,", `y,Weight kg|y,"a,b"`},
		{"predict nowhere u.csv --target ", ""},
		{"predict t", ":files"},
		{"predict -o ", ":files"},
		{"predict --chains ", ""},
		{"doctor ", ""},
		{"predict --summary-json ", ":files"},
		{"predict --to j", ""},
		{"predict --dates d", "dmy"},
		{"predict --chains 5 t", ":files"},
		{"fit t.csv --model ", "default|classifier|:files"},
	} {
		words := strings.Split(c.words, " ")
		if got := strings.Join(Completions(app, words, models), "|"); got != c.want {
			t.Errorf("%q: %s, want %s", c.words, got, c.want)
		}
	}
}
