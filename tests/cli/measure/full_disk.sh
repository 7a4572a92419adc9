# full_disk.sh -- a disk that fills up, at any moment, does not disturb the program; stderr and the archive say it.
# timeout 180
. "$TARRY_ROOT/tests/cli/expect.bash"
. "$TARRY_ROOT/tests/cli/small_disk.bash"
"$MPICC" -O1 -o progress "$TARRY_ROOT/tests/apps/progress.c" || exit 1

# Whether all ranks have done everything: 40000 sends.
program_is_done() {
  for rank in 0 1 2; do
    [ "$(od -An -t u8 -N 8 progress.$rank | tr -d ' ')" = 40000 ] || return 1
  done
}

for size in 64k 300k 600k 800k 1100k 1500k 2500k 4m; do
  echo "- $size"
  small_disk disk-$size $size
  run_it tarry measure -t --memory 1M -o disk-$size/run -- mpirun -np 3 ./progress 2000
  [ $status -eq 0 ] && program_is_done || complain "the program is disturbed"
  rm -f progress.?
  if tarry archive verify disk-$size/run >verify.out 2>&1; then
    # Writes have failed, but others gave their room back before the spools were collected.
    [ "$(tarry archive dump disk-$size/run | grep -c ' MPI_SEND ')" = 120000 ] || complain "complete, but sends are missing"
    continue
  fi
  grep -q 'No space left on device' err || complain "stderr does not say that the disk is full"
  grep -q ' missing="[^"]' disk-$size/run/manifest.xml || complain "the manifest does not say that something is missing"
  grep -q ': damaged' verify.out && { complain "damage"; cat verify.out >&2; }
  # With room again, everything that was kept can be read.
  mount -o remount,size=40m disk-$size
  if tarry unify disk-$size/run 2>err; then
    run_it tarry archive dump disk-$size/run
    [ $status -eq 0 ] || grep -q 'holds no events' err || complain "what was kept cannot be dumped"
    if [ -s out ] && ! tarry replay disk-$size/run 2>err; then
      grep -q 'has no event whose region is known' err || complain "what was kept cannot be replayed: $(cat err)"
    fi
  else
    grep -q 'no process has recorded anything' err || complain "unify fails"
  fi
done

# The summary of a run is whole in the archive, and finds no room as a report.
echo "- summary"
small_disk narrow 64k
run_it tarry measure -s -o narrow/run -- mpirun -np 3 ./progress 2000
[ $status -eq 0 ] && program_is_done || complain "the program is disturbed"
grep -q "summary.cubex: No space left on device (what was recorded is kept: run 'tarry unify narrow/run'" err ||
  complain "no way out for the summary"
mount -o remount,size=40m narrow
works tarry unify narrow/run
tarry cube dump --csv -m comms_send narrow/run/summary.cubex >sends.csv
[ "$(awk -F, 'NR > 1 { sum += $5 } END { print sum }' sends.csv)" = 120000 ] || complain "not all sends are in the summary"

small_disk full 16k
fill full
fails 'full/run.*: No space left' tarry measure -t -o full/run -- touch ran
[ -e ran ] && complain "the command was run without an archive"
[ -e full/run ] && complain "a folder is left"
exit $wrong
