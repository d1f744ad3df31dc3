# Completes command lines of `wave` in bash. `wave complete` knows what may come; this script asks it.

_wave() {
  local words=() word shown i line files=nothing current
  # Bash takes `a=b` and `a:b` apart; wave sees them as one word.
  for ((i = 1; i <= COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    if ((i > 1)) && [[ $word == [=:]* || ${COMP_WORDS[i - 1]} == [=:] ]]; then
      words[-1]+=$word
    else
      words+=("$word")
    fi
  done
  current=${words[-1]}
  shown=${current%"${current##*[=:]}"}   # what bash does not replace
  COMPREPLY=()
  {
    read -r files
    while IFS=$'\t' read -r line _; do
      [[ $line == *= ]] && compopt -o nospace
      COMPREPLY+=("$(printf %q "${line#"$shown"}" | sed 's/\\=/=/g')")
    done
  } < <("${COMP_WORDS[0]}" complete --time-limit 2s -- "${words[@]}" 2>/dev/null)
  current=${current#"$shown"}
  case $files in
    models) compopt -o filenames; mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -d -- "$current"; compgen -f -X '!*.wave' -- "$current") ;;
    files) compopt -o filenames; mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$current") ;;
    folders) compopt -o filenames; mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -d -- "$current") ;;
  esac
}
complete -F _wave wave
