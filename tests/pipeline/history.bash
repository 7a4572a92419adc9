# history.bash -- histories that are made: 20 commits with 3 runs each, and 1 % noise.

history_store=history.db

# made SEED STEP_AT STEP: $history_store, whose commits c00 and so on are larger by STEP from STEP_AT on (0: never).
made() {
  local commit files
  rm -rf made history.db*
  [ "$history_store" = history.db ] || tarry store rm --store "$history_store" --all >/dev/null 2>&1 || true
  mkdir made
  "$TARRY_BUILD/bench/make_reports" made 60 2 3 2 "$1" 0.01 $(($2 > 0 ? $2 * 3 + 1 : 0)) "$3"
  for commit in $(seq 0 19); do
    files=$(seq -f 'made/%06g.cubex' $((commit * 3 + 1)) $((commit * 3 + 3)))
    # shellcheck disable=SC2086
    tarry store add --store "$history_store" --commit "$(printf 'c%02d' "$commit")" $files >/dev/null
  done
}

# check_history SEED STEP_AT STEP: the step and no other is found, at its commit; without a step none.
check_history() {
  local want='' status=0 found
  made "$1" "$2" "$3"
  [ "$2" -eq 0 ] || want=$(printf 'c%02d' "$2")
  tarry history time --store "$history_store" --format csv >history.csv || status=$?
  found=$(awk -F, '$7 == 1 { print $4 }' history.csv)
  [ "$found" = "$want" ] && [ $status -eq $((${#want} > 0)) ] && return
  echo "seed $1: found '$found' in place of '$want', status $status"
  exit 1
}
