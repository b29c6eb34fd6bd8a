#compdef dpvi
# Completion of dpvi in zsh: verbs, then flags of the verb and names of files. The program's own help
# lists them. Installed as share/zsh/site-functions/_dpvi.
local -a found
if ((CURRENT == 2)); then
  found=(${(f)"$(${words[1]} --help 2>/dev/null |
    sed -n '/^Subcommands:/,$s/^  \([a-z][a-z]*\)  *\(.*\)/\1:\2/p')"} help:'explain a verb')
  _describe 'verb' found
elif [[ ${words[CURRENT]} == -* ]]; then
  found=(${(f)"$(${words[1]} ${words[2]} --help-all 2>/dev/null |
    sed -n 's/^  \(-[a-zA-Z],\)\{0,1\}\(--[a-z-]*\)[^ ]*\( [A-Z]*\)\{0,1\}  *\(.*\)/\2:\4/p')"})
  _describe 'flag' found
else
  _files
fi
