# openmp_tools.sh -- another OMPT tool of the user's works as it does alone, and OpenMP is recorded: a library of
# OMP_TOOL_LIBRARIES, linked, preloaded, and a tool inside the program.
# no-san
# timeout 240
set -u
failed=0
apps=$TARRY_ROOT/tests/apps
headers=$(clang -print-resource-dir)/include
test -e "$headers/omp-tools.h" || { echo "no omp-tools.h"; exit 77; }

clang -O1 -g -Wall -Werror -fopenmp -shared -fPIC -o omp_tool.so "$apps/omp_tool.c" || exit 1
clang -O1 -g -fopenmp -o tasks "$apps/openmp_tasks.c" || exit 1
clang -O1 -g -fopenmp -o teams "$apps/openmp_teams.c" || exit 1
clang -O1 -g -fopenmp -o linked "$apps/openmp_tasks.c" -Wl,--no-as-needed ./omp_tool.so -Wl,-rpath,"$PWD" || exit 1
clang -O1 -g -fopenmp -o inside "$apps/omp_tool.c" "$apps/openmp_tasks.c" || exit 1

# alike NAME WORD COMMAND...: the same status and lines bare and measured, with WORD among them; OpenMP is recorded.
alike() {
  local name=$1 word=$2 way
  shift 2
  "$@" >bare.txt 2>&1
  local bare=$?
  grep -q "$word" bare.txt || { echo "$name: no '$word' without Tarry"; cat bare.txt; failed=1; }
  for way in "-s -t" "-s --sample 997"; do
    local run="run-$name-$(echo "$way" | tr -d ' -')"
    tarry measure -q $way -o "$run" -- "$@" >"$run.txt" 2>&1
    test $? = $bare || { echo "$name $way: another status than $bare"; failed=1; }
    diff bare.txt "$run.txt" || { echo "$name $way: other lines"; failed=1; }
    tarry cube calltree -m visits "$run/summary.cubex" | grep -q 'omp parallel' || { echo "$name: no OpenMP"; failed=1; }
  done
}

listed=OMP_TOOL_LIBRARIES=/nowhere/no_tool.so::$PWD/omp_tool.so
alike linked "518 ended, 0 wrong" ./linked
alike inside "518 ended, 0 wrong" ./inside
alike listed "518 ended, 0 wrong" env "$listed" ./tasks
alike teams " 0 wrong" env "$listed" KMP_TEAMS_THREAD_LIMIT=8 ./teams 10
alike none "tool: asked" env "$listed" OMP_TOOL_WAY=none ./tasks
alike refuse "tool: asked" env "$listed" OMP_TOOL_WAY=refuse ./tasks
exit $failed
