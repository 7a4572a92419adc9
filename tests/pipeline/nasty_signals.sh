# nasty_signals.sh -- programs that use signals in unusual ways: the same output and status with samples and without.
# no-san
# timed
# timeout 900
set -u
failed=0
source="$TARRY_ROOT/tests/apps/nasty_signals.cpp"
g++ -std=c++20 -O1 -w -fnon-call-exceptions -o plain "$source" -lpthread -ldl || exit 1
g++ -std=c++20 -O0 -w -fnon-call-exceptions -pg -o profiled "$source" -lpthread -ldl || exit 1
if command -v clang++ >/dev/null; then
  clang++ -std=c++20 -O2 -w -fnon-call-exceptions -o other "$source" -lpthread -ldl || exit 1
fi

# run FOLDER COMMAND...: its output and its status, in FOLDER.
run() {
  local folder=$1
  shift
  mkdir -p "$folder"
  { (cd "$folder" && timeout 60 "$@" >out 2>err; echo "status $?" >>out); } 2>/dev/null
}

# compare PROGRAM CASE OPTION...
count=0
compare() {
  local name=$1-$2
  count=$((count + 1))
  [ -d "bare-$name" ] || run "bare-$name" "../$1" "$2"
  run "measured-$name" tarry measure "${@:3}" -o "../archive-$count" -- "../$1" "$2"
  cmp -s "bare-$name/out" "measured-$name/out" && return
  echo "$1 $2 with ${*:3}: $(diff "bare-$name/out" "measured-$name/out" | head -5; tail -3 "measured-$name/err")"
  failed=1
}

cases=$(./plain list)
for case in $cases; do
  [ "$case" = full_queue ] || compare plain "$case" -s -t --sample 1999
done
[ "$count" -ge 30 ] || { echo "only $count cases"; failed=1; }
grep -q '[1-9][0-9]* samples cost' measured-plain-jumps/err || { cat measured-plain-jumps/err; failed=1; }

for case in jumps jumps_without_mask preempted_coroutines handlers_that_look alternate_stacks users; do
  compare plain "$case" -s --sample 97
  compare plain "$case" -t --sample 997 --sample-inside
done
for case in throwing_handlers contexts handlers_are_told cancellation interval_timers; do
  compare profiled "$case" -s --sample 1999
  [ ! -x other ] || compare other "$case" -t --sample 1999
done
[ -s measured-profiled-contexts/gmon.out ] || { echo "the other profile is missing"; failed=1; }

# Signals that wait are counted for each user: this one has no other processes.
as_another() { setpriv --reuid 54321 --clear-groups "$@"; }
left_out=
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null && ! as_another test -r "$TARRY_ROOT/bin/tarry"; then
  left_out="without a full queue of signals: another user cannot read $TARRY_ROOT/bin"
elif [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
  mkdir alone && cp plain alone && chmod 777 alone && chmod a+x . && cd alone || exit 1
  as_another ../alone/plain full_queue >bare
  as_another tarry measure -s -t --sample 1999 -o archive -- ./plain full_queue >measured 2>said
  diff bare measured || { cat said; failed=1; }
  grep -q 'queued 60' bare && ! grep -q 'queue of signals' said && { echo "nothing is said: $(cat said)"; failed=1; }
fi
[ $failed = 0 ] || exit 1
[ -z "$left_out" ] || { echo "$left_out" >&2; exit 77; }
