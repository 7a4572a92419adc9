# lock_sites.bash -- what the tests of the recorder's locks share; sourced by them.

# The tools with a recorder that stops at its locks, in front of PATH, and the library with the handler.
prepare_lock_sites() {
  make -s -C "$TARRY_ROOT" BUILD="$TARRY_BUILD" lock-sites || exit 1
  mkdir bin && cp "$(dirname "$(command -v tarry-measure)")"/tarry* bin/ || exit 1
  ln -s "$TARRY_BUILD/lock-sites" build && ln -s "$TARRY_ROOT/lib" lib || exit 1
  export PATH=$PWD/bin:$PATH
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

# All places in the source where a lock is taken, as "file:line function".
lock_sites_of_source() {
  (cd "$TARRY_ROOT" && grep -rlE '\b(Locked|TryLocked|CallLock) lock\(' lib/measure --include=*.cpp --include=*.hpp) |
    while read -r file; do
      awk -v file="$file" '
        /^ *[A-Za-z].*[A-Za-z_~]+\(.*\{$/ && !/^ *(if|for|while|switch|else)/ { name = $0; sub(/\(.*/, "", name); sub(/.*[ *&]/, "", name) }
        /(Locked|TryLocked|CallLock) lock\(/ { print file ":" FNR, name }' "$TARRY_ROOT/$file"
    done
}

# unreached <TABLE: complains about locks that no run has reached, unless the table names the function and says why.
unreached() {
  sed 's#^\./##' lock_sites.reached | sort -u >reached.places
  lock_sites_of_source | sort >all.places
  sed 's/ .*//' >allowed
  while read -r place name; do
    grep -qxF "$place" reached.places || grep -qxF "$name" allowed || complain "no run has reached the lock of $name, $place"
  done <all.places
  [ "$(wc -l <all.places)" -gt 60 ] || complain "only $(wc -l <all.places) locks are found in the source"
}
