# openmp_tasks.sh -- explicit tasks that create tasks: their call paths do not become more with the depth of recursion,
# their times and visits add up, and the program behaves as it does alone. OMPT (clang) and OPARI2 (GCC).
# no-san
# timeout 240
set -u
failed=0
source_file=$TARRY_ROOT/tests/apps/openmp_tasks.c

clang -std=gnu11 -O1 -g -fopenmp -o ompt "$source_file" || exit 1
tarry instrument gcc -std=gnu11 -DPLAIN -O1 -g -fopenmp -o opari2 "$source_file" || exit 1

# check NAME REPORT: visits as the program says; no more call paths than the code has.
check() {
  tarry cube sanity "$2.cubex" >"$2.sane" 2>&1 || { cat "$2.sane"; failed=1; }
  tarry cube dump --csv "$2.cubex" >"$2.csv"
  awk -F, -v name="$1" '
    FILENAME ~ /csv$/ && $1 == "visits" {
      n = split($2, part, "/"); construct = part[n]; paths[$2] = 1
      sub(/ @.*/, "", construct); sub(/^!\$omp /, "", construct); gsub(/ /, "_", construct)
      visits[construct] += $NF
    }
    /^EXPECT/ {
      split($0, word, " "); ++expected
      if (visits[word[2]] == word[3]) next
      print name ": " word[2] ": " visits[word[2]] + 0 ", expected " word[3]
      failed = 1
    }
    END {
      for (path in paths) ++count
      if (visits["create_task"] != visits["task"]) { print name ": tasks and their creations differ"; failed = 1 }
      print name ": " count " call paths"
      exit failed || expected != 2 || count > 300
    }' "$2.csv" "$1.txt" || failed=1
}

for program in ompt opari2; do
  for n in 10 17; do
    run=$program-$n
    tarry measure -q -s -t -o "$run" -- "./$program" $n >"$run.txt" || { echo "$run: status $?"; failed=1; }
    tarry replay -q --strict "$run" || failed=1
    check "$run" "$run/summary"
    check "$run" "$run/analysis"
    "$PYTHON" "$TARRY_ROOT/tests/pipeline/compare_summary.py" "$run/summary.csv" "$run/analysis.csv" 12 || failed=1
  done
  "./$program" 16 >bare.txt 2>&1
  for way in -s -t "-s --sample 997" "-s -t --metrics page-faults"; do
    run="$program-$(echo "$way" | tr -d ' -')"
    tarry measure -q $way -o "$run" -- "./$program" 16 >"$run.txt" 2>&1 || { echo "$run: status $?"; failed=1; }
    cmp bare.txt "$run.txt" || failed=1
  done
done

# A process that is killed among tasks leaves a summary without negative times.
tarry measure -q -s -o killed -- ./ompt 40 >killed.txt 2>&1 &
measure=$!
sleep 2
killall_of() { for child in $(cat "/proc/$1/task/$1/children"); do kill -KILL "$child"; done; }
killall_of $measure
wait $measure
tarry unify -q killed
tarry cube sanity killed/summary.cubex >killed.sane 2>&1 || { cat killed.sane; failed=1; }
tarry cube calltree -m visits killed/summary.cubex | grep -q 'omp task @' || { echo "killed: no task"; failed=1; }
exit $failed
