package help

// scripts are those of the shells.
var scripts = map[string]string{"bash": bash, "zsh": zsh, "fish": fish}

// The scripts ask `pfnamp complete` with the words up to the cursor. It answers one candidate a
// line, and :files last where a file may stand as well.

// Bash takes = for the end of a word, so that words are put together first, and what stands before
// the last = is cut off the candidates.
const bash = `_pfnamp() {
	local cur=${COMP_WORDS[COMP_CWORD]} words=() i line joined=
	for ((i = 1; i <= COMP_CWORD; i++)); do
		local word=${COMP_WORDS[i]}
		if ((i < COMP_CWORD)); then # bash passes words as they are typed
			word=${word//\\/}; word=${word//[\"\']/}
		fi
		if [[ $word == = && ${#words[@]} -gt 0 ]]; then
			words[${#words[@]} - 1]+="="; joined=1
		elif [[ -n $joined ]]; then
			words[${#words[@]} - 1]+=$word; joined=
		else
			words+=("$word")
		fi
	done
	local whole=${words[${#words[@]} - 1]}
	local cut=
	[[ $whole == -*=* ]] && cut="${whole%%=*}="
	[[ $cur == = ]] && cur=
	COMPREPLY=()
	while IFS= read -r line; do
		if [[ $line == :files ]]; then
			compopt -o filenames 2>/dev/null
			while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$cur")
		else
			COMPREPLY+=("$(printf %q "${line#"$cut"}")")
		fi
	done < <("${COMP_WORDS[0]}" complete -- "${words[@]}" 2>/dev/null)
}
complete -F _pfnamp pfnamp
`

const zsh = `#compdef pfnamp
_pfnamp() {
	local -a found
	found=("${(@f)$("${words[1]}" complete -- "${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
	if [[ ${found[-1]} == :files ]]; then
		found[-1]=()
		_files
	fi
	(( ${#found} )) && [[ -n ${found[1]} ]] && compadd -a found
}
compdef _pfnamp pfnamp
`

const fish = `function __pfnamp_complete
	set -l words (commandline -opc)
	set -e words[1]
	set -l current (commandline -ct)
	for line in (pfnamp complete -- $words $current 2>/dev/null)
		if test "$line" = :files
			__fish_complete_path $current
		else
			echo $line
		end
	end
end
complete -c pfnamp -f -a '(__pfnamp_complete)'
`
