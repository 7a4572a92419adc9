# instrument.sh -- programs in C, C++ and Fortran built by one prefix in their Makefile, and by cmake with the wrappers.
# no-san
# timeout 240
# mpich-long
set -eu
apps=$TARRY_ROOT/tests/apps/instrumented
# Visits of each call path of rank 0, iterations summed, without the program's name in front.
visits() {
  tarry cube dump --csv "$1/summary.cubex" | "$PYTHON" -c '
import csv, re, sys
sums = {}
for row in csv.DictReader(sys.stdin):
    if row["metric"] == "visits" and row["rank"] == "0":
        path = re.sub(r"=\d+", "=N", row["callpath"]).partition("/")[2]
        sums[path] = sums.get(path, 0) + int(row["value"])
for path in sorted(sums):
    if path and "/MPI_" not in path and "sub_I_" not in path: print(sums[path], path)
'
}
expect() {  # expect NAME ARCHIVE <<EXPECTED
  cat >"$1.expected"
  visits "$2" >"$1.visits"
  diff "$1.expected" "$1.visits" || { echo "$1: these visits are wrong"; exit 1; }
}

make -s -f "$apps/Makefile" SOURCE="$apps" CC="tarry instrument $MPICC" CXX="tarry instrument g++" FC="tarry instrument mpif90"

# Alone they run as ever, and leave nothing.
mkdir alone && cd alone
[ "$(../heat 3)" = 8.00978 ]
mpirun -np 2 ../heat 3 >out && rm out
../shapes ../libplugin.so >/dev/null
[ -z "$(ls)" ] || { echo "something was recorded: $(ls)"; exit 1; }
cd ..

tarry measure -s -t -o heat_run -- mpirun -np 2 ./heat 7 >out
tarry archive verify heat_run
tarry replay -q heat_run
cat >heat.paths <<'PATHS'
1 main
1 main/read_input
1 main/solve
7 main/solve/iteration=N
3 main/solve/iteration=N/give_up
3 main/solve/iteration=N/give_up/giving up
3 main/solve/iteration=N/give_up/giving up/give_up
3 main/solve/iteration=N/give_up/giving up/give_up/giving up
3 main/solve/iteration=N/give_up/giving up/give_up/giving up/give_up
3 main/solve/iteration=N/give_up/giving up/give_up/giving up/give_up/giving up
7 main/solve/iteration=N/step
70 main/solve/iteration=N/step/flux
PATHS
expect heat heat_run <heat.paths
# In time, and below the functions that call them: the barriers.
tarry cube dump --csv heat_run/summary.cubex | grep -c '^visits,heat/main/solve/iteration=[0-6]/MPI_Barrier,[01],0,1$' | grep -qx 14

# Summary and trace are of one run.
for report in summary analysis; do
  tarry cube dump --csv heat_run/$report.cubex | grep '^visits,' >$report.visits
done
cmp summary.visits analysis.visits

tarry measure -q -s -t -o shapes_run -- ./shapes "$PWD/libplugin.so" >out
tarry archive verify shapes_run
check='(anonymous namespace)::Checker::check(int)'
guard='(anonymous namespace)::Guard::~Guard()'
cat >shapes.paths <<PATHS
1 main
4 main/$check
4 main/$check/$check
4 main/$check/$check/$check
4 main/$check/$check/$check/$guard
4 main/$check/$check/$guard
4 main/$check/$guard
1 main/(anonymous namespace)::summary(double)
1 main/double total<double>(std::vector<double, std::allocator<double> > const&)
10 main/double total<double>(std::vector<double, std::allocator<double> > const&)/square(double)
1 main/int total<int>(std::vector<int, std::allocator<int> > const&)
10 main/int total<int>(std::vector<int, std::allocator<int> > const&)/square(double)
1 main/scaled
1 main/scaled/third(double)
PATHS
expect shapes shapes_run <shapes.paths

