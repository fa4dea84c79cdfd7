package flags

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/tabular"
)

// filesToo is the last line of completions where a file may stand as well.
const filesToo = ":files"

// Completions lists what the last of the words after the program's name may become. models lists
// the names of models.
func Completions(app *cli.App, words []string, models func() []string) (found []string) {
	if len(words) == 0 {
		return nil
	}
	l, current := read(app, words[:len(words)-1]), words[len(words)-1]
	files := false
	name, value, joined := strings.Cut(current, "=")
	var last option
	if len(l.options) > 0 && strings.HasPrefix(words[max(0, len(words)-2)], "-") {
		last = l.options[len(l.options)-1]
	}
	command := strings.Join(l.path, " ")
	switch typed := strings.HasPrefix(current, "-"); {
	case last.row != nil && last.row.Kind != Switch && !last.valued:
		found, files = l.values(*last.row, current, models)
	case typed && joined:
		if f := row(command, strings.TrimLeft(name, "-")); f != nil {
			found, files = l.values(*f, value, models)
			for i := range found {
				found[i] = name + "=" + found[i]
			}
		}
	case typed:
		for _, f := range of(command) {
			found = append(found, Dashed(f.Name))
			if f.Short != "" {
				found = append(found, Dashed(f.Short))
			}
		}
		found = append(found, "--help")
	case len(l.commands) > 0 && len(l.arguments) == 0:
		found = visible(l.commands)
	default:
		found, files = positional(app, command, models)
	}
	found = slices.DeleteFunc(found, func(s string) bool {
		return !strings.HasPrefix(s, current) || strings.ContainsAny(s, "\n\r")
	})
	if files {
		found = append(found, filesToo)
	}
	return found
}

// positional lists what an argument may be, and whether a file.
func positional(app *cli.App, command string, models func() []string) ([]string, bool) {
	switch command {
	case "models show", "models verify":
		return models(), true
	case "completion":
		return []string{"bash", "fish", "zsh"}, false
	case "help":
		return visible(app.Commands), false
	case "doctor", "version", "man":
		return nil, false
	}
	return nil, true
}

// values lists what the value of a flag may be, and whether a file.
func (l line) values(f Flag, typed string, models func() []string) (found []string, files bool) {
	switch {
	case f.Name == "model":
		return models(), true
	case f.Kind == Column:
		return l.columns(), false
	case f.Kind == Columns:
		return after(l.columns(), typed), false
	case f.Kind == List || f.Kind == Words:
		return after(f.Values, typed), f.Files
	}
	return slices.Clone(f.Values), f.Files || f.Kind == File || f.Kind == Output
}

// after puts what was typed of a list before each value that may come next.
func after(values []string, typed string) (found []string) {
	before := typed[:strings.LastIndexByte(typed, ',')+1]
	given := strings.Split(before, ",")
	for _, v := range values {
		if v = fault.Item(v); !slices.Contains(given, v) {
			found = append(found, before+v)
		}
	}
	return found
}

// columns lists the columns of the first argument, if that is a table.
func (l line) columns() []string {
	if len(l.arguments) == 0 || l.arguments[0] == "-" {
		return nil
	}
	r, err := tabular.Open(l.arguments[0], tabular.ReadOptions{})
	if err != nil {
		return nil
	}
	defer r.Close()
	return r.Names()
}
