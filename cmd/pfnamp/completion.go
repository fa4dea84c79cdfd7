package main

import (
	"io"

	"github.com/urfave/cli/v2"
)

const bashCompletion = `_pfnamp() {
	local cur="${COMP_WORDS[COMP_CWORD]}" request
	request=("${COMP_WORDS[@]:0:COMP_CWORD}")
	[[ $cur == -- ]] && request+=(-) || { [[ $cur == -* ]] && request+=("$cur"); }
	local words
	words=$("${request[@]}" --generate-bash-completion 2>/dev/null)
	COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o bashdefault -o default -F _pfnamp pfnamp
`

const zshCompletion = `#compdef pfnamp
_pfnamp() {
	local -a request opts
	request=("${(@)words[1,CURRENT-1]}")
	[[ ${words[CURRENT]} == -* ]] && request+=("${${words[CURRENT]}/#%--/-}")
	opts=("${(@f)$(_CLI_ZSH_AUTOCOMPLETE_HACK=1 "${request[@]}" --generate-bash-completion 2>/dev/null)}")
	[[ -n ${opts[1]} ]] && _describe 'values' opts
	_files
}
compdef _pfnamp pfnamp
`

func completionCommand(std stdio) *cli.Command {
	return &cli.Command{
		Name:      "completion",
		Usage:     "print the completion script of a shell",
		ArgsUsage: "bash|zsh|fish",
		Description: `bash:  source <(pfnamp completion bash)
zsh:   source <(pfnamp completion zsh)
fish:  pfnamp completion fish | source`,
		BashComplete: func(*cli.Context) { _ = writeLines(std.out, "bash", "zsh", "fish") },
		Action:       func(c *cli.Context) error { return runCompletion(c, std) },
	}
}

func runCompletion(c *cli.Context, std stdio) error {
	if err := atMost(c, 1); err != nil {
		return err
	}
	script := ""
	switch shell := c.Args().First(); shell {
	case "bash":
		script = bashCompletion
	case "zsh":
		script = zshCompletion
	case "fish":
		fish, err := newApp(std).ToFishCompletion()
		if err != nil {
			return err
		}
		script = fish
	default:
		return &usageError{
			msg:  "no completion script for shell " + quote(shell),
			hint: "the shells are bash, zsh and fish",
		}
	}
	_, err := io.WriteString(std.out, script)
	return err
}
