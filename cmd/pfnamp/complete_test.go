package main

import (
	"os"
	"os/exec"
	"testing"
)

// TestCompletionInShell asks the scripts in their shells, those that are there; bash must be.
func TestCompletionInShell(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "t.csv", "Weight kg,\"a,b\",y\n1,2,3\n")
	for _, c := range []struct{ shell, script, want string }{
		{"bash", `source <(pfnamp completion bash)
t() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _pfnamp; (IFS='|'; echo "${COMPREPLY[*]}"); }
t pfnamp predict --post
t pfnamp predict t.csv u.csv --target ''
t pfnamp predict --posterior = l
t pfnamp predict --posterior =
t pfnamp predict t.
t pfnamp evaluate --task ''
t pfnamp predict t.csv --target pri; echo ${#COMPREPLY[@]}
cp t.csv 'my t.csv'; t pfnamp predict 'my\ t.csv' --target y
t pfnamp predict "'my t.csv'" --target y`, `--posterior
Weight\ kg|a\,b|y
limit
auto|paper|limit|direct|companion
t.csv
auto|classification|regression

0
y
y
`},
		{"fish", `pfnamp completion fish | source
for line in 'predict --post' 'predict t.csv u.csv --target W' 'predict --posterior=l' 'predict t.'
	complete -C "pfnamp $line"
end`, "--posterior\nWeight kg\n--posterior=limit\nt.csv\n"},
		{"zsh", `zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z 'PS1=; autoload -U compinit; compinit -u -D; source <(pfnamp completion zsh); echo RE''ADY'
zpty -r z out '*READY*'
for line in 'predict --post' 'predict t.csv u.csv --target W' 'predict --posterior=l'; do
	zpty -w -n z "pfnamp $line"$'\t'
	sleep 2
	zpty -w -n z $'\x01echo GOT:\x05:END\n'
	zpty -r -m z out '*GOT:*:END*'
	print -r -- "${${${out//$'\r'/}##*$'\n'GOT:}%%:END*}"
done`, "pfnamp predict --posterior\npfnamp predict t.csv u.csv --target Weight kg\n" +
			"pfnamp predict --posterior=limit\n"},
	} {
		if _, err := exec.LookPath(c.shell); err != nil && c.shell != "bash" {
			continue
		}
		cmd := exec.Command(c.shell, "-c", c.script)
		cmd.Env = append(os.Environ(), "HOME="+t.TempDir(), "XDG_CONFIG_HOME="+t.TempDir())
		out, err := cmd.CombinedOutput()
		if err != nil || string(out) != c.want {
			t.Errorf("%s: %v\n%s\nwant\n%s", c.shell, err, out, c.want)
		}
	}
}
