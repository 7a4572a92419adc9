# nasty.sh -- programs that close, take, forbid and break what the recorder uses: the same output, status and files with
# and without it.
# timeout 300
set -u
failed=0
source="$TARRY_ROOT/tests/apps/nasty.c"
gcc -std=gnu11 -O1 -w -o bare "$source" -lpthread || exit 1
tarry instrument gcc -std=gnu11 -O1 -w -o nasty "$source" -lpthread 2>/dev/null || exit 1

# run FOLDER COMMAND...: its output, its status and the files it leaves, in FOLDER.
run() {
  local folder=$1
  shift
  mkdir "$folder"
  { (cd "$folder" && timeout 60 "$@" >out 2>err; echo "status $?" >>out); } 2>/dev/null
}

# The archive stands beside the folders, in a folder that other users can enter.
chmod 755 .
cases=${NASTY_CASES:-$(./bare list)}
count=0
for case in $cases; do
  count=$((count + 1))
  run "bare-$case" ../bare "$case"
  run "measured-$case" tarry measure -s -t --memory 1M -o "../archive-$case" -- ../nasty "$case"
  for left in out own; do
    if ! cmp -s "bare-$case/$left" "measured-$case/$left" && [ -e "bare-$case/$left" -o -e "measured-$case/$left" ]; then
      echo "$case: $left differs"
      diff "bare-$case/$left" "measured-$case/$left" | head -5
      tail -3 "measured-$case/err"
      failed=1
    fi
  done
  grep -a -q 'terminate called\|Assertion\|libtarry' "measured-$case/err" && { echo "$case: $(cat "measured-$case/err")"; failed=1; }
  ls "bare-$case" >bare.ls
  ls "measured-$case" >measured.ls
  cmp -s bare.ls measured.ls || { echo "$case: leaves other files: $(diff bare.ls measured.ls)"; failed=1; }
done
[ "$count" -ge 32 ] || [ -n "${NASTY_CASES:-}" ] || { echo "only $count cases"; failed=1; }

# The runtime of a sanitizer looks up functions by name before it can be called itself.
gcc -std=gnu11 -O1 -w -fsanitize=thread -DWITHOUT_MPI -finstrument-functions -pthread -o watched \
  "$TARRY_ROOT/tests/apps/pthread_many.c" || exit 1
run bare-watched ../watched 4 600
run measured-watched tarry measure -q -t -o ../archive-watched -- ../watched 4 600
diff bare-watched/out measured-watched/out || { echo "watched: $(tail -3 measured-watched/err)"; failed=1; }
if grep -q 'status 0' bare-watched/out; then
  tarry archive verify archive-watched >verify 2>&1 || { echo "watched: $(cat verify)"; failed=1; }
fi

# What was recorded is there, and complete wherever the program did nothing to prevent it.
for case in ${NASTY_CASES:-close_all close_a_range close_while_running take_all list_descriptors gone_folder storm forks unannounced_forks spawns coroutines}; do
  tarry archive verify "archive-$case" >verify 2>&1 || [ -n "${NASTY_CASES:-}" ] || { echo "$case: $(cat verify)"; failed=1; }
done
exit $failed
