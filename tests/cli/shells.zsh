# What cli/shells/_wave proposes for a line, with the parts of zsh's completion that it calls replaced by ones that print.
_describe() {
  local -a found=("${(@P)2}")
  print -rl -- "${(@)found%%:*}"
}
_files() {
  setopt local_options null_glob
  local begin=$words[CURRENT]
  [[ $1 == -g ]] && print -rl -- $begin*.wave || print -rl -- $begin*
}
words=(${(z)1})
[[ $1 == *' ' ]] && words+=('')
CURRENT=$#words
source cli/shells/_wave
