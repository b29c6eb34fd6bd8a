# Completion of dpvi in bash: verbs, then flags of the verb and names of files. The program's own
# help lists them. Installed as share/bash-completion/completions/dpvi.
_dpvi() {
  local program=${COMP_WORDS[0]} word=${COMP_WORDS[COMP_CWORD]}
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    local verbs
    verbs=$("$program" --help 2>/dev/null | sed -n '/^Subcommands:/,$s/^  \([a-z][a-z]*\) .*/\1/p')
    mapfile -t COMPREPLY < <(compgen -W "$verbs help --help --version" -- "$word")
  elif [[ $word == -* ]]; then
    local flags
    flags=$("$program" "${COMP_WORDS[1]}" --help-all 2>/dev/null |
      sed -n 's/^  \(-[a-zA-Z],\)\{0,1\}\(--[a-z-]*\).*/\2/p')
    mapfile -t COMPREPLY < <(compgen -W "$flags" -- "$word")
  fi
}
complete -o default -F _dpvi dpvi
