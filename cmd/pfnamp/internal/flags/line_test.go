package flags

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
)

// program has some of the commands.
func program() *cli.App {
	app := &cli.App{Name: "pfnamp", Commands: []*cli.Command{{Name: "predict"}, {Name: "fit"},
		{Name: "evaluate"}, {Name: "doctor"}, {Name: "completion"}, {Name: "serve"},
		{Name: "models", Subcommands: []*cli.Command{{Name: "show"}, {Name: "verify"}}}}}
	Prepare("", app.Commands)
	return app
}

// TestArrange: flags may stand anywhere before "--", and what is wrong with one is said.
func TestArrange(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"pfnamp", "pfnamp --"},
		{"pfnamp --help", "pfnamp --help --"},
		{"pfnamp predict a b --target y", "pfnamp predict --target y -- a b"},
		{"pfnamp predict a --quiet b -y=z", "pfnamp predict --quiet -y=z -- a b"},
		{"pfnamp predict a - -o - --level 0.9", "pfnamp predict -o - --level 0.9 -- a -"},
		{"pfnamp predict -- -a -b", "pfnamp predict -- -a -b"},
		{"pfnamp models verify dir --device cpu", "pfnamp models verify --device cpu -- dir"},
		{"pfnamp predict a b -y z --help", "pfnamp predict --help"},
		{"pfnamp models verify -h dir", "pfnamp models verify --help"},
		{"pfnamp predict a --target --help", "pfnamp predict --target --help -- a"},
		{"pfnamp predict -- --help", "pfnamp predict -- --help"},
		{"pfnamp nonsense --help", "pfnamp -- nonsense"},
		{"pfnamp nonsense predict", "pfnamp -- nonsense"},
		{"pfnamp predict a b --target", "target: --target needs a value (write --target COLUMN)"},
		{"pfnamp predict a b --summary --target y",
			"summary: --summary needs a value (write --summary FILE)"},
		{"pfnamp predict --target -- a", "target: --target needs a value (write --target COLUMN)"},
		{"pfnamp predict --level 0.9 --level 0.8", "level: --level is given twice"},
		{"pfnamp predict -y a --target b", "target: --target is given twice"},
		{"pfnamp predict -f mean -f q0.9", "pfnamp predict -f mean -f q0.9 --"},
		{"pfnamp predict --chians 5", ": unknown flag --chians (did you mean --chains? see `pfnamp " +
			"predict --help`)"},
		{"pfnamp nonsense --flag", "pfnamp -- nonsense"},
		{"pfnamp models nonsense -y y", "pfnamp models -- nonsense"},
		{"pfnamp predict a EMPTY", ": an argument is empty (name a file, or drop the argument)"},
		{"pfnamp predict --chains five", `chains: invalid value "five" for flag --chains (write a ` +
			"whole number; see `pfnamp predict --help`)"},
		{"pfnamp predict --seed=-1", `seed: invalid value "-1" for flag --seed`},
		{"pfnamp predict --rho x", `rho: invalid value "x" for flag --rho`},
		{"pfnamp predict --quiet=x", `quiet: invalid value "x" for flag --quiet`},
		{"pfnamp serve --wait 5", `wait: invalid value "5" for flag --wait (write a time with a unit`},
	} {
		words := strings.Fields(c.in)
		if i := slices.Index(words, "EMPTY"); i >= 0 {
			words[i] = ""
		}
		arranged, err := Arrange(program(), words)
		got := strings.Join(arranged, " ")
		if wrong := (*fault.Error)(nil); errors.As(err, &wrong) {
			got = wrong.Option + ": " + wrong.Msg + " (" + wrong.Hint + ")"
		}
		if err == nil && got != c.want || !strings.HasPrefix(got, c.want) {
			t.Errorf("%q became %q, want %q", c.in, got, c.want)
		}
	}
}
