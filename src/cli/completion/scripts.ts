// The scripts that shells run when Tab is pressed. `completion words` prints lines of a word, a tab and its meaning.

export const completionScripts = {
	bash: `_board_access() {
  local IFS=$'\\n'
  COMPREPLY=($(board-access completion words -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1))
}
complete -o default -F _board_access board-access
`,
	zsh: `#compdef board-access
_board_access() {
  local line found=()
  for line in "\${(@f)$(board-access completion words -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    [[ -n $line ]] && found+=("\${line/$'\\t'/:}")
  done
  if (( $#found )); then _describe board-access found; else _files; fi
}
compdef _board_access board-access
`,
	fish: `function __board_access
  set -l words (commandline -opc) (commandline -ct)
  board-access completion words -- $words[2..-1] 2>/dev/null
end
complete -c board-access -f -a '(__board_access)'
complete -c board-access -n 'test (count (__board_access)) -eq 0' -F
`,
} as const;
