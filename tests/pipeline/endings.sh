# endings.sh -- however a job ends, its archive holds what was recorded until then, and says whether that is all.
# no-san
# mpich-long
# timeout 600
set -u
failed=0
# Ranks of MPICH that share a core take long for each round.
[ "$TARRY_TEST_MPI" = mpich ] && rounds=20 limit=20 || rounds=200 limit=3
complain() { echo "$name: $1"; failed=1; }

# check COMPLETE RANKS: the archive `$name` holds all rounds of so many ranks, and every stage works on it.
check() {
  local complete=$1 ranks=$2
  grep -q "<run .*complete=\"$complete\"" "$name/manifest.xml" || complain "the manifest does not say complete=\"$complete\""
  tarry archive verify "$name" >"$name.verify" 2>&1
  [ $? -eq "$([ "$complete" = yes ] && echo 0 || echo 1)" ] || complain "verify: $(cat "$name.verify")"
  for rank in $(seq 0 $((ranks - 1))); do
    for region in MPI_Sendrecv MPI_Barrier; do
      count=$(tarry archive dump "$name" --rank "$rank" 2>/dev/null | grep -c " ENTER .*\"$region\"")
      [ "$count" -eq "$rounds" ] || complain "rank $rank: $count of $rounds $region"
    done
  done
  tarry unify "$name" >"$name.unify" 2>&1 || complain "unify: $(cat "$name.unify")"
  tarry cube dump --csv "$name/summary.cubex" 2>/dev/null | grep '^visits,' >"$name.visits"
  count=$(cut -d, -f2 "$name.visits" | grep -c "^end/main$")
  [ "$count" -eq "$ranks" ] || complain "$count times main in the summary"
  for rank in $(seq 0 $((ranks - 1))); do
    grep -q "^visits,end/main/MPI_Barrier,$rank,0,$rounds$" "$name.visits" || complain "rank $rank: barriers in the summary"
  done
  tarry replay "$name" >"$name.replay" 2>&1 || complain "replay: $(cat "$name.replay")"
  tarry report "$name" >"$name.report" 2>&1 || complain "report: $(cat "$name.report")"
  if [ "$complete" = no ]; then
    grep -qi incomplete "$name.log" || complain "tarry measure does not say that it is incomplete"
    tarry replay --strict -o strict.cubex "$name" >"$name.strict" 2>&1 && complain "--strict takes it for complete"
    tail -1 "$name.strict" | grep -Eq 'incomplete location|missing location' || complain "--strict does not say why"
  fi
  echo "$name: complete=$complete, checked"
}

# end COMPLETE NAME COMMAND...
end() {
  local complete=$1
  name=$2
  shift 2
  SECONDS=0
  tarry measure -s -t -o "$name" -- "$@" >"$name.log" 2>&1
  took=$SECONDS
  check "$complete" 4
}

"$MPICC" -std=gnu11 -O1 -Wall -Werror -DROUNDS=$rounds -o end "$TARRY_ROOT/tests/apps/end.c" || exit 1
end yes return mpirun -np 4 ./end return 0
# A job that hangs has done all its rounds by then.
[ $((3 * took)) -le "$limit" ] || limit=$((3 * took))
end yes finalize-at-exit mpirun -np 4 ./end finalize-at-exit 0
end yes finalize-in-destructor mpirun -np 4 ./end finalize-in-destructor 0
# MPICH's mpirun waits for the others.
[ "$TARRY_TEST_MPI" = mpich ] || end yes killed-behind-finalize mpirun -np 4 ./end linger 7
for rank in 0 2; do
  visits=$(tarry cube dump --csv $name/summary.cubex | grep -c "^visits,[^,]*/MPI_Finalize,$rank,0,1$")
  [ "$visits" -eq 1 ] || complain "rank $rank: $visits MPI_Finalize in the summary"
done
end no exit mpirun -np 4 ./end exit-before-finalize 0
end no abort mpirun -np 4 ./end abort 3
end no segv mpirun -np 4 ./end signal 11
end no term mpirun -np 4 ./end signal 15
end no kill mpirun -np 4 ./end signal 9
end no time-limit timeout $limit mpirun -np 4 ./end hang 0
# Ranks of Open MPI 5 outlive their launcher, measured or not, until somebody ends them.
end_ranks() {
  for pid in $(pgrep -x end); do
    [ "$(readlink "/proc/$pid/cwd")" != "$PWD" ] || kill -KILL "$pid"
  done
}
outlives=
{ timeout -s KILL "$limit" mpirun -np 4 ./end hang 0 >/dev/null; } 2>/dev/null
sleep 1
for pid in $(pgrep -x end); do [ "$(readlink "/proc/$pid/cwd")" != "$PWD" ] || outlives=yes; done
end_ranks

name=hard-limit
tarry measure -s -t -o $name -- timeout -s KILL "$limit" mpirun -np 4 ./end hang 0 >$name.log 2>&1
if [ -n "$outlives" ]; then
  grep -q 'processes of the run outlive the command' $name.log || complain "not said: $(cat $name.log)"
  end_ranks
  echo incomplete >>$name.log
fi
check no 4

# The limit strikes the measuring itself: a signal it can pass on, and one that leaves the archive to `tarry unify`.
name=limit-around
timeout $limit tarry measure -s -t -o $name -- mpirun -np 4 ./end hang 0 >$name.log 2>&1
check no 4
name=limit-kills
cat >killable <<'SH'
#!/bin/sh
echo $$ >launcher.pid
exec mpirun -np 4 ./end hang 0
SH
chmod +x killable
{ timeout -s KILL $limit tarry measure -s -t -o $name -- ./killable >$name.log 2>&1; } 2>/dev/null
launcher=$(cat launcher.pid)
everybody="$launcher $(pgrep -P "$launcher")"
kill -KILL $everybody
[ -z "$outlives" ] || end_ranks
for attempt in $(seq 50); do
  kill -0 $everybody 2>/dev/null || break
  sleep 0.1
done
grep -q 'complete="yes"' $name/manifest.xml && complain "complete although killed"
tarry unify $name >$name.unify 2>&1 || complain "unify after the kill: $(cat $name.unify)"
echo incomplete >>$name.log
check no 4
exit $failed
