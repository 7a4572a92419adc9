# openmp_teams.sh -- leagues of OpenMP teams on the host: the program ends as it does alone, and each region is found
# once, beside the one before it.
# mpich-long
# no-san
# timeout 240
set -u
failed=0
source_file=$TARRY_ROOT/tests/apps/openmp_teams.c
export KMP_TEAMS_THREAD_LIMIT=8 OMP_NUM_THREADS=2

# regions NAME: visits and nesting in the report as the program says.
regions() {
  awk -F, '
    FILENAME ~ /csv$/ && $1 == "visits" {
      n = split($2, part, "/"); depth = 0
      for (i = 1; i <= n; ++i) depth += part[i] ~ /^!\$omp (teams|parallel)( |$)/
      if (depth > deepest) deepest = depth
      name = part[n]; sub(/ @.*/, "", name)
      if (!sub(/^!\$omp /, "", name)) next
      visits[name] += $NF
    }
    /^EXPECT / { split($0, word, " "); expected[word[2]] += word[3] }
    /^EXPECT_DEPTH/ { split($0, word, " "); most = word[2] }
    END {
      for (name in expected) if (visits[name] != expected[name]) {
        print name ": " visits[name] + 0 " visits, expected " expected[name]; failed = 1
      }
      if (deepest > most) { print "depth " deepest ", expected " most; failed = 1 }
      exit failed || !most
    }' "$1.csv" "$1.txt"
}

# alike NAME COMMAND...: the same status and output bare and measured in each way.
alike() {
  local name=$1 way
  shift
  "$@" >bare.txt 2>&1
  local bare=$?
  for way in "" -s -t "-s -t" "-s --sample 997"; do
    local run="run-$name$(echo "$way" | tr -d ' -')"
    tarry measure -q $way -o "$run" -- "$@" >"$run.txt" 2>&1
    test $? = $bare || { echo "$name $way: another status than $bare"; failed=1; }
    diff <(grep -v EXPECT bare.txt) <(grep -v EXPECT "$run.txt") || { echo "$name $way: other output"; failed=1; }
  done
}

build_for() { "$@" -std=gnu11 -O1 -g -fopenmp "$source_file"; }

build_for clang -o teams || exit 1
OMPI_CC=clang MPICH_CC=clang build_for "$MPICC" -DWITH_MPI -o teams_mpi || exit 1
alike serial ./teams 60
alike combined ./teams 20 combined
alike mpi mpirun -np 2 ./teams_mpi 20
for run in run-serialt run-serialst run-mpit; do
  tarry replay -q --strict "$run" && tarry cube dump --csv "$run/analysis.cubex" >"$run.csv" && regions "$run" ||
    { echo "$run: failed"; failed=1; }
done
tarry cube dump --csv run-serials/summary.cubex >run-serials.csv && regions run-serials || { echo "summary"; failed=1; }
"$PYTHON" "$TARRY_ROOT/tests/pipeline/compare_summary.py" <(tarry cube dump --csv run-serialst/summary.cubex) \
  run-serialst.csv 12 || failed=1
exit $failed
