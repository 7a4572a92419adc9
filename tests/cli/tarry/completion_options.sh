# completion_options.sh -- of each tool and each operation, completion offers exactly the options that --help lists.
# timeout 180
. "$TARRY_ROOT/bin/tarry-completion.bash"
complete_line() {
  COMP_WORDS=("$@")
  COMP_CWORD=$(($# - 1))
  _tarry
  printf '%s\n' "${COMPREPLY[@]}"
}
# options FILE: all words in the first column of the section "Options:" of a help text.
options() { sed -n '/^Options:/,/^$/s/^  \(-[^ ]*\).*/\1/p' "$1" | tr ',' '\n'; }
# check FILES WORDS: the options in help texts are those that are completed behind the words.
check() {
  local files=$1
  shift
  complete_line tarry "$@" - | sort >offered
  for file in $files; do options "$file"; done | sort -u >wanted
  diff offered wanted >difference || { echo "WRONG: tarry $*"; cat difference; }
  checked=$((checked + 1))
}
checked=0
for tool in $(tarry | awk '{ print $1 }'); do
  tarry "$tool" --help >of_tool
  check of_tool "$tool"
  for operation in $(sed -n '/^Operations:/,/^$/s/^  \([a-z][a-z-]*\) .*/\1/p' of_tool); do
    tarry "$tool" "$operation" --help >of_operation
    check "of_tool of_operation" "$tool" "$operation"
  done
done
[ "$checked" -gt 25 ] || echo "only $checked tools and operations"
rm of_tool of_operation offered wanted difference
mkdir run && touch a.cubex b.otf2 c.txt
for line in "cube cmp --format" "cube topn --by" "merge --to" "cube info" "replay"; do
  echo "$line -> $(complete_line tarry $line '' | paste -sd' ')"
done