tarry measure -q -s -t -o ocean_run -- mpirun -np 2 ./ocean >out
cat >ocean.paths <<'PATHS'
1 main
1 main/ocean
5 main/ocean/tide=N
5 main/ocean/tide=N/exchange
5 main/ocean/tide=N/waves::advance
5 main/ocean/tide=N/waves::advance/smoothing
PATHS
expect ocean ocean_run <ocean.paths
tarry cube dump --csv ocean_run/summary.cubex | grep -c '^visits,.*/exchange/MPI_Barrier,[01],0,1$' | grep -qx 10

# Where they stand in the source: also of the library that was unloaded.
"$PYTHON" "$TARRY_ROOT/tests/report/check_cubex.py" shapes_run/summary.cubex
tar xOf shapes_run/summary.cubex anchor.xml >anchor.xml
for place in 'shapes.cpp:main' 'plugin.cpp:third(double)' 'area.cpp:square(double)'; do
  grep -F -A2 "<name>${place#*:}</name>" anchor.xml >/dev/null || { echo "no region ${place#*:}"; exit 1; }
  grep -F "${place%%:*}" anchor.xml | grep -q 'mod="[^"]*instrumented/' || { echo "no file ${place%%:*}"; exit 1; }
done

# One filter, when running and (where GCC's plug-in is there) when compiling: equal visits.
cat >rules.filter <<'RULES'
SCOREP_REGION_NAMES_BEGIN
  EXCLUDE *total<* (anonymous\ namespace)::*
  INCLUDE MANGLED *summary*
SCOREP_REGION_NAMES_END
SCOREP_FILE_NAMES_BEGIN
  EXCLUDE */plugin.cpp
SCOREP_FILE_NAMES_END
RULES
cat >filtered.paths <<'PATHS'
1 main
1 main/(anonymous namespace)::summary(double)
20 main/square(double)
PATHS
tarry measure -q -f rules.filter -o filtered_run -- ./shapes "$PWD/libplugin.so" >out
expect filtered filtered_run <filtered.paths
if ls "$TARRY_BUILD"/lib/tarry_gcc_filter_*.so >/dev/null 2>&1; then
  mkdir filtered && cd filtered
  make -s -f "$apps/Makefile" SOURCE="$apps" CXX="tarry instrument -f $OLDPWD/rules.filter g++" shapes libplugin.so
  tarry measure -q -o run -- ./shapes "$PWD/libplugin.so" >out
  expect compiled run <../filtered.paths
  cd ..
fi

# Templates have a result type, which a rule need not name.
printf '%s\n' SCOREP_REGION_NAMES_BEGIN 'EXCLUDE DEMANGLED total<*' SCOREP_REGION_NAMES_END >result.filter
tarry measure -q -f result.filter -o result_run -- ./shapes >out
visits result_run | grep -q 'total<' && { echo "total<...> is recorded"; exit 1; }
visits result_run | grep -qx '20 main/square(double)' || { echo "square is not recorded"; exit 1; }

# A CMake project by the wrapper.
if command -v cmake >/dev/null; then
  wrappers=$TARRY_ROOT/bin
  TARRY_INSTRUMENT=off cmake -S "$apps" -B project -DCMAKE_CXX_COMPILER="$wrappers/tarry-cxx" -DCMAKE_BUILD_TYPE=Release >cmake.log
  make -s -C project >make.log
  tarry measure -q -s -t -o project_run -- project/shapes >out
  sed '/scaled/d' shapes.paths | expect project project_run
fi

# Exceptions that the compiler calls no exit hook for.
if command -v clang++ >/dev/null; then
  mkdir clang && cd clang
  make -s -f "$apps/Makefile" SOURCE="$apps" CXX="tarry instrument clang++" shapes
  tarry measure -q -s -t -o run -- ./shapes >out
  visits run | grep -v Guard >visits  # where destructors stand that run meanwhile, differs
  sed '/scaled/d; /Guard/d' ../shapes.paths | diff - visits
fi
