# tarry-completion.bash -- completes tools, operations, options, their values and file names for `tarry` in bash. Source
# it, or install it as share/bash-completion/completions/tarry.

# The help text of a tool, or of one of its operations, as lines `operation NAME`, `option NAME VALUE` and
# `files SUFFIX`; asked once per shell.
_tarry_facts() {
  local key="_tarry_facts_${2//[^a-z]/_}_${3//[^a-z]/_}"
  if [ -z "${!key+set}" ]; then
    printf -v "$key" '%s' "$("$1" help "$2" ${3:+"$3"} 2>/dev/null | awk '
      /^[A-Za-z].*:/ { section = tolower($1) }
      /^ *$/ { section = "" }
      section == "operations:" && /^  [a-z]/ { print "operation", $1 }
      section == "options:" && /^  -/ {
        value = match($0, /^  [^ ]+ [^ ]/) ? $2 : ""
        count = split($1, names, ",")
        for (i = 1; i <= count; i++) print "option", names[i], value
      }
      section == "positionals:" {
        while (match($0, /\.(cubex|cube|otf2|filter)/)) {
          print "files", substr($0, RSTART, RLENGTH)
          $0 = substr($0, RSTART + RLENGTH)
        }
      }')"
  fi
  printf '%s' "${!key}"
}

# Operations of a tool, or options, or suffixes of its files.
_tarry_select() { awk -v kind="$1" '$1 == kind { print $2 }' <<<"$2" | sort -u; }

# What an option wants: `a|b|c`, `FILE`, ...; empty if it wants nothing.
_tarry_value() { awk -v name="$1" '$1 == "option" && $2 == name { print $3; exit }' <<<"$2"; }

# Folders, and files with one of the suffixes; all files without a suffix.
_tarry_files() {
  local word=$1 file suffix
  shift
  if [ $# -eq 0 ]; then compgen -f -- "$word"; return; fi
  compgen -d -- "$word"
  for suffix; do compgen -f -X "!*$suffix" -- "$word"; done
}

# Completes the value of an option that wants $2.
_tarry_complete_value() {
  case $2 in
    *'|'*) if [[ $2 == *[A-Z]* ]]; then _tarry_files "$1"; else compgen -W "${2//|/ }" -- "$1"; fi ;;
    DIR | FOLDER | ARCHIVE) compgen -d -- "$1" ;;
    FILE | OUT | TEXT) _tarry_files "$1" ;;
  esac
}

_tarry_complete() {
  local word=$1 before=$2 facts=$3 value suffixes
  value=$(_tarry_value "$before" "$facts")
  if [ -n "$value" ]; then _tarry_complete_value "$word" "$value"; return; fi
  case $word in
    --*=*) _tarry_complete_value "${word#*=}" "$(_tarry_value "${word%%=*}" "$facts")" ;;
    -*) compgen -W "$(_tarry_select option "$facts")" -- "$word" ;;
    *)
      mapfile -t suffixes < <(_tarry_select files "$facts")
      _tarry_files "$word" "${suffixes[@]}"
      ;;
  esac
}

_tarry() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} tarry=${COMP_WORDS[0]} tool=${COMP_WORDS[1]}
  local i words facts operation=
  COMPREPLY=()
  # The shell splits at `=`: --format=text is three words.
  if [ "$word" = = ]; then word=; elif [ "$before" = = ]; then before=${COMP_WORDS[COMP_CWORD - 2]}; fi
  if [ "$COMP_CWORD" -eq 1 ] || { [ "$COMP_CWORD" -eq 2 ] && [ "$tool" = help ]; }; then
    words="$("$tarry" 2>/dev/null | awk '{ print $1 }') "
    [ "$COMP_CWORD" -eq 1 ] && words+=' help --help --version --cflags --libs'
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
    return
  fi
  # What follows `--`, or a compiler's name, is a command of the user's own.
  for ((i = 2; i < COMP_CWORD; i++)); do
    [ "${COMP_WORDS[i]}" = -- ] || continue
    if [ $((i + 1)) -eq "$COMP_CWORD" ]; then mapfile -t COMPREPLY < <(compgen -c -- "$word"); fi
    return
  done
  [ "$tool" = help ] && tool=${COMP_WORDS[2]}
  facts=$(_tarry_facts "$tarry" "$tool" "")
  words=$(_tarry_select operation "$facts")
  for ((i = 2; i < COMP_CWORD && ${#words}; i++)); do
    if grep -qxF -e "${COMP_WORDS[i]}" <<<"$words"; then operation=${COMP_WORDS[i]}; break; fi
  done
  if [ -n "$operation" ]; then
    # Options of the tool may follow its operation.
    facts=$(_tarry_facts "$tarry" "$tool" "$operation"; echo; grep '^option' <<<"$facts")
  elif [ -n "$words" ] && [[ $word != -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
    return
  fi
  mapfile -t COMPREPLY < <(_tarry_complete "$word" "$before" "$facts" | sort -u)
  compopt -o filenames 2>/dev/null
}

complete -o default -F _tarry tarry
