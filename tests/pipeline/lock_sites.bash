# lock_sites.bash -- what the tests of the recorder's locks share; sourced by them.
. "$TARRY_ROOT/tests/pipeline/other_recorder.bash"

# The tools with a recorder that stops at its locks, in front of PATH, and the library with the handler.
prepare_lock_sites() {
  make -s -C "$TARRY_ROOT" BUILD="$TARRY_BUILD" lock-sites || exit 1
  use_recorder "$TARRY_BUILD/lock-sites"
  tarry instrument gcc -std=gnu11 -O1 -fPIC -shared -o libsignals.so "$TARRY_ROOT/tests/apps/lock_site_signals.c" || exit 1
}

# measure RUN OPTIONS... -- COMMAND: the program ends by itself as it should.
measure() {
  local run=$1 status
  shift
  rm -f lock_sites.counts
  timeout 150 tarry measure -q -o "$run" "$@" >"$run.out" 2>"$run.err"
  status=$?
  [ $status = 0 ] || complain "$run: status $status"
  [ "$(tail -1 "$run.out")" = done ] || complain "$run: $(head -3 "$run.out") $(tail -3 "$run.err")"
}

# visits RUN: how often functions of the handler were entered, by the summary.
visits() {
  tarry cube dump --csv "$1/summary.cubex" |
    awk -F, '$1 == "visits" && $2 ~ /\/in_handler_[0-9]*$/ { sum += $5 } END { print sum + 0 }'
}
missed() { tarry archive info "$1" | sed -n 's/^not recorded *\([0-9]*\) calls of signal handlers.*/\1/p'; }

# check_counts RUN: what the handler has entered is recorded, or counted as missed.
check_counts() {
  local in_handler recorded missed
  in_handler=$(sed -n 's/.* entered \([0-9]*\) .*/\1/p' lock_sites.counts)
  recorded=$(visits "$1") missed=$(missed "$1")
  [ "${in_handler:-0}" -gt 50 ] || complain "$1: the handler was called $in_handler times only"
  [ $((recorded + ${missed:-0})) -ge "${in_handler:-1}" ] ||
    complain "$1: the handler entered $in_handler functions; $recorded are recorded, ${missed:-0} counted as missed"
}

# All places in the source where a lock is taken, as "file:line function".
lock_sites_of_source() {
  (cd "$TARRY_ROOT" && grep -rlE '\b(Locked|TryLocked|CallLock) lock\(' lib/measure --include=*.cpp --include=*.hpp) |
    while read -r file; do
      awk -v file="$file" '
        /^ *[A-Za-z].*[A-Za-z_~]+\(.*\{$/ && !/^ *(if|for|while|switch|else)/ { name = $0; sub(/\(.*/, "", name); sub(/.*[ *&]/, "", name) }
        /(Locked|TryLocked|CallLock) lock\(/ { print file ":" FNR, name }' "$TARRY_ROOT/$file"
    done
}

# find_reached: the places that any run has reached, and all that there are.
find_reached() {
  sed 's#^\./##' lock_sites.reached | sort -u >reached.places
  lock_sites_of_source | sort >all.places
}

# reached <NAMES: complains about functions whose locks no run has reached.
reached() {
  find_reached
  while read -r name; do
    grep " $name\$" all.places | cut -d' ' -f1 | grep -qxFf - reached.places || complain "no run has reached a lock of $name"
  done
}

# unreached <TABLE: complains about locks that no run has reached, unless the table names the function and says why.
unreached() {
  find_reached
  sed 's/ .*//' >allowed
  while read -r place name; do
    grep -qxF "$place" reached.places || grep -qxF "$name" allowed || complain "no run has reached the lock of $name, $place"
  done <all.places
  [ "$(wc -l <all.places)" -gt 60 ] || complain "only $(wc -l <all.places) locks are found in the source"
}
