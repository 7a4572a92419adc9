# tarry-completion.bash -- completes tools, their options and file names for `tarry` in bash. Source it, or install it
# as share/bash-completion/completions/tarry.

# Options and operations of a tool, from its own help text, asked once per shell.
_tarry_words() {
  local tarry=$1 tool=$2 key=${2//[^a-z]/_}
  local cached="_tarry_words_$key"
  if [ -z "${!cached+set}" ]; then
    printf -v "$cached" '%s' "$("$tarry" help "$tool" 2>/dev/null | awk '
      /^[A-Za-z].*:/ { in_operations = tolower($0) ~ /^(subcommands|operations):/ }
      in_operations && /^  ? ?[a-z]/ { print $1 }
      { while (match($0, /(^|[ ,])--?[a-zA-Z][a-z0-9-]*/)) {
          word = substr($0, RSTART, RLENGTH); sub(/^[ ,]/, "", word); print word
          $0 = substr($0, RSTART + RLENGTH) } }' | sort -u)"
  fi
  printf '%s' "${!cached}"
}

_tarry() {
  local word=${COMP_WORDS[COMP_CWORD]} tarry=${COMP_WORDS[0]} i words
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ] || { [ "$COMP_CWORD" -eq 2 ] && [ "${COMP_WORDS[1]}" = help ]; }; then
    words="$("$tarry" 2>/dev/null | awk '{ print $1 }') "
    [ "$COMP_CWORD" -eq 1 ] && words+=' help --help --version'
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
    return
  fi
  # What follows `--`, or a compiler's name, is a command of the user's own.
  for ((i = 2; i < COMP_CWORD; i++)); do
    [ "${COMP_WORDS[i]}" = -- ] || continue
    if [ $((i + 1)) -eq "$COMP_CWORD" ]; then mapfile -t COMPREPLY < <(compgen -c -- "$word"); fi
    return
  done
  words=$(_tarry_words "$tarry" "${COMP_WORDS[1]}")
  case $word in
    -*) ;;
    *) words=$(grep -v '^-' <<<"$words") ;;
  esac
  mapfile -t COMPREPLY < <(
    compgen -W "$words" -- "$word"
    case $word in -*) ;; *) compgen -f -- "$word" ;; esac
  )
  compopt -o filenames 2>/dev/null
}

complete -o default -F _tarry tarry
